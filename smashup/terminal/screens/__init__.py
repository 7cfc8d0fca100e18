"""What the terminal shows: renderables for Rich."""
