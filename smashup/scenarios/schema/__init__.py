"""The language of scenario files as schema models: what may be said, and of which type it is."""
