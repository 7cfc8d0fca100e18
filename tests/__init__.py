"""The tests, in the same layout as the package."""
