"""The schema of scenario files: allowed keys and the types of their values."""
