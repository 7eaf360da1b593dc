"""What an author is told about the sources before anything is built."""
