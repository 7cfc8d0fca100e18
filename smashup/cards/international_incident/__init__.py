"""International Incident (2019)."""
