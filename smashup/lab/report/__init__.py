"""What a study found, as a page to look at."""
