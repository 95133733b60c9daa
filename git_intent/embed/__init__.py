"""Static embeddings on a CPU, offline: the lean reader, the bulk encoder and the index."""
