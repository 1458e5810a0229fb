"""The command line: arguments, exit status, reports."""
