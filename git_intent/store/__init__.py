"""Files under `.cloche/intent/`: read strictly, written byte for byte, judged by pure functions."""
