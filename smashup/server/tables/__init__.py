"""Tables in memory: seats, answers, undo, clocks, Specials windows and chat."""
