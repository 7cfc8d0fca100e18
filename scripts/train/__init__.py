"""Training of the network that evaluates positions: ``python -m scripts.train --help``."""
