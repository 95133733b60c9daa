"""The errors that a person is meant to read."""


class IntentError(Exception):
    """Something failed that the user can understand and act on.

    `message` says what failed and where, `hint` what to do about it.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(IntentError):
    """The command line itself is wrong."""

    exit_code = 2
