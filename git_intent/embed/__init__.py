"""Static embeddings on a CPU, offline: lean reader, bulk encoder, index."""
