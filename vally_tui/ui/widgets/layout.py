"""The classes that a screen carries for its size; app.tcss says what each of them leaves out."""

COLUMN_CLASSES = [(0, "-tiny"), (41, "-small"), (70, "-narrow"), (100, "-mid"), (110, "-wide"), (140, "-widest")]
"""Least columns -> class, for ``HORIZONTAL_BREAKPOINTS``."""

ROW_CLASSES = [(0, "-flat"), (12, "-low"), (17, "-short"), (29, "-high")]
"""Least rows -> class, for ``VERTICAL_BREAKPOINTS``."""

ONE_COLUMN = 100
"""Below so many columns the panes stand in one column."""
