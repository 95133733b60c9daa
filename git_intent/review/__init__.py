"""Say what a change of the store means; merge two of them."""
