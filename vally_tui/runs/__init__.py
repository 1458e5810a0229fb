"""A run directory on disk becomes a frozen Run. Reads only; every problem is a LoadIssue."""
