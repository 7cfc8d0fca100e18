"""Running a server: settings, logging, metrics, maintenance and reports."""
