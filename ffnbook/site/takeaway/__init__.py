"""What a reader takes away: notebooks, and the whole book in one file."""
