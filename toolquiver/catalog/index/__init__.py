"""The search index: lists of documents by word stem, and vectors, kept in the catalogue's own file."""
