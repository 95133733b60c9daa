"""What can be wrong with an embedding model; callers degrade to keywords on it."""

from git_intent.errors import IntentError


class ModelError(IntentError):
    """The model's files are missing, damaged, or of a kind that is not read here."""
