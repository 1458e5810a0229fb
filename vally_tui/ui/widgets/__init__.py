"""The panes and fields that screens are made of."""
