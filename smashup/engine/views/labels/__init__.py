"""Labels: the texts of the options of a decision, for the player who decides.

A label is as short as possible. If two options would read the same, details that distinguish them
are added: who controls or owns a card, where it is, what is on it, which permission it uses.
Identical copies keep the same label. A label reveals nothing that the player cannot see.
"""

from smashup.engine.views.labels.options import describe_asker, is_special, label_options

__all__ = ["describe_asker", "is_special", "label_options"]
