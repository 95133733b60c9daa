"""The six steps that turn documents and commits into requirement files."""
