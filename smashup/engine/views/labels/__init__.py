"""Labels: what each option of a decision means, in words for the player who decides.

A label says as little as it can. Where two options would read the same, whatever tells them apart
is added: who controls or owns a card, where it is, what is on it, by what right it is played.
Copies that differ in nothing keep the same label. Nothing is said that the player cannot see.
"""

from smashup.engine.views.labels.options import describe_asker, is_special, label_options

__all__ = ["describe_asker", "is_special", "label_options"]
