"""The chat objective ledger: one hash-chained journal a chat, under a git ref."""
