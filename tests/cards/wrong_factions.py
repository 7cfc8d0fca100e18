"""Faction files with one mistake each in what they declare, and what the check has to say about it.

``#!`` marks the line that the message has to name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

VALID_FACTION: Final = '''\
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
    """The whole content, if it is not a variant of `VALID_FACTION`."""

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.name}.py"
        path.write_bytes(self.content)
        return path

    @property
    def content(self) -> bytes:
        if self.raw is not None:
            return self.raw
        text = VALID_FACTION
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
    """Code that replaces a comment in `VALID_FACTION`, with the same indentation."""
    indent = {"top": "", "rock": "    ", "slide": "        ", "hill": "    "}[place]
    lines = code.strip("\n").split("\n")
    text = "\n".join(indent + line if line else "" for line in lines)
    return ((f"{indent}# {place}\n", f"{text}\n"),)


def wrong(name: str, *parts: str, replace: tuple[tuple[str, str], ...] = ()) -> WrongFaction:
    return WrongFaction(name, parts, replace)


DECLARATIONS: Final = (
    # --- not a faction file -------------------------------------------------------------------
    WrongFaction("empty", ("FACTION",), raw=b""),
    WrongFaction("binary", ("not a Python file",), raw=bytes(range(256)) * 4),
    WrongFaction("latin_1", ("not UTF-8 text",), raw='NAME = "Müller"  #!\n'.encode("latin-1")),
    WrongFaction("prose", ("not valid Python",), raw=b"My faction has ten rocks. #!\n"),
    WrongFaction("null_byte", ("not a Python file",), raw=b"x = 1\x00\n"),
    WrongFaction("no_faction", ("FACTION",), raw=b"x = 1\n"),
    WrongFaction("faction_is_number", ("FACTION", "Faction"), raw=b"FACTION = 3  #!\n"),
    WrongFaction("factions_is_number", ("FACTIONS", "Faction"), raw=b"FACTIONS = 3  #!\n"),
    WrongFaction("factions_is_empty", ("FACTIONS",), raw=b"FACTIONS = ()  #!\n"),
    WrongFaction("utf_16", ("not a Python file",), raw=VALID_FACTION.encode("utf-16")),
    WrongFaction("unknown_encoding", ("UTF-8",),
                 raw=b"# coding: klingon #!\n" + VALID_FACTION.encode()),
    WrongFaction("latin_1_declared", ("UTF-8",),
                 raw=b"# coding: latin-1 #!\n" + VALID_FACTION.encode()),
    WrongFaction("json", ("FACTION",), raw=b'{"name": "Stones"}'),
    WrongFaction("merge_conflict", ("not valid Python", "<<<<<<<"), raw=VALID_FACTION.replace(
        "    power = 2", "<<<<<<< HEAD #!\n    power = 2\n=======\n>>>>>>> b").encode()),
    WrongFaction("late_future_import", ("not valid Python", "__future__"),
                 raw=VALID_FACTION.replace("from __future__ import annotations",
                                           "import math\nfrom __future__ import annotations  #!"
                                           ).encode()),
    WrongFaction("nested_parentheses", ("not valid Python", "…"), raw=(
        VALID_FACTION + "X = " + "(" * 300 + ")" * 300 + "  #!\n").encode()),
    WrongFaction("tabs_and_spaces", ("not valid Python", "tabs"), raw=VALID_FACTION.replace(
        "        me.draw(1)\n", "\tme.draw(1)  #!\n").encode()),
    wrong("misspelled_faction", "FACTION", "FACTOIN", replace=(
        ("FACTION = Faction(", "FACTOIN = Faction(  #!\n    "),)),
    # --- names and types ----------------------------------------------------------------------
    wrong("line_break_in_name", "name", "line break", replace=(
        ('    name = "Rock"', '    name = "Ro\\nck"  #!'),)),
    wrong("surrogate_in_text", "text", "ud800", replace=(
        ('    text = "It lies there."', '    text = "It \\ud800 lies there."  #!'),)),
    wrong("tab_in_faction_name", "name", replace=(('name="Stones",', 'name="Sto\\tnes",'),)),
    wrong("long_name", "name", "60", replace=(('    name = "Rock"', '    name = "R" * 1000  #!'),)),
    wrong("long_text", "text", "800", replace=(
        ('    text = "It lies there."', '    text = "It lies there." * 500  #!'),)),
    wrong("space_after_name", "Rock", "space", replace=(
        ('    name = "Rock"', '    name = "Jumper "  #!'),)),
    wrong("zero_width_name", "Rock", "200b", replace=(
        ('    name = "Rock"', '    name = "Jum\\u200bper"  #!'),)),
    wrong("official_name_decomposed", "Shapeshifters", replace=(
        ('    name = "Rock"', '    name = "Doppelga\\u0308nger"  #!'),)),
    wrong("text_is_bytes", "Rock", "text", replace=(
        ('    text = "It lies there."', '    text = b"It lies there."  #!'),)),
    wrong("name_is_property", "Rock", "name", replace=(
        ('    name = "Rock"', "    name = property(lambda self: 1 / 0)  #!"),)),
    wrong("icon_is_path", "icon", replace=(
        ("bases=(Hill,)", 'bases=(Hill,), icon="../secret.png"'),)),
    wrong("card_icon_is_path", "Rock", "icon", replace=at("rock", 'icon = "a/b.png"  #!')),
    wrong("blurb_is_none", "blurb", replace=(("bases=(Hill,)", "bases=(Hill,), blurb=None"),)),
    wrong("card_listed_twice", "Rock", "twice", replace=(
        ("cards=(Rock, Slide)", "cards=(Rock, Rock)"),)),
    wrong("faction_is_dict", "FACTION", "…", replace=(("FACTION = Faction(", "FACTION = dict("),)),
    wrong("factions_is_faction", "FACTIONS", "tuple", replace=(
        ("FACTION = Faction(", "FACTIONS = Faction("),)),
    wrong("vp_is_list", "Hill", "vp", replace=(("vp = (4, 2, 1)", "vp = [4, 2, 1]  #!"),)),
    wrong("vp_huge", "Hill", "vp", replace=(("vp = (4, 2, 1)", "vp = (4000, 2, 1)  #!"),)),
    wrong("power_huge", "Rock", "power", "…", replace=(("power = 2", "power = 10**60  #!"),)),
    wrong("copies_fraction", "Rock", "copies", replace=at("rock", "copies = 10.0  #!")),
    wrong("minion_as_titan", "Rock", "titans", replace=(
        ("bases=(Hill,)", "bases=(Hill,), titans=(Rock,)"),)),
    wrong("compares_cards", "Rock", "__eq__", replace=at(
        "rock", "def __eq__(self, other: object) -> bool:  #!\n    raise RuntimeError")),
    wrong("creates_nothing", "Rock", "__new__", replace=at(
        "rock", "def __new__(cls):  #!\n    return None")),
    wrong("invents_attributes", "Rock", "__getattr__", replace=at(
        "rock", "def __getattr__(self, name):  #!\n    return getattr(self, name + 'x')")),
    wrong("dataclass", "Rock", "dataclass", replace=(
        ("class Rock(Minion):",
         "import dataclasses\n\n\n@dataclasses.dataclass\nclass Rock(Minion):"),)),
    wrong("init_with_argument", "Rock", "size", replace=at(
        "rock", "def __init__(self, size: int) -> None:\n    self.size = size")),
    wrong("two_types", "Minion", "Action", replace=(
        ("class Rock(Minion):", "class Rock(Minion, Action):  #!"),)),
    wrong("unknown_keyword_of_text", "Rock", "keywords", "talent", "flying", replace=at(
        "rock", 'keywords = "flying ongoing"  #!')),
    wrong("keywords_as_tuple", "Rock", "keywords", replace=at(
        "rock", 'keywords = ("ongoing",)  #!')),
    wrong("power_on_standard_action", "Slide", "power", replace=(
        ('    name = "Slide"', '    name = "Slide"\n    power = 3  #!'),)),
    wrong("no_vp", "Hill", "vp", replace=(
        ("class Hill(BaseCard):", "class Hill(BaseCard):  #!"), ("    vp = (4, 2, 1)\n", ""))),
    wrong("unlisted_class", "Gravel", "No faction lists", replace=(
        ("class Hill", 'class Gravel(Minion):  #!\n    name = "Gravel"\n    power = 1\n'
         '    text = "It is small."\n\n\nclass Hill'),)),
    wrong("official_french_name", "Rock", "Cyborg Apes", replace=at(
        "rock", 'name_fr = "George en furie"  #!')),
    wrong("mentions_unknown_card", "Rock", "Jumpre", "Jumper", replace=at(
        "rock", 'mentions = ("Jumpre",)  #!')),
    wrong("titan_that_cannot_be_played", "Boulder", "can_play_titan_at", replace=(
        ("class Hill", 'from smashup.cards.language import Titan\n\n\nclass Boulder(Titan):  #!\n'
         '    name = "Boulder"\n    text = "It is large."\n\n\nclass Hill'),
        ("bases=(Hill,)", "bases=(Hill,), titans=(Boulder,)"))),
    wrong("three_colors", "colors", replace=(
        ("bases=(Hill,)", 'bases=(Hill,), colors=("#111111", "#222222", "#333333")'),)),
    # --- cannot be imported -------------------------------------------------------------------
    wrong("missing_colon", "not valid Python", replace=(
        ("class Rock(Minion):", "class Rock(Minion)  #!"),)),
    wrong("bad_indent", "not valid Python", replace=(("    power = 2", "      power = 2  #!"),)),
    wrong("missing_module", "no_such_module", replace=at("top", "import no_such_module  #!")),
    wrong("missing_name", "Minoin", "Minion", replace=at(
        "top", "from smashup.cards.language import Minoin  #!")),
    wrong("undefined_name", "Minon", replace=(
        ("class Rock(Minion):", "class Rock(Minon):  #!"),)),
    wrong("raises_at_import", "ZeroDivisionError", replace=at("top", "X = 1 / 0  #!")),
    wrong("exits_at_import", "exit", replace=at("top", "import sys\nsys.exit(0)  #!")),
    wrong("hard_exit_at_import", "exit", replace=at("top", "import os\nos._exit(0)  #!")),
    wrong("loops_at_import", "seconds", replace=at("top", "while True:  #!\n    pass")),
    wrong("input_at_import", "input", replace=at("top", 'ANSWER = input("Name? ")  #!')),
    wrong("text_formatting_raises", "Rock", "TypeError", replace=(
        ('    text = "It lies there."', '    text = "It %s there." % ()  #!'),)),
    wrong("error_without_text", "Odd", replace=at(
        "top", "class Odd(Exception):\n    def __str__(self):\n        raise RuntimeError\n\n"
        "raise Odd  #!")),
    wrong("recursion_at_import", "RecursionError", replace=at("top", "def f():\n    f()  #!\nf()")),
    wrong("sleeps_at_import", "time.sleep", replace=at("top", "import time\ntime.sleep(600)  #!")),
    wrong("prints_at_import", "print", replace=at("top", 'print("hello")  #!')),
    wrong("thread_at_import", "threading", replace=at("top", "import threading  #!")),
    wrong("subprocess_at_import", "subprocess", replace=at(
        "top", "from subprocess import run  #!\nrun(['sleep', '600'])")),
    wrong("changes_engine_class", "Minion", replace=at("top", "Minion.power = 7  #!")),
    wrong("changes_verb", "Card", replace=at("top", 'setattr(Card, "draw", None)  #!')),
    wrong("changes_other_faction", "kaiju", replace=at(
        "top", "from smashup.cards.big_in_japan import kaiju\nkaiju.FACTION = None  #!")),
    # --- Faction(...) -------------------------------------------------------------------------
    wrong("official_name", "Kaiju", replace=(('name="Stones",', 'name="Kaiju",'),)),
    wrong("official_name_other_case", "kaiju", replace=(('name="Stones",', 'name="kaiju ",'),)),
    wrong("no_faction_name", "name", replace=(('name="Stones",', 'name="",'),)),
    wrong("faction_name_number", "name", "int", replace=(('name="Stones",', "name=7,"),)),
    wrong("unknown_argument", "nam", "name", replace=(('name="Stones",', 'nam="Stones",'),)),
    wrong("missing_bases", "bases", replace=((", bases=(Hill,)", ""),)),
    wrong("no_bases", "base", replace=(("bases=(Hill,)", "bases=()"),)),
    wrong("cards_is_class", "cards", replace=(("cards=(Rock, Slide)", "cards=Rock"),)),
    wrong("bases_is_class", "bases", "comma", replace=(("bases=(Hill,)", "bases=(Hill)"),)),
    wrong("cards_are_names", "cards", "Rock", replace=(
        ("cards=(Rock, Slide)", 'cards=("Rock", "Slide")'),)),
    wrong("cards_are_instances", "Rock", replace=(
        ("cards=(Rock, Slide)", "cards=(Rock(), Slide())"),)),
    wrong("base_among_cards", "Hill", replace=(
        ("cards=(Rock, Slide)", "cards=(Rock, Slide, Hill)"),)),
    wrong("bad_colors", "colors", replace=(
        ("bases=(Hill,)", 'bases=(Hill,), colors=("red", "blue")'),)),
    wrong("one_color", "colors", replace=(("bases=(Hill,)", 'bases=(Hill,), colors="#ff0000"'),)),
    wrong("set_name_number", "set_name", replace=(('set_name="Quarry"', "set_name=3"),)),
    wrong("too_few_cards", "19", "20", replace=(
        ("    copies = 10\n    text = \"It", "    copies = 9\n    text = \"It"),)),
    # --- attributes of cards ------------------------------------------------------------------
    wrong("misspelled_power", "Rock", "pwoer", "power", replace=(("power = 2", "pwoer = 5  #!"),)),
    wrong("annotation_only", "Rock", "power", replace=(("power = 2", "power: 5  #!"),)),
    wrong("power_fraction", "Rock", "power", "2.5", replace=(("power = 2", "power = 2.5  #!"),)),
    wrong("power_text", "Rock", "power", replace=(("power = 2", 'power = "2"  #!'),)),
    wrong("power_bool", "Rock", "power", "True", replace=(("power = 2", "power = True  #!"),)),
    wrong("power_negative", "Rock", "power", "-3", replace=(("power = 2", "power = -3  #!"),)),
    wrong("copies_negative", "Rock", "copies", "-1", replace=at("rock", "copies = -1  #!")),
    wrong("copies_huge", "Rock", "copies", replace=at("rock", "copies = 10**9  #!")),
    wrong("special_misspelled", "Slide", "special", "onyl", "only", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    special = "onyl"  #!'),)),
    wrong("special_never", "Slide", "can_play_as_special", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    special = "only"  #!'),)),
    wrong("no_card_name", "Rock", "name", replace=(('    name = "Rock"\n', ""),)),
    wrong("name_number", "Rock", "name", replace=(('name = "Rock"', "name = 12  #!"),)),
    wrong("no_text", "Rock", "text", replace=(('text = "It lies there."', 'text = ""  #!'),)),
    wrong("text_is_tuple", "Rock", "text", replace=(
        ('text = "It lies there."', 'text = "It lies there.",  #!'),)),
    wrong("duplicate_names", "Rock", "Slide", replace=(
        ('name = "Slide"', 'name = "Rock"  #!'),)),
    wrong("duplicate_names_case", "rock", replace=(('name = "Hill"', 'name = "rock"  #!'),)),
    wrong("official_card_name", "Jumper", replace=(('name = "Rock"', 'name = "Jumper"  #!'),)),
    wrong("duplicate_class", "Rock", replace=(
        ("class Slide(Action):", "class Rock(Action):  #!"), ("(Rock, Slide)", "(Rock,)"))),
    wrong("duplicate_method", "Slide", "on_play", replace=(
        ("class Hill", "    def on_play(self, me: Card) -> None:  #!\n        me.draw(2)\n\n\n"
         "class Hill"),)),
    wrong("breakpoint_on_minion", "Rock", "breakpoint", replace=at(
        "rock", "breakpoint = 20  #!")),
    wrong("power_on_base", "Hill", "power", replace=at("hill", "power = 3  #!")),
    wrong("two_vp", "Hill", "vp", replace=(("vp = (4, 2, 1)", "vp = (4, 2)  #!"),)),
    wrong("vp_text", "Hill", "vp", replace=(("vp = (4, 2, 1)", 'vp = ("4", "2", "1")  #!'),)),
    wrong("no_breakpoint", "Hill", "breakpoint", replace=(("    breakpoint = 20\n", ""),)),
    wrong("breakpoint_zero", "Hill", "breakpoint", replace=(
        ("breakpoint = 20", "breakpoint = 0  #!"),)),
    wrong("engine_attribute", "Rock", "hooks", replace=at("rock", "hooks = 3  #!")),
    wrong("hook_names_as_text", "Rock", "special_abilities", replace=at(
        "rock", 'special_abilities = ("talent",)  #!')),
    wrong("type_changed", "Rock", "type", replace=at("rock", "type = 2  #!")),
    wrong("instead_of_class", "Rock", "Minion", replace=(
        ("class Rock(Minion):", "class Rock:  #!"),)),
    wrong("init_raises", "Rock", "ValueError", replace=at(
        "rock", "def __init__(self) -> None:\n    raise ValueError('no')  #!")),
    wrong("printing_raises", "Rock", "apply_current_printing", replace=at(
        "rock", "def apply_current_printing(self) -> None:\n    self.pwoer.x = 3  #!")),
    wrong("printing_misspelled", "Rock", "pwoer", "power", replace=at(
        "rock", "def apply_current_printing(self) -> None:\n    self.pwoer = 3  #!")),
    # --- names and signatures of abilities ----------------------------------------------------
    wrong("play_instead_of_on_play", "Rock", "play", "on_play", replace=at(
        "rock", "def play(self, me: Card) -> None:  #!\n    me.draw(1)")),
    wrong("misspelled_hook", "Rock", "after_plya", "after_play", replace=at(
        "rock", "def after_plya(self, me: Card, ev: Event) -> None:  #!\n    me.draw(1)")),
    wrong("misspelled_condition", "Rock", "talent_fi", "talent_if", replace=at(
        "rock", "def talent(self, me: Card) -> None:\n    me.draw(1)\n\n"
        "def talent_fi(self, me: Card) -> bool:  #!\n    return True")),
    wrong("condition_alone", "Rock", "talent_if", "talent", replace=at(
        "rock", "def talent_if(self, me: Card) -> bool:  #!\n    return False")),
    wrong("old_name", "Rock", "played", "on_play", replace=at(
        "rock", "def played(self, me: Card) -> None:  #!\n    me.draw(1)")),
    wrong("missing_self", "Rock", "talent", replace=at(
        "rock", "def talent(me: Card) -> None:  #!\n    me.draw(1)")),
    wrong("missing_event", "Rock", "after_play", replace=at(
        "rock", "def after_play(self, me: Card) -> None:  #!\n    me.draw(1)")),
    wrong("too_many_parameters", "Rock", "on_play", replace=at(
        "rock", "def on_play(self, me: Card, ev: Event) -> None:  #!\n    me.draw(1)")),
    wrong("ability_is_value", "Rock", "power_bonus", replace=at("rock", "power_bonus = 2  #!")),
    wrong("generator", "Rock", "talent", "yield", replace=at(
        "rock", "def talent(self, me: Card) -> None:  #!\n    yield me.draw(1)")),
    wrong("async_ability", "Rock", "talent", "async", replace=at(
        "rock", "async def talent(self, me: Card) -> None:  #!\n    me.draw(1)")),
    wrong("bonus_for_the_host_of_a_minion", "Rock", "host_bonus", "no meaning", replace=at(
        "rock", "def host_bonus(self, me: Card, host: Card) -> int:  #!\n    return 2")),
    wrong("talent_of_a_base", "Hill", "talent", "no meaning", replace=at(
        "hill", "def talent(self, me: Card) -> None:  #!\n    me.draw(1)")),
    wrong("action_without_ability", "Slide", "on_play", "no effect", replace=(
        ("class Slide(Action):", "class Slide(Action):  #!"),
        ("    def on_play(self, me: Card) -> None:\n        me.draw(1)\n", ""))),
    wrong("talent_only_in_text", "Rock", "Talent", replace=(
        ('text = "It lies there."', 'text = "Talent: draw a card."  #!'),)),
    wrong("talent_without_effect", "Rock", "talent", "no effect", replace=at(
        "rock", 'def talent(self, me: Card) -> None:  #!\n    """Draw a card."""')),
    wrong("talent_that_only_looks", "Rock", "talent", "no effect", replace=at(
        "rock", "def talent(self, me: Card) -> None:  #!\n"
        "    total = sum(minion.power for minion in me.minions(YOURS))")),
    wrong("talent_that_only_asks", "Rock", "talent", "no effect", replace=at(
        "rock", "def talent(self, me: Card) -> None:  #!\n"
        '    while me.controller.may("Again?"):\n        pass')),
    wrong("static_ability", "Rock", "talent", replace=at(
        "rock", "@staticmethod  #!\ndef talent(me: Card) -> None:\n    me.draw(1)")),
)  # fmt: skip
