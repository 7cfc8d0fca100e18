"""Label drafts: adding the details that distinguish each option from the others."""

from __future__ import annotations

from typing import Any

from smashup.engine.model.constants import MINION
from smashup.engine.model.messages import Message
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.rules.permissions import describe_restrictions
from smashup.engine.views.labels.subjects import PLACE, Subject, Trait, join, signature


class LabelDraft:
    """A label to which details can be added."""

    __slots__ = (
        "_message", "details", "is_asker", "is_card", "label", "permission", "subjects", "traits",
        "value",
    )  # fmt: skip

    def __init__(self, label: Message, value: Any = None) -> None:
        self.label = label
        """Its text, with placeholders for its cards."""
        self.value = value
        """What the outcome of the option depends on, in addition to its cards."""
        self.subjects: dict[str, Subject] = {}
        """The cards it names, by placeholder."""
        self.is_card = False
        """Whether the whole label describes its card."""
        self.is_asker = False
        """Whether it is for a card that asks: copies ask one by one, so even identical ones are
        numbered."""
        self.details: list[Message] = []
        self.traits: list[Trait] = []
        """Details that may distinguish it and were not added yet."""
        self.permission: PlayPermission | None = None
        """The permission of a play."""
        self._message: Message | None = None
        """The message so far, if no detail was added since."""

    def message(self) -> Message:
        if self._message is None:
            self._message = self._make_message()
        return self._message

    def _make_message(self) -> Message:
        if self.is_card:
            host = self.subjects.get("host")
            label = self.subjects["card"].describe(host.name() if host is not None else None)
        else:
            args = dict(self.label.args)
            for gap, subject in self.subjects.items():
                args[gap] = subject.name()
            label = Message(self.label.text, args)
        for detail in self.details:
            label = Message("{label}, {detail}", {"label": label, "detail": detail})
        return label

    def collect_traits(self) -> None:
        """Collect details of its cards, once another label reads the same."""
        found = [x for gap, subject in self.subjects.items() for x in subject.traits(gap)]
        if self.is_asker:
            found = [x for x in found if x.key != "card asking"]
        if self.permission is not None:
            self._add_permission(self.permission)
        self.traits = [*found, *self.traits]

    def _add_permission(self, permission: PlayPermission) -> None:
        """Add what a permission demands, and which regular play it uses."""
        regular: Message | None = None
        if permission.is_normal:
            text = "instead of a minion" if permission.types == MINION else "instead of an action"
            regular = Message(text, {})
        table = self.subjects["card"].t
        notes = [x for x in describe_restrictions(table, permission) if x.text != "by {card}"]
        demands = Message("{details}", {"details": join(notes)}) if notes else None
        self.traits += [Trait("regular", regular), Trait("demands", demands)]
        follow_up = permission.follow_up.name if permission.follow_up is not None else ""
        self.value = (
            permission.types,
            permission.is_normal,
            [str(note) for note in notes],
            follow_up,
            permission.once_per_turn_key,
        )

    def take_trait(self, key: str) -> Trait | None:
        for trait in self.traits:
            if trait.key == key:
                self.traits.remove(trait)
                return trait
        return None

    def add_detail(self, words: Message, subject: Subject | None) -> None:
        (self.details if subject is None else subject.details).append(words)
        self._message = None

    def locate(self, subject: Subject) -> None:
        """Describe one of its cards in full."""
        subject.is_located = True
        self._message = None

    def signature(self) -> tuple[Any, ...]:
        """Return what determines the outcome; a card that is not visible is unlike any other."""
        cards = [
            (x.card,) if x.is_hidden() else signature(x.t, x.card, x.viewer)
            for x in self.subjects.values()
        ]
        return (cards, self.value)


def tell_apart(drafts: list[LabelDraft]) -> None:
    """Add details to labels that read the same but have different outcomes."""
    for group in _alike(drafts):
        for draft in group:
            draft.collect_traits()
        _refine(group)


def _alike(drafts: list[LabelDraft]) -> list[list[LabelDraft]]:
    """Return groups of several drafts that read the same."""
    if len(drafts) < 2:
        return []
    by_label: dict[str, list[LabelDraft]] = {}
    for draft in drafts:
        by_label.setdefault(str(draft.message()), []).append(draft)
    return [group for group in by_label.values() if len(group) > 1]


def _refine(group: list[LabelDraft]) -> None:
    """Add details that differ within a group: one, then as many more as needed.

    If the difference has no words, the options are numbered.
    """
    for key in [trait.key for trait in group[0].traits]:
        if _say_trait(group, key):
            for rest in _alike(group):
                _refine(rest)
            return
    signatures = [draft.signature() for draft in group]
    if group[0].is_asker or any(x != signatures[0] for x in signatures[1:]):
        for number, draft in enumerate(group, 1):
            words = Message("{number} of {count}", {"number": number, "count": len(group)})
            draft.add_detail(words, draft.subjects["card"] if draft.is_card else None)


def _say_trait(group: list[LabelDraft], key: str) -> bool:
    """Add a detail to all of a group, if it distinguishes some of them."""
    traits = [draft.take_trait(key) for draft in group]
    if len({str(trait.words) if trait is not None else "" for trait in traits}) < 2:
        return False
    for draft, trait in zip(group, traits, strict=True):
        if trait is None or trait.words is None:
            continue
        if trait.subject is not None and key.endswith(PLACE):
            draft.locate(trait.subject)
        else:
            draft.add_detail(trait.words, trait.subject)
    return True
