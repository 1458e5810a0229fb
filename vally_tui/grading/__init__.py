"""The shared core: evidence and grader configs in, verdicts out. No files, no processes, no screen."""
