"""Faction files with one mistake each in an ability, and what the check has to say about it.

``#!`` marks the line that the message has to name.
"""

from __future__ import annotations

from typing import Final

from tests.cards.wrong_factions import at, wrong

ABILITIES: Final = (
    # --- abilities that escape the check ------------------------------------------------------
    wrong("prints", "Slide", "print", replace=at("slide", 'print("hello")  #!')),
    wrong("imports_by_call", "exit", replace=at("slide", '__import__("os")._exit(0)  #!')),
    wrong("exits_by_alias", "exit", replace=at("slide", "from os import _exit\n_exit(0)  #!")),
    wrong("raises_keyboard_interrupt", "Slide", "KeyboardInterrupt", replace=at(
        "slide", "raise KeyboardInterrupt  #!")),
    wrong("property_ability", "Rock", "talent", replace=at(
        "rock", "@property  #!\ndef talent(self) -> None:\n    return None")),
    wrong("cached_ability", "Rock", "power_bonus", replace=at(
        "rock", "from functools import cache as _cache\n@_cache  #!\n"
        "def power_bonus(self, me: Card) -> int:\n    return 1")),
    wrong("keyword_only_parameter", "Rock", "talent", replace=at(
        "rock", "def talent(self, *, me: Card) -> None:  #!\n    me.draw(1)")),
    # --- what abilities do --------------------------------------------------------------------
    wrong("unknown_verb", "Slide", "on_play", "destory", "destroy", replace=at(
        "slide", 'me.destory(me.target("Which?", me.minions(OTHERS)))  #!')),
    wrong("unknown_player_verb", "Slide", "on_play", "gain_pv", "gain_vp", replace=at(
        "slide", "me.controller.gain_pv(1)  #!")),
    wrong("unknown_verb_rarely", "Slide", "on_play", "explode", replace=at(
        "slide", "if me.controller.vp > 14 and len(me.controller.hand) > 9:\n"
        "    me.explode()  #!")),
    wrong("unknown_event_field", "Rock", "after_play", "minoin", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n    len(ev.minoin)  #!")),
    wrong("old_verb", "Slide", "on_play", "shuffle_into_deck", "put", replace=at(
        "slide", "me.shuffle_into_deck(me.minions(YOURS))  #!")),
    wrong("method_without_parentheses", "Slide", "on_play", "is a method", "other_players()",
          replace=at("slide", "for player in me.other_players:  #!\n    player.draw()")),
    wrong("counts_a_method", "Slide", "on_play", "is a method", "minions()", replace=at(
        "slide", "me.draw(len(me.minions))  #!")),
    wrong("tests_a_method", "Slide", "on_play", "is a method", "minions()", replace=at(
        "slide", "if not me.minions:  #!\n    me.draw(1)")),
    wrong("attribute_with_parentheses", "Slide", "on_play", "not a method", "hand", replace=at(
        "slide", "me.draw(len(me.controller.hand()))  #!")),
    wrong("player_compared_with_number", "Slide", "on_play", "never equal", "0", replace=at(
        "slide", "if me.controller == 0:  #!\n    me.draw(1)")),
    wrong("base_draws", "Hill", "after_score", "No player controls a base", "ev.player.draw",
          replace=at("hill", "def after_score(self, me: Card, ev: Event) -> None:\n"
                     "    me.draw(1)  #!")),
    wrong("base_asks", "Hill", "after_score", "No player controls a base", "ev.player.target",
          replace=at("hill", "def after_score(self, me: Card, ev: Event) -> None:\n"
                     '    me.destroy(me.target("Which?", me.base.minions()))  #!')),
    wrong("controller_of_a_base", "Hill", "after_score", "No player controls a base", "gain_vp",
          replace=at("hill", "def after_score(self, me: Card, ev: Event) -> None:\n"
                     "    me.controller.gain_vp(1)  #!")),
    wrong("minions_of_a_base", "Hill", "after_score", "YOURS", replace=at(
        "hill", "def after_score(self, me: Card, ev: Event) -> None:\n"
        "    me.destroy(me.minions(YOURS))  #!")),
    wrong("query_gives_an_action", "Rock", "power_bonus", "extra_action_this_turn", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n"
        "    me.controller.extra_action_this_turn()  #!\n    return 0")),
    wrong("query_acts_in_helper", "Rock", "changes the table", "draw", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    return self.more(me)\n\n"
        "def more(self, me: Card) -> int:\n    me.draw(1)  #!\n    return 1")),
    wrong("query_asks_in_function", "asks a question", "may", replace=(
        ("# top", 'def more(me: Card) -> int:\n    return me.controller.may("More?")  #!'),
        *at("rock", "def power_bonus(self, me: Card) -> int:\n    return int(more(me))"))),
    wrong("tokens_are_text", "Slide", "on_play", "tokens", "'three'", replace=at(
        "slide", 'for minion in me.minions():\n    minion.tokens = "three"  #!')),
    wrong("negative_tokens", "Slide", "on_play", "tokens", "-5", replace=at(
        "slide", "for minion in me.minions():\n    minion.tokens = -5  #!")),
    wrong("lambda_ability", "Rock", "on_play", "drwa", "draw", replace=at(
        "rock", "on_play = lambda self, me: me.drwa(1)  #!")),
    wrong("undefined_variable", "Slide", "on_play", "targte", replace=at(
        "slide", "me.destroy(targte)  #!")),
    wrong("wrong_argument", "Slide", "on_play", "count", "'two'", replace=at(
        "slide", 'me.draw("two")  #!')),
    wrong("unknown_keyword", "Slide", "on_play", "TypeError", replace=at(
        "slide", "me.draw(amount=2)  #!")),
    wrong("raises", "Slide", "on_play", "ZeroDivisionError", replace=at(
        "slide", "me.draw(1 // 0)  #!")),
    wrong("raises_in_helper", "Slide", "on_play", "KeyError", replace=(
        ("# top", "def count(me: Card) -> int:\n    return {}[me.name]  #!"),
        ("        # slide", "        me.draw(count(me))"))),
    wrong("raises_in_condition", "Rock", "after_play_if", "ValueError", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n    me.draw(1)\n\n"
        "def after_play_if(self, me: Card, ev: Event) -> bool:\n    raise ValueError('no')  #!")),
    wrong("exits_in_ability", "Slide", "on_play", "exit", replace=at(
        "slide", "raise SystemExit  #!")),
    wrong("infinite_recursion", "Slide", "on_play", "RecursionError", replace=at(
        "slide", "self.on_play(me)  #!")),
    wrong("loops_forever", "Slide", "on_play", "seconds", replace=at(
        "slide", "while True: me.minions(YOURS)  #!")),
    wrong("loops_and_swallows", "Slide", "on_play", "every exception", replace=at(
        "slide", "while True:\n    try:\n        me.draw(0)\n    except BaseException:\n"
        "        pass")),
    wrong("query_loops", "Rock", "power_bonus", "seconds", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    n = 0\n"
        "    while n >= 0:\n        n += 1\n    return n")),
    wrong("asks_endlessly", "Slide", "on_play", "questions", replace=at(
        "slide", 'while True:\n    me.choose_mode("Left", "Right")  #!')),
    wrong("game_never_ends", "Rock", "forbids_scoring", "does not end", replace=at(
        "rock", "def forbids_scoring(self, me: Card, base: Base) -> bool:\n    return True")),
    wrong("query_asks", "Rock", "power_bonus", "question", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n"
        '    return 1 if me.controller.may("Stronger?") else 0  #!')),
    wrong("query_acts", "Rock", "power_bonus", "draw", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    me.draw(1)  #!\n    return 0")),
    wrong("bonus_is_none", "Rock", "power_bonus", "None", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    2")),
    wrong("bonus_is_fraction", "Rock", "power_bonus", "float", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    return 0.5")),
    wrong("uses_random", "Slide", "on_play", "random", "pick_random", replace=(
        ("# top", "import random"),
        ("        # slide", "        me.draw(random.randrange(3))  #!"))),
    wrong("uses_clock", "Slide", "on_play", "time", replace=(
        ("# top", "import time"),
        ("        # slide", "        me.draw(int(time.time()) % 2)  #!"))),
    wrong("state_on_self", "Slide", "on_play", "count", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    count = 0'),
        ("        # slide", "        self.count += 1  #!\n        me.draw(self.count % 3)"))),
    wrong("state_on_class", "Slide", "on_play", "count", replace=(
        ('text = "Draw a card."', 'text = "Draw a card."\n    count = 0'),
        ("        # slide", "        Slide.count += 1  #!\n        me.draw(Slide.count % 3)"))),
    wrong("state_in_list", "Slide", "on_play", "SEEN", replace=(
        ("# top", "SEEN: list[int] = []"),
        ("        # slide", "        SEEN.append(me.id)  #!\n        me.draw(len(SEEN) % 2)"))),
    wrong("state_in_global", "on_play", "Slide", "total", replace=(
        ("# top", "total = 0"),
        ("        # slide", "        global total  #!\n        total += 1"))),
    wrong("state_in_closure", "seen", replace=(
        ("# top", "def remember():\n    seen = []\n    def note(card):\n"
         "        seen.append(card)  #!\n        return len(seen)\n    return note\n\n"
         "note = remember()"),
        ("        # slide", "        me.draw(note(me) % 2)"))),
    wrong("state_in_default", "Slide", "on_play", "seen", replace=(
        ("    def on_play(self, me: Card) -> None:\n        me.draw(1)",
         "    def on_play(self, me: Card, seen=[]) -> None:\n"
         "        seen.append(me.id)  #!\n        me.draw(len(seen) % 2)"),)),
    wrong("mutates_event", "Rock", "after_play", "amount", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n    ev.amount = 5  #!")),
    wrong("mutates_event_list", "Rock", "after_play", "affected", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n"
        "    ev.affected.append(me)  #!")),
    wrong("sets_power", "Slide", "on_play", "power", replace=at(
        "slide", "for minion in me.minions(YOURS):\n    minion.power = 9  #!")),
    wrong("sets_vp", "Slide", "on_play", "vp", replace=at(
        "slide", "me.controller.vp += 1  #!")),
    wrong("writes_state", "Slide", "on_play", "table", replace=at(
        "slide", "me.table.state.vp[me.controller.index] += 1  #!")),
    wrong("leaks_hand_count", "Rock", "power_bonus", "power", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n"
        "    others = me.controller.other_players()\n"
        "    return sum(card.is_minion for other in others for card in other.hand)")),
    wrong("leaks_by_drawing", "Slide", "on_play", "hidden", "event.cards", replace=at(
        "slide", "for other in me.controller.other_players():\n"
        "    me.draw(sum(card.is_minion for card in other.hand))")),
    wrong("leaks_own_deck", "Slide", "on_play", "hidden", replace=at(
        "slide", "if me.controller.deck_cards() and me.controller.deck_cards()[0].is_minion:\n"
        "    me.controller.gain_vp(1)")),
    # --- arguments of verbs -------------------------------------------------------------------
    wrong("draws_negative", "Slide", "on_play", "count", "-1", replace=at(
        "slide", "me.draw(-1)  #!")),
    wrong("draws_a_billion", "Slide", "on_play", "count", replace=at(
        "slide", "me.draw(10**9)  #!")),
    wrong("counters_huge", "Slide", "on_play", "count", replace=at(
        "slide", "me.place_counters(10**12, on=me.minions(YOURS))  #!")),
    wrong("destroys_text", "Slide", "on_play", "destroy", "'Rock'", replace=at(
        "slide", 'me.destroy("Rock")  #!')),
    wrong("swapped_arguments", "Slide", "on_play", "target", "prompt", replace=at(
        "slide", 'me.target(me.minions(YOURS), "Which?")  #!')),
    wrong("moves_to_number", "Slide", "on_play", "move", "Base", replace=at(
        "slide", "for minion in me.minions(YOURS):\n    me.move(minion, 1)  #!")),
    wrong("empty_prompt", "Slide", "on_play", "prompt", replace=at("slide", 'me.may("")  #!')),
    wrong("prompt_of_two_lines", "Slide", "on_play", "prompt", replace=at(
        "slide", 'me.may("Draw\\na card?")  #!')),
    wrong("unknown_field_in_prompt", "Slide", "on_play", "prompt", "{count}", replace=at(
        "slide", 'me.may("Draw {count} cards?")  #!')),
    wrong("modes_are_numbers", "Slide", "on_play", "modes", replace=at(
        "slide", "me.choose_mode(1, 2)  #!")),
    # --- results ------------------------------------------------------------------------------
    wrong("bonus_is_huge", "Rock", "power_bonus", "999", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:  #!\n    return 10**40")),
    wrong("bonus_is_generator", "Rock", "power_bonus", "generator", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:  #!\n    return (n for n in [1])")),
    wrong("condition_is_none", "Rock", "after_play_if", "None", replace=at(
        "rock", "def after_play(self, me: Card, ev: Event) -> None:\n    me.draw(1)\n\n"
        "def after_play_if(self, me: Card, ev: Event) -> bool:  #!\n    ev.card is me")),
    wrong("condition_is_text", "Rock", "talent_if", "'no'", replace=at(
        "rock", "def talent(self, me: Card) -> None:\n    me.draw(1)\n\n"
        "def talent_if(self, me: Card) -> bool:  #!\n    return 'no'")),
    wrong("leaves_cards_in_limbo", "Slide", "on_play", "limbo", replace=at(
        "slide", "me.controller.look_at_deck(2)")),
    wrong("loses_cards", "Slide", "on_play", "places", replace=at(
        "slide", "me.controller.put(me.controller.hand, to=77)")),
    # --- exceptions and endless code ----------------------------------------------------------
    wrong("raises_base_exception", "Slide", "on_play", "Stop", replace=at(
        "slide", "class Stop(BaseException):\n    pass\nraise Stop  #!")),
    wrong("catches_everything", "Slide", "on_play", "every exception", replace=at(
        "slide", 'try:\n    me.may("Draw?")\nexcept Exception:  #!\n    pass')),
    wrong("catches_by_bare_except", "Slide", "on_play", "every exception", replace=at(
        "slide", 'try:\n    me.may("Draw?")\nexcept:  #!\n    pass')),
    wrong("returns_in_finally", "Slide", "on_play", "finally", replace=at(
        "slide", 'try:\n    me.may("Draw?")\nfinally:\n    return  #!')),
    wrong("loops_in_finally", "Slide", "on_play", "seconds", replace=at(
        "slide", "try:\n    1 // 0\nfinally:\n    while True: pass  #!")),
    wrong("computes_forever", "Slide", "on_play", "seconds", replace=at(
        "slide", "9 ** 9 ** 9 if me.controller.vp >= 0 else 0  #!")),
    wrong("matches_forever", "Slide", "on_play", "seconds", replace=at(
        "slide", 'import re\nre.match(r"(a+)+$", "a" * 60 + "b")  #!')),
    wrong("allocates_everything", "Slide", "on_play", "MemoryError", replace=at(
        "slide", "[0] * 10**14  #!")),
    wrong("query_calls_itself", "Rock", "power_bonus", "RecursionError", replace=at(
        "rock", "def power_bonus(self, me: Card) -> int:\n    return me.power  #!")),
    wrong("trigger_triggers_itself", "Rock", "after_move", "RecursionError", replace=at(
        "rock", "def on_play(self, me: Card) -> None:\n    me.move(me, me.other_bases()[0])\n\n"
        "def after_move(self, me: Card, ev: Event) -> None:\n"
        "    me.move(me, me.other_bases()[0])  #!")),
    wrong("recursion_limit", "Slide", "on_play", "setrecursionlimit", replace=at(
        "slide", "import sys\nsys.setrecursionlimit(10**9)  #!\nself.on_play(me)")),
    wrong("disables_the_timer", "Slide", "on_play", "signal", replace=at(
        "slide", "import signal  #!\nsignal.setitimer(signal.ITIMER_PROF, 0)\nwhile True: pass")),
    # --- state and randomness -----------------------------------------------------------------
    wrong("state_by_setattr", "Slide", "on_play", "self", replace=at(
        "slide", "setattr(self, 'seen', 1)  #!")),
    wrong("state_in_iterator", "Slide", "on_play", "NUMBERS", replace=(
        ("# top", "import itertools\nNUMBERS = itertools.count()"),
        ("        # slide", "        me.draw(next(NUMBERS) % 2)  #!"))),
    wrong("state_in_globals", "Slide", "on_play", "globals", replace=at(
        "slide", "globals()['seen'] = 1  #!")),
    wrong("engine_by_getattr", "Slide", "on_play", "table", replace=at(
        "slide", "getattr(me, 'table').state.vp[0] = 14  #!")),
    wrong("uses_hash", "Slide", "on_play", "hash", replace=at(
        "slide", "me.draw(hash(me.name) % 2)  #!")),
    wrong("order_of_set", "Slide", "on_play", "set", replace=at(
        "slide", "names = {minion.name for minion in me.minions()}\n"
        "if list(names)[:1] == ['Rock']:  #!\n    me.draw(1)")),
    wrong("loops_over_set", "Slide", "on_play", "set", replace=at(
        "slide", "for minion in set(me.minions()):  #!\n    me.gain_power(minion, 1)")),
    wrong("writes_to_stdout", "Slide", "on_play", "sys", replace=at(
        "slide", "import sys\nsys.stdout.write('x')  #!")),
    # --- hidden cards -------------------------------------------------------------------------
    wrong("leaks_by_question", "Slide", "on_play", "hidden", "question", replace=at(
        "slide", "for other in me.other_players():\n"
        '    me.may("Is it " + "".join(card.name for card in other.hand[:1]) + "?")')),
    wrong("leaks_by_modes", "Slide", "on_play", "hidden", "question", replace=at(
        "slide", "for other in me.other_players():\n"
        '    me.choose_mode("Pass", *[card.name for card in other.hand])')),
    wrong("leaks_what_hands_usually_have", "Slide", "on_play", "hidden", replace=at(
        "slide", "for other in me.other_players():\n"
        "    if any(card.is_action for card in other.hand):\n        me.draw(1)")),
    wrong("leaks_by_discarding", "Slide", "on_play", "hidden", replace=at(
        "slide", "for other in me.other_players():\n"
        "    other.discard([card for card in other.hand if card.is_minion][:1])")),
    wrong("leaks_by_talent", "Rock", "talent_if", "hidden", "options", replace=at(
        "rock", "def talent(self, me: Card) -> None:\n    me.draw(1)\n\n"
        "def talent_if(self, me: Card) -> bool:  #!\n"
        "    hidden = [card for other in me.other_players() for card in other.hand]\n"
        "    return sum(card.is_minion for card in hidden) % 2 == 0")),
)  # fmt: skip
