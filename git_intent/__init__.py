"""git-intent: what a project has decided, in reviewable files."""

__version__ = "0.1.0"
