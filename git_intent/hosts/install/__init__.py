"""Put git-intent into the files of a coding agent's host, and take it out again."""
