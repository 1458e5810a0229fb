"""The exceptions of the program: unusable input and a missing engine. Verdicts and load issues are values, never raised.

    VallyTuiError                what the person can mend; its text says what, where and what to do next
    ├── UsageError               the command line asks for something that cannot be
    ├── RunUnreadable            a RUN argument that cannot be read at all
    ├── SpecUnreadable           a spec that cannot be read or that Vally would refuse, with line and column
    ├── SpecEditRefused          an edit that cannot be written into the spec's text without touching something else
    ├── SaveRefused              a spec that was not written, and why
    └── EngineUnavailable        V8 cannot be started on this machine

Anything else that is raised is a bug of the program.
"""


class VallyTuiError(Exception):
    """Base of what a person can mend; ``str()`` of it is one or two plain sentences."""


class UsageError(VallyTuiError):
    """The command line asks for something that cannot be; ends with exit status 2."""


class RunUnreadable(VallyTuiError):
    """A RUN argument that is not there or holds no results; ends with exit status 2."""


class SpecUnreadable(VallyTuiError):
    """A spec that cannot be read; the text names file, line (from 1) and column (from 1) where they are known."""


class SpecEditRefused(VallyTuiError):
    """An edit that cannot be spliced into the spec's text; nothing was changed."""


class SaveRefused(VallyTuiError):
    """A spec that was not written; the text says why, and the file on disk is as it was."""


class EngineUnavailable(VallyTuiError):
    """V8 could not be started; the text says why and how to install it."""
