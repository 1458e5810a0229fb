"""One module for each headless command."""
