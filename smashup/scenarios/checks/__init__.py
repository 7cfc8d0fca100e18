"""What must hold: one check for each key under «expect»."""
