"""Faction files whose code reaches beyond the table, and what the check has to say about it.

``#!`` marks the line that the message has to name.
"""

from __future__ import annotations

from typing import Final

from tests.cards.wrong_factions import VALID_FACTION, WrongFaction, at, wrong

DECLARATION: Final = VALID_FACTION[VALID_FACTION.index("FACTION = ") :].rstrip("\n")


def with_helper(name: str, *parts: str, top: str, slide: str, rock: str = "# rock") -> WrongFaction:
    """A file with a mistake in code before the classes, or in an ability that uses it."""
    return wrong(name, *parts, replace=(*at("top", top), *at("rock", rock), *at("slide", slide)))


CODE: Final = (
    # --- state --------------------------------------------------------------------------------
    wrong("state_in_class_dict", "Slide", "on_play", "self.SEEN", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    SEEN = {}'),
        ("        # slide", "        self.SEEN[me.id] = 1  #!"))),
    wrong("state_in_class_list_by_alias", "Slide", "on_play", "self.SEEN", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    SEEN = []'),
        ("        # slide", "        seen = self.SEEN\n        seen.append(me.id)  #!"))),
    with_helper("state_by_alias", "Slide", "on_play", "SEEN", top="SEEN: list[int] = []",
                slide="seen = SEEN\nseen.append(me.id)  #!\nme.draw(len(seen) % 2)"),
    with_helper("state_by_augmented_alias", "Slide", "on_play", "SEEN", top="SEEN = [0]",
                slide="seen = SEEN\nseen += [me.id]  #!\nme.draw(len(seen) % 2)"),
    with_helper("state_in_defaultdict", "Slide", "on_play", "COUNT",
                top="from collections import defaultdict\nCOUNT = defaultdict(int)",
                slide="COUNT[me.id] += 1  #!"),
    with_helper("state_in_counter", "Slide", "on_play", "COUNT",
                top="from collections import Counter\nCOUNT = Counter()",
                slide="COUNT.subtract([me.id])  #!"),
    with_helper("state_on_function", "Slide", "on_play", "helper.count",
                top="def helper() -> None: ...", slide="helper.count = 1  #!"),
    wrong("state_on_card", "Slide", "on_play", "seen", replace=at("slide", "me.seen = True  #!")),
    wrong("state_on_definition", "Slide", "on_play", "power", "definition", replace=at(
        "slide", "me.definition.power = 5  #!")),
    wrong("state_on_definition_by_alias", "Slide", "on_play", "power", "definition", replace=at(
        "slide", "card = me.definition\ncard.power = 5  #!")),
    with_helper("state_in_cached_property", "Rock", "weight", "cached_property",
                top="from functools import cached_property", slide="# slide",
                rock="@cached_property  #!\ndef weight(self) -> int:\n    return 1\n\n"
                "def power_bonus(self, me: Card) -> int:\n    return self.weight"),
    with_helper("state_in_cache", "lru_cache", slide="me.draw(count(me.id) % 2)",
                top="from functools import lru_cache\n\n@lru_cache(maxsize=9)  #!\n"
                "def count(number: int) -> int:\n    return number"),
    with_helper("state_in_generator", "Slide", "on_play", "TURNS",
                top="def numbers():\n    n = 0\n    while True:\n        n += 1\n"
                "        yield n\n\nTURNS = numbers()",
                slide="me.draw(TURNS.send(None) % 2)  #!"),
    with_helper("state_in_object", "Memory", "self.count", slide="me.draw(MEMORY.add() % 2)",
                top="class Memory:\n    count = 0\n\n    def add(self) -> int:\n"
                "        self.count += 1  #!\n        return self.count\n\nMEMORY = Memory()"),
    wrong("state_in_vars", "Slide", "on_play", "vars", replace=at(
        "slide", "vars(self)['seen'] = 1  #!")),
    wrong("state_in_dict", "Slide", "on_play", "__dict__", replace=at(
        "slide", "self.__dict__['seen'] = 1  #!")),
    wrong("state_by_object_setattr", "Slide", "on_play", "self", replace=at(
        "slide", "object.__setattr__(self, 'seen', 1)  #!")),
    wrong("deletes_state", "Slide", "on_play", "table", replace=at(
        "slide", "del me.table.state  #!")),
    wrong("deletes_power", "Slide", "on_play", "power", replace=at("slide", "del me.power  #!")),
    wrong("deletes_class_attribute", "Slide", "on_play", "type(self).text", replace=at(
        "slide", "del type(self).text  #!")),
    wrong("clears_hand", "Slide", "on_play", "hand", replace=at(
        "slide", "me.controller.hand.clear()  #!")),
    wrong("deletes_from_hand", "Slide", "on_play", "hand", replace=at(
        "slide", "if me.controller.hand:\n    del me.controller.hand[0]  #!")),
    with_helper("state_in_lambda", "NOTE", "SEEN", slide="me.draw(NOTE(me.id) or 1)",
                top="SEEN = []\nNOTE = lambda card: SEEN.append(card)  #!"),
    # --- changes of the program ---------------------------------------------------------------
    wrong("patches_in_ability", "Slide", "on_play", "Minion", replace=at(
        "slide", "Minion.power = 7  #!")),
    wrong("patches_by_setattr", "Slide", "on_play", "Minion", replace=at(
        "slide", "setattr(Minion, 'power', 7)  #!")),
    wrong("patches_by_type_setattr", "Minion", replace=at(
        "top", "type.__setattr__(Minion, 'power', 7)  #!")),
    wrong("patches_in_function", "Minion", replace=at(
        "top", "def patch() -> None:\n    Minion.power = 9  #!\n\npatch()")),
    wrong("patches_in_loop", "cls", replace=at(
        "top", "for cls in (Minion, Action):\n    cls.power = 3  #!")),
    wrong("patches_engine", "engine", replace=at(
        "top", "import smashup.engine.game as engine\nengine.Game = None  #!")),
    wrong("patches_builtins", "builtins", replace=at(
        "top", "import builtins\nbuiltins.len = lambda x: 0  #!")),
    wrong("patches_random", "random", replace=at(
        "top", "import random\nrandom.random = lambda: 0.5  #!")),
    wrong("replaces_module", "sys.modules", replace=at(
        "top", "import sys\nsys.modules['smashup.engine.game'] = None  #!")),
    wrong("sets_trace", "sys.settrace", replace=at(
        "top", "import sys\nsys.settrace(lambda *args: None)  #!")),
    wrong("changes_locale", "locale", replace=at(
        "top", "import locale  #!\nlocale.setlocale(locale.LC_ALL, 'C')")),
    wrong("changes_folder", "os.chdir", replace=at("top", "import os\nos.chdir('/')  #!")),
    wrong("registers_exit_handler", "atexit", replace=at(
        "top", "import atexit  #!\natexit.register(lambda: None)")),
    # --- processes, threads, files and output -------------------------------------------------
    wrong("forks", "os.fork", replace=at("top", "import os\nos.fork()  #!")),
    wrong("runs_command", "os.system", replace=at("top", "import os\nos.system('true')  #!")),
    wrong("replaces_process", "os.execv", replace=at(
        "top", "import os\nos.execv('/bin/true', ['true'])  #!")),
    wrong("kills_by_alias", "kill", "os", replace=at(
        "top", "from os import getpid, kill\nkill(getpid(), 9)  #!")),
    wrong("aborts_by_getattr", "os", replace=at("top", "import os\ngetattr(os, 'abort')()  #!")),
    wrong("thread_in_ability", "Slide", "threading", replace=at(
        "slide", "from threading import Thread  #!\nThread(target=print).start()")),
    wrong("thread_pool", "concurrent", replace=at(
        "top", "from concurrent.futures import ThreadPoolExecutor  #!\nThreadPoolExecutor()")),
    wrong("low_level_thread", "_thread", replace=at(
        "top", "import _thread  #!\n_thread.start_new_thread(lambda: None, ())")),
    with_helper("event_loop", "Slide", "on_play", "asyncio", top="import asyncio",
                slide="asyncio.run(asyncio.sleep(1))  #!"),
    wrong("writes_file", "open", replace=at("top", "open('x.txt', 'w').write('x')  #!")),
    wrong("writes_file_by_path", "pathlib", replace=at(
        "top", "from pathlib import Path\nPath('x.txt').write_text('x')  #!")),
    with_helper("reads_file_in_ability", "Slide", "on_play", "pathlib",
                top="from pathlib import Path", slide="me.draw(len(Path('x').read_text()))  #!"),
    wrong("writes_to_stdout_at_import", "sys.stdout", replace=at(
        "top", "import sys\nsys.stdout.write('x' * 100_000)  #!")),
    with_helper("warns", "Slide", "on_play", "warnings", top="import warnings",
                slide="warnings.warn('hello')  #!"),
    with_helper("logs", "Slide", "on_play", "logging", top="import logging",
                slide="logging.error('hello')  #!"),
    wrong("prints_much", "print", replace=at(
        "top", "for _ in range(10**5): print('x' * 1000)  #!")),
    # --- exits and exceptions -----------------------------------------------------------------
    with_helper("exits_by_sys", "Slide", "on_play", "sys", top="import sys",
                slide="sys.exit('bye')  #!"),
    wrong("exits_in_init", "Rock", "exits", replace=at(
        "rock", "def __init__(self) -> None:\n    raise SystemExit(0)  #!")),
    wrong("exits_in_printing", "Rock", "exits", replace=at(
        "rock", "def apply_current_printing(self) -> None:\n    raise SystemExit(0)  #!")),
    wrong("exits_in_metaclass", "exits", replace=at(
        "top", "class Meta(type):\n    def __new__(cls, *args):\n        raise SystemExit  #!\n\n"
        "class Odd(metaclass=Meta): ...")),
    wrong("keyboard_interrupt_at_import", "KeyboardInterrupt", replace=at(
        "top", "raise KeyboardInterrupt  #!")),
    wrong("base_exception_at_import", "Stop", replace=at(
        "top", "class Stop(BaseException): ...\nraise Stop('no')  #!")),
    wrong("exception_group", "Slide", "on_play", "ExceptionGroup", replace=at(
        "slide", "raise ExceptionGroup('two', [ValueError('a'), KeyError('b')])  #!")),
    wrong("stop_iteration", "Slide", "on_play", "StopIteration", replace=at(
        "slide", "raise StopIteration  #!")),
    wrong("assertion", "Slide", "on_play", "AssertionError", replace=at(
        "slide", "assert me.controller.vp > 100  #!")),
    wrong("long_error", "Slide", "on_play", "xxx…", replace=at(
        "slide", "raise ValueError('x' * 10**6)  #!")),
    wrong("error_with_markup", "Slide", "on_play", "[/bold] {braces} %s", replace=at(
        "slide", r"raise ValueError('\x1b[31m [/bold] {braces} %s')  #!")),
    wrong("mutual_recursion", "RecursionError", replace=(
        *at("top", "def ping(me):\n    pong(me)\n\n\ndef pong(me):\n    ping(me)"),
        *at("slide", "ping(me)"))),
    # --- endless code -------------------------------------------------------------------------
    wrong("sums_forever", "Slide", "on_play", "cannot be stopped", replace=at(
        "slide", "sum(range(10**12))  #!")),
    wrong("endless_init", "Rock", "seconds", replace=at(
        "rock", "def __init__(self) -> None:\n    super().__init__()\n    while True: pass  #!")),
    wrong("endless_printing", "Rock", "seconds", replace=at(
        "rock", "def apply_current_printing(self) -> None:\n    while True: pass  #!")),
    wrong("endless_metaclass", "seconds", replace=at(
        "top", "class Meta(type):\n    def __new__(cls, *args):\n        while True: pass  #!\n\n"
        "class Odd(metaclass=Meta): ...")),
    wrong("endless_condition", "Rock", "talent_if", "seconds", replace=at(
        "rock", "def talent(self, me: Card) -> None:\n    me.draw(1)\n\n"
        "def talent_if(self, me: Card) -> bool:\n    while True: pass  #!")),
    wrong("draws_forever", "Slide", "on_play", "seconds", replace=at(
        "slide", "while True:\n    me.draw(1)")),
    wrong("doubles_forever", "Slide", "on_play", "MemoryError", replace=at(
        "slide", "cards = [0]\nwhile True: cards = cards + cards  #!")),
    wrong("triggers_forever", "Rock", "after_play", "questions", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n"
        "    me.controller.extra_minion()\n    me.return_to_hand(me)")),
    wrong("factions_without_end", "FACTIONS", "tuple", replace=(
        ("FACTION = ", "import itertools\nFACTIONS = itertools.repeat(3)  #!\nFACTION = "),)),
    # --- declarations that run code -----------------------------------------------------------
    wrong("int_subclass", "Rock", "power", "Odd(2)", replace=(
        *at("top", "class Odd(int):\n    def __add__(self, other):\n        raise OSError('no')"),
        ("    power = 2\n", "    power = Odd(2)  #!\n"))),
    wrong("str_subclass", "Rock", "name", "Odd('Rock')", replace=(
        *at("top", "class Odd(str):\n    def strip(self, *args):\n        raise OSError('no')"),
        ('    name = "Rock"', '    name = Odd("Rock")  #!'))),
    wrong("repr_exits", "Rock", "power", "Odd", replace=(
        *at("top", "class Odd:\n    def __repr__(self):\n        raise SystemExit"),
        ("    power = 2\n", "    power = Odd()  #!\n"))),
    wrong("property_raises", "Rock", "power", "property", replace=(
        ("    power = 2\n", "    @property  #!\n    def power(self) -> int:\n"
         "        raise RuntimeError('no')\n"),)),
    wrong("descriptor_raises", "Rock", "copies", replace=(
        *at("top", "class Odd:\n    def __get__(self, owner, cls):\n        raise OSError('no')"),
        ('copies = 10\n    text = "It', 'copies = Odd()  #!\n    text = "It'))),
    wrong("metaclass_raises", "RuntimeError", replace=(
        *at("top", "class Meta(type):\n    def __getattribute__(cls, name):\n"
            "        raise RuntimeError(name)  #!"),
        ("class Rock(Minion):", "class Rock(Minion, metaclass=Meta):"))),
    wrong("init_subclass_raises", "Parent", "RuntimeError", replace=(
        *at("top", "class Parent(Minion):\n    def __init_subclass__(cls):\n"
            "        raise RuntimeError('no')  #!"),
        ("class Rock(Minion):", "class Rock(Parent):"))),
    wrong("destructor", "Rock", "__del__", replace=at(
        "rock", "def __del__(self) -> None:  #!\n    raise RuntimeError('no')")),
    wrong("setter", "Rock", "__setattr__", replace=at(
        "rock", "def __setattr__(self, name, value):  #!\n    raise RuntimeError(name)")),
    wrong("power_is_nan", "Rock", "power", "nan", replace=(
        ("    power = 2\n", '    power = float("nan")  #!\n'),)),
    wrong("factions_raise", "ZeroDivisionError", replace=(
        ("FACTION = ", "FACTIONS = [1 / 0 for _ in range(2)]  #!\nFACTION = "),)),
    wrong("same_faction_twice", "FACTIONS", "twice", replace=(
        ("FACTION = ", "STONES = "), ("(Hill,))", "(Hill,))\nFACTIONS = (STONES, STONES)  #!"))),
    wrong("second_faction", "Pebbles", "10 cards", replace=(
        ("FACTION = ", "ONE = "), ("bases=(Hill,))", "bases=(Hill,))\nTWO = Faction(\n"
         "    name='Pebbles', set_name='Quarry', cards=(Slide,),  #!\n    bases=(Hill,))\n"
         "FACTIONS = (TWO, ONE)"))),
    wrong("faction_is_class", "FACTION", "Faction(...)", replace=(
        (DECLARATION, "class FACTION:  #!\n    name = 'Stones'"),)),
    wrong("faction_is_function", "FACTION", "Faction(...)", replace=(
        (DECLARATION, "def FACTION():  #!\n    return 1"),)),
    wrong("faction_is_never_declared", "FACTION", replace=(
        ("FACTION = ", "if False:\n    FACTION = "),)),
    wrong("forgets_card", "10 cards", "Slide", replace=(
        ("cards=(Rock, Slide)", "cards=(Rock,)"),)),
    wrong("forgets_base", "no base", "Hill", replace=(("bases=(Hill,)", "bases=()"),)),
    wrong("forgets_set", "set_name", replace=(('set_name="Quarry"', 'set_name=" "'),)),
    WrongFaction("huge_file", ("1000 kB",), raw=b"X = [" + b"1," * 500_000 + b"]"),
    wrong("name_with_plus", "+", replace=(('name="Stones"', 'name="Stones+Kaiju"'),)),
    wrong("name_with_slash", "/", replace=(('name="Stones"', 'name="../../etc"'),)),
    wrong("reversed_text", "Rock", "202e", replace=(
        ('name = "Rock"', 'name = "Ro\\u202eck"  #!'),)),
    wrong("imports_itself", "ModuleNotFoundError", replace=at("top", "import imports_itself  #!")),
    wrong("relative_import", "relative", replace=at("top", "from . import other  #!")),
    wrong("class_twice_in_file", "Slide", replace=(("class Hill(BaseCard):", "class Slide(Action):"
        "  #!\n    name = 'Other'\n\n\nclass Hill(BaseCard):"),)),
    # --- verbs --------------------------------------------------------------------------------
    wrong("verb_without_parentheses", "Slide", "on_play", "draw", "parentheses", replace=at(
        "slide", "me.draw  #!")),
    wrong("long_question", "Slide", "on_play", "prompt", replace=at(
        "slide", "me.may('x' * 10**6)  #!")),
    wrong("many_modes", "Slide", "on_play", "modes", "40", replace=at(
        "slide", "me.choose_mode(*['A'] * 10**5)  #!")),
    wrong("unknown_verb_without_parentheses", "Slide", "on_play", "Card.drwa does not", "draw",
          replace=at("slide", "me.drwa  #!")),
    wrong("verb_with_bool", "Slide", "on_play", "count", "True", replace=at(
        "slide", "me.draw(True)  #!")),
    wrong("verb_with_dict", "Slide", "on_play", "destroy", "{1: 2}", replace=at(
        "slide", "me.destroy({1: 2})  #!")),
    wrong("verb_with_powers", "Slide", "on_play", "int", replace=at(
        "slide", "me.destroy(minion.power for minion in me.minions())  #!")),
    wrong("leaks_deck", "Slide", "on_play", "hidden", replace=at(
        "slide", "for other in me.other_players():\n    top = other.deck_cards()[:1]\n"
        "    if top and top[0].is_minion:\n        me.controller.gain_vp(1)")),
    wrong("leaks_by_base", "Hill", "breakpoint_change", "hidden", replace=at(
        "hill", "def breakpoint_change(self, me: Card, base: Base) -> int:  #!\n"
        "    return sum(card.is_minion for one in me.all_players() for card in one.hand)")),
)  # fmt: skip
