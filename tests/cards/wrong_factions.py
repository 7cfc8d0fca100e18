"""Faction files with one mistake each, and what the check has to say about it.

``#!`` marks the line that the message has to name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

GOOD: Final = '''\
"""Stones: a small faction without mistakes."""

from __future__ import annotations

from smashup.cards.language import (
    OTHERS, YOURS, Action, ActionOnMinion, Base, BaseCard, Card, Cause, Event, Faction, Minion,
    Player,
)
# top


class Rock(Minion):
    name = "Rock"
    power = 2
    copies = 10
    text = "It lies there."
    # rock


class Slide(Action):
    name = "Slide"
    copies = 10
    text = "Draw a card."

    def on_play(self, me: Card) -> None:
        me.draw(1)
        # slide


class Hill(BaseCard):
    name = "Hill"
    breakpoint = 20
    vp = (4, 2, 1)
    text = "Nothing happens here."
    # hill


FACTION = Faction(name="Stones", set_name="Quarry", cards=(Rock, Slide), bases=(Hill,))
'''
MARK: Final = "#!"


@dataclass(frozen=True)
class WrongFaction:
    """A faction file with one mistake."""

    name: str
    parts: tuple[str, ...]
    """What the message has to contain, besides the file and the marked line."""
    replace: tuple[tuple[str, str], ...] = ()
    raw: bytes | None = None
    """The whole content, where it is not a variant of `GOOD`."""

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.name}.py"
        path.write_bytes(self.content)
        return path

    @property
    def content(self) -> bytes:
        if self.raw is not None:
            return self.raw
        text = GOOD
        for old, new in self.replace:
            assert text.count(old) == 1, (self.name, old)
            text = text.replace(old, new)
        return text.encode()

    @property
    def line(self) -> int:
        """The marked line; 0 if none is marked."""
        for number, line in enumerate(self.content.splitlines(), 1):
            if MARK.encode() in line:
                return number
        return 0


def at(place: str, code: str) -> tuple[tuple[str, str], ...]:
    """Code that takes the place of a comment in `GOOD`, indented like it."""
    indent = {"top": "", "rock": "    ", "slide": "        ", "hill": "    "}[place]
    lines = code.strip("\n").split("\n")
    text = "\n".join(indent + line if line else "" for line in lines)
    return ((f"{indent}# {place}\n", f"{text}\n"),)


def _wrong(name: str, *parts: str, replace: tuple[tuple[str, str], ...] = ()) -> WrongFaction:
    return WrongFaction(name, parts, replace)


FILES: Final = (
    # --- not a faction file ---------------------------------------------------------------
    WrongFaction("empty", ("FACTION",), raw=b""),
    WrongFaction("binary", ("not a Python file",), raw=bytes(range(256)) * 4),
    WrongFaction("latin_1", ("UTF-8",), raw='NAME = "Müller"\n'.encode("latin-1")),
    WrongFaction("prose", ("not valid Python",), raw=b"My faction has ten rocks. #!\n"),
    WrongFaction("null_byte", ("not a Python file",), raw=b"x = 1\x00\n"),
    WrongFaction("no_faction", ("FACTION",), raw=b"x = 1\n"),
    WrongFaction("faction_is_number", ("FACTION", "Faction"), raw=b"FACTION = 3  #!\n"),
    WrongFaction("factions_is_number", ("FACTIONS", "Faction"), raw=b"FACTIONS = 3  #!\n"),
    WrongFaction("factions_is_empty", ("FACTIONS",), raw=b"FACTIONS = ()  #!\n"),
    _wrong("misspelled_faction", "FACTION", replace=(("FACTION = ", "FACTOIN = "),)),
    # --- cannot be imported -----------------------------------------------------------------
    _wrong("missing_colon", "not valid Python", replace=(
        ("class Rock(Minion):", "class Rock(Minion)  #!"),)),
    _wrong("bad_indent", "not valid Python", replace=(("    power = 2", "      power = 2  #!"),)),
    _wrong("missing_module", "no_such_module", replace=at("top", "import no_such_module  #!")),
    _wrong("missing_name", "Minoin", "Minion", replace=at(
        "top", "from smashup.cards.language import Minoin  #!")),
    _wrong("undefined_name", "Minon", replace=(
        ("class Rock(Minion):", "class Rock(Minon):  #!"),)),
    _wrong("raises_at_import", "ZeroDivisionError", replace=at("top", "X = 1 / 0  #!")),
    _wrong("exits_at_import", "exit", replace=at("top", "import sys\nsys.exit(0)  #!")),
    _wrong("hard_exit_at_import", "exit", replace=at("top", "import os\nos._exit(0)  #!")),
    _wrong("loops_at_import", "seconds", replace=at("top", "while True:  #!\n    pass")),
    _wrong("input_at_import", "input", replace=at("top", 'ANSWER = input("Name? ")  #!')),
    # --- Faction(...) ------------------------------------------------------------------------
    _wrong("official_name", "Kaiju", replace=(('name="Stones",', 'name="Kaiju",'),)),
    _wrong("official_name_other_case", "kaiju", replace=(('name="Stones",', 'name="kaiju ",'),)),
    _wrong("no_faction_name", "name", replace=(('name="Stones",', 'name="",'),)),
    _wrong("faction_name_number", "name", "int", replace=(('name="Stones",', "name=7,"),)),
    _wrong("unknown_argument", "nam", "name", replace=(('name="Stones",', 'nam="Stones",'),)),
    _wrong("missing_bases", "bases", replace=((", bases=(Hill,)", ""),)),
    _wrong("no_bases", "base", replace=(("bases=(Hill,)", "bases=()"),)),
    _wrong("cards_is_class", "cards", replace=(("cards=(Rock, Slide)", "cards=Rock"),)),
    _wrong("bases_is_class", "bases", "comma", replace=(("bases=(Hill,)", "bases=(Hill)"),)),
    _wrong("cards_are_names", "cards", "Rock", replace=(
        ("cards=(Rock, Slide)", 'cards=("Rock", "Slide")'),)),
    _wrong("cards_are_instances", "Rock", replace=(
        ("cards=(Rock, Slide)", "cards=(Rock(), Slide())"),)),
    _wrong("base_among_cards", "Hill", replace=(
        ("cards=(Rock, Slide)", "cards=(Rock, Slide, Hill)"),)),
    _wrong("bad_colors", "colors", replace=(
        ("bases=(Hill,)", 'bases=(Hill,), colors=("red", "blue")'),)),
    _wrong("one_color", "colors", replace=(("bases=(Hill,)", 'bases=(Hill,), colors="#ff0000"'),)),
    _wrong("set_name_number", "set_name", replace=(('set_name="Quarry"', "set_name=3"),)),
    _wrong("too_few_cards", "19", "20", replace=(
        ("    copies = 10\n    text = \"It", "    copies = 9\n    text = \"It"),)),
    # --- attributes of cards -------------------------------------------------------------------
    _wrong("misspelled_power", "Rock", "pwoer", "power", replace=(("power = 2", "pwoer = 5  #!"),)),
    _wrong("annotation_only", "Rock", "power", replace=(("power = 2", "power: 5  #!"),)),
    _wrong("power_fraction", "Rock", "power", "2.5", replace=(("power = 2", "power = 2.5  #!"),)),
    _wrong("power_text", "Rock", "power", replace=(("power = 2", 'power = "2"  #!'),)),
    _wrong("power_bool", "Rock", "power", "True", replace=(("power = 2", "power = True  #!"),)),
    _wrong("power_negative", "Rock", "power", "-3", replace=(("power = 2", "power = -3  #!"),)),
    _wrong("copies_negative", "Rock", "copies", "-1", replace=at("rock", "copies = -1  #!")),
    _wrong("copies_huge", "Rock", "copies", replace=at("rock", "copies = 10**9  #!")),
    _wrong("special_misspelled", "Slide", "special", "onyl", "only", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    special = "onyl"  #!'),)),
    _wrong("special_never", "Slide", "can_play_as_special", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    special = "only"  #!'),)),
    _wrong("no_card_name", "Rock", "name", replace=(('    name = "Rock"\n', ""),)),
    _wrong("name_number", "Rock", "name", replace=(('name = "Rock"', "name = 12  #!"),)),
    _wrong("no_text", "Rock", "text", replace=(('text = "It lies there."', 'text = ""  #!'),)),
    _wrong("text_is_tuple", "Rock", "text", replace=(
        ('text = "It lies there."', 'text = "It lies there.",  #!'),)),
    _wrong("duplicate_names", "Rock", "Slide", replace=(
        ('name = "Slide"', 'name = "Rock"  #!'),)),
    _wrong("duplicate_names_case", "rock", replace=(('name = "Hill"', 'name = "rock"  #!'),)),
    _wrong("official_card_name", "Jumper", replace=(('name = "Rock"', 'name = "Jumper"  #!'),)),
    _wrong("duplicate_class", "Rock", replace=(
        ("class Slide(Action):", "class Rock(Action):  #!"), ("(Rock, Slide)", "(Rock,)"))),
    _wrong("duplicate_method", "Slide", "on_play", replace=(
        ("class Hill", "    def on_play(self, me: Card) -> None:  #!\n        me.draw(2)\n\n\n"
         "class Hill"),)),
    _wrong("breakpoint_on_minion", "Rock", "breakpoint", replace=at(
        "rock", "breakpoint = 20  #!")),
    _wrong("power_on_base", "Hill", "power", replace=at("hill", "power = 3  #!")),
    _wrong("two_vp", "Hill", "vp", replace=(("vp = (4, 2, 1)", "vp = (4, 2)  #!"),)),
    _wrong("vp_text", "Hill", "vp", replace=(("vp = (4, 2, 1)", 'vp = ("4", "2", "1")  #!'),)),
    _wrong("no_breakpoint", "Hill", "breakpoint", replace=(("    breakpoint = 20\n", ""),)),
    _wrong("breakpoint_zero", "Hill", "breakpoint", replace=(
        ("breakpoint = 20", "breakpoint = 0  #!"),)),
    _wrong("engine_attribute", "Rock", "hooks", replace=at("rock", "hooks = 3  #!")),
    _wrong("hook_names_as_text", "Rock", "special_abilities", replace=at(
        "rock", 'special_abilities = ("talent",)  #!')),
    _wrong("type_changed", "Rock", "type", replace=at("rock", "type = 2  #!")),
    _wrong("instead_of_class", "Rock", "Minion", replace=(
        ("class Rock(Minion):", "class Rock:  #!"),)),
    _wrong("init_raises", "Rock", "ValueError", replace=at(
        "rock", "def __init__(self) -> None:\n    raise ValueError('no')  #!")),
    _wrong("printing_raises", "Rock", "apply_current_printing", replace=at(
        "rock", "def apply_current_printing(self) -> None:\n    self.pwoer.x = 3  #!")),
    _wrong("printing_misspelled", "Rock", "pwoer", "power", replace=at(
        "rock", "def apply_current_printing(self) -> None:\n    self.pwoer = 3  #!")),
    # --- names and signatures of abilities --------------------------------------------------------
    _wrong("play_instead_of_on_play", "Rock", "play", "on_play", replace=at(
        "rock", "def play(self, me: Card) -> None:  #!\n    me.draw(1)")),
    _wrong("misspelled_hook", "Rock", "after_plya", "after_play", replace=at(
        "rock", "def after_plya(self, me: Card, ev: Event) -> None:  #!\n    me.draw(1)")),
    _wrong("misspelled_condition", "Rock", "talent_fi", "talent_if", replace=at(
        "rock", "def talent(self, me: Card) -> None:\n    me.draw(1)\n\n"
        "def talent_fi(self, me: Card) -> bool:  #!\n    return True")),
    _wrong("condition_alone", "Rock", "talent_if", "talent", replace=at(
        "rock", "def talent_if(self, me: Card) -> bool:  #!\n    return False")),
    _wrong("old_name", "Rock", "played", "on_play", replace=at(
        "rock", "def played(self, me: Card) -> None:  #!\n    me.draw(1)")),
    _wrong("missing_self", "Rock", "talent", replace=at(
        "rock", "def talent(me: Card) -> None:  #!\n    me.draw(1)")),
    _wrong("missing_event", "Rock", "after_play", replace=at(
        "rock", "def after_play(self, me: Card) -> None:  #!\n    me.draw(1)")),
    _wrong("too_many_parameters", "Rock", "on_play", replace=at(
        "rock", "def on_play(self, me: Card, ev: Event) -> None:  #!\n    me.draw(1)")),
    _wrong("ability_is_value", "Rock", "power_bonus", replace=at("rock", "power_bonus = 2  #!")),
    _wrong("generator", "Rock", "talent", "yield", replace=at(
        "rock", "def talent(self, me: Card) -> None:  #!\n    yield me.draw(1)")),
    _wrong("async_ability", "Rock", "talent", "async", replace=at(
        "rock", "async def talent(self, me: Card) -> None:  #!\n    me.draw(1)")),
    _wrong("static_ability", "Rock", "talent", replace=at(
        "rock", "@staticmethod  #!\ndef talent(me: Card) -> None:\n    me.draw(1)")),
    # --- what abilities do --------------------------------------------------------------------
    _wrong("unknown_verb", "Slide", "on_play", "destory", "destroy", replace=at(
        "slide", 'me.destory(me.target("Which?", me.minions(OTHERS)))  #!')),
    _wrong("unknown_player_verb", "Slide", "on_play", "gain_pv", "gain_vp", replace=at(
        "slide", "me.controller.gain_pv(1)  #!")),
    _wrong("unknown_verb_rarely", "Slide", "on_play", "explode", replace=at(
        "slide", "if me.controller.vp > 14 and len(me.controller.hand) > 9:\n"
        "    me.explode()  #!")),
    _wrong("unknown_event_field", "Rock", "after_play", "minoin", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n    print(ev.minoin)  #!")),
    _wrong("old_verb", "Slide", "on_play", "shuffle_into_deck", "put", replace=at(
        "slide", "me.shuffle_into_deck(me.minions(YOURS))  #!")),
    _wrong("undefined_variable", "Slide", "on_play", "targte", replace=at(
        "slide", "me.destroy(targte)  #!")),
    _wrong("wrong_argument", "Slide", "on_play", "TypeError", replace=at(
        "slide", 'me.draw("two")  #!')),
    _wrong("unknown_keyword", "Slide", "on_play", "TypeError", replace=at(
        "slide", "me.draw(amount=2)  #!")),
    _wrong("raises", "Slide", "on_play", "ZeroDivisionError", replace=at(
        "slide", "me.draw(1 // 0)  #!")),
    _wrong("raises_in_helper", "Slide", "on_play", "KeyError", replace=(
        ("# top", "def count(me: Card) -> int:\n    return {}[me.name]  #!"),
        ("        # slide", "        me.draw(count(me))"))),
    _wrong("raises_in_condition", "Rock", "after_play_if", "ValueError", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n    me.draw(1)\n\n"
        "def after_play_if(self, me: Card, ev: Event) -> bool:\n    raise ValueError('no')  #!")),
    _wrong("exits_in_ability", "Slide", "on_play", "exit", replace=at(
        "slide", "raise SystemExit  #!")),
    _wrong("infinite_recursion", "Slide", "on_play", "RecursionError", replace=at(
        "slide", "self.on_play(me)  #!")),
    _wrong("loops_forever", "Slide", "on_play", "seconds", replace=at(
        "slide", "while True: me.minions(YOURS)  #!")),
    _wrong("loops_and_swallows", "Slide", "on_play", "seconds", replace=at(
        "slide", "while True:\n    try:\n        me.draw(0)\n    except BaseException:\n"
        "        pass")),
    _wrong("query_loops", "Rock", "power_bonus", "seconds", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    n = 0\n"
        "    while n >= 0:\n        n += 1\n    return n")),
    _wrong("asks_endlessly", "Slide", "on_play", "questions", replace=at(
        "slide", 'while True:\n    me.choose_mode("Left", "Right")  #!')),
    _wrong("game_never_ends", "Rock", "forbids_scoring", "does not end", replace=at(
        "rock", "def forbids_scoring(self, me: Card, base: Base) -> bool:\n    return True")),
    _wrong("query_asks", "Rock", "power_bonus", "question", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n"
        '    return 1 if me.controller.may("Stronger?") else 0  #!')),
    _wrong("query_acts", "Rock", "power_bonus", "draw", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    me.draw(1)  #!\n    return 0")),
    _wrong("bonus_is_none", "Rock", "power_bonus", "None", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    2")),
    _wrong("bonus_is_fraction", "Rock", "power_bonus", "float", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    return 0.5")),
    _wrong("uses_random", "Slide", "on_play", "random", "pick_random", replace=(
        ("# top", "import random"),
        ("        # slide", "        me.draw(random.randrange(3))  #!"))),
    _wrong("uses_clock", "Slide", "on_play", "time", replace=(
        ("# top", "import time"),
        ("        # slide", "        me.draw(int(time.time()) % 2)  #!"))),
    _wrong("state_on_self", "Slide", "on_play", "count", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    count = 0'),
        ("        # slide", "        self.count += 1  #!\n        me.draw(self.count % 3)"))),
    _wrong("state_on_class", "Slide", "on_play", "count", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    count = 0'),
        ("        # slide", "        Slide.count += 1  #!\n        me.draw(Slide.count % 3)"))),
    _wrong("state_in_list", "Slide", "on_play", "SEEN", replace=(
        ("# top", "SEEN: list[int] = []"),
        ("        # slide", "        SEEN.append(me.id)  #!\n        me.draw(len(SEEN) % 2)"))),
    _wrong("state_in_global", "on_play", "Slide", "total", replace=(
        ("# top", "total = 0"),
        ("        # slide", "        global total  #!\n        total += 1"))),
    _wrong("state_in_closure", "seen", replace=(
        ("# top", "def remember():\n    seen = []\n    def note(card):\n"
         "        seen.append(card)  #!\n        return len(seen)\n    return note\n\n"
         "note = remember()"),
        ("        # slide", "        me.draw(note(me) % 2)"))),
    _wrong("state_in_default", "Slide", "on_play", "seen", replace=(
        ("    def on_play(self, me: Card) -> None:\n        me.draw(1)",
         "    def on_play(self, me: Card, seen=[]) -> None:\n"
         "        seen.append(me.id)  #!\n        me.draw(len(seen) % 2)"),)),
    _wrong("mutates_event", "Rock", "after_play", "amount", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n    ev.amount = 5  #!")),
    _wrong("mutates_event_list", "Rock", "after_play", "affected", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n"
        "    ev.affected.append(me)  #!")),
    _wrong("sets_power", "Slide", "on_play", "power", replace=at(
        "slide", "for minion in me.minions(YOURS):\n    minion.power = 9  #!")),
    _wrong("sets_vp", "Slide", "on_play", "vp", replace=at(
        "slide", "me.controller.vp += 1  #!")),
    _wrong("writes_state", "Slide", "on_play", "table", replace=at(
        "slide", "me.table.state.vp[me.controller.index] += 1  #!")),
    _wrong("leaks_hand_count", "Rock", "power_bonus", "power", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n"
        "    others = me.controller.other_players()\n"
        "    return sum(card.is_minion for other in others for card in other.hand)")),
    _wrong("leaks_by_drawing", "Slide", "on_play", "hidden", "event.cards", replace=at(
        "slide", "for other in me.controller.other_players():\n"
        "    me.draw(sum(card.is_minion for card in other.hand))")),
    _wrong("leaks_own_deck", "Slide", "on_play", "hidden", replace=at(
        "slide", "if me.controller.deck_cards() and me.controller.deck_cards()[0].is_minion:\n"
        "    me.controller.gain_vp(1)")),
)  # fmt: skip
