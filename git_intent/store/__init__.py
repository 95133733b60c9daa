"""Files under `.cloche/intent/`: strict reader, byte-preserving writer, pure rules."""
