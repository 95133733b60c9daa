"""The web console: one page and the API behind it, served on this machine only."""
