"""The events of a game: one class for each, and what is derived from them.

Rules record every event with `smashup.engine.rules.recording.record`. Lines of the log
(`log_text`) and visible events (`visible_events`) are derived from events by their ids.
"""
