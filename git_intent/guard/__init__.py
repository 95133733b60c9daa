"""Judge what is about to be committed, pushed or merged; the hooks that ask for it."""
