"""Actions of the server at a table: bot moves, automatic answers and clocks."""
