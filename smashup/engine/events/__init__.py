"""What happens at a table: one class for each thing, and what is derived from it.

Rules record every event with `smashup.engine.rules.recording.record`. Lines of the log
(`log_text`) and steps to animate (`visible_events`) are derived from events by their ids.
"""
