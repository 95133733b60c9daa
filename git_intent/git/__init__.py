"""The only door to git: questions in domain words, answered by pygit2 or git."""
