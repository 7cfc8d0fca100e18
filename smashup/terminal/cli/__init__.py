"""The command line: parsers, options and what they set up."""
