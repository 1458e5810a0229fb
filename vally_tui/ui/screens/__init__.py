"""The screens: the triage screen and the boxes over it."""
