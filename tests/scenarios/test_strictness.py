"""The runner answers no real choice, and takes each step in the turn that it is written for."""

from __future__ import annotations

import pytest

from smashup.cards import catalogue
from smashup.scenarios.document import parse
from smashup.scenarios.errors import Failure, ScenarioError
from smashup.scenarios.runner import run


def play(text: str) -> None:
    for scenario in parse(text):
        run(scenario, catalogue())


PLAY_FROM_DISCARD = """
fixtures: {Guide: {type: minion, power: 2, after_leave: {when: {me: true}, do: [play_me: true]}}}
bases: [B1: {P1: [Guide]}, B2]
"""
TITAN = """
fixtures: {Ogre: {type: titan}, Call: {type: action, played: [play_titan: Ogre]}}
titans: {P1: [Ogre]}
hands: {P1: [Call]}
"""
EXTRA = """
fixtures: {Mentor: {type: minion, power: 9, before_score: [extra_action: 1]}}
bases: [B1: {P1: [Mentor, V12]}, B2]
hands: {P1: [A1]}
"""
PEP = """
fixtures:
  Pep: {type: action, special: {timing: before_score}, played: [draw: 1]}
  Rush: {type: action, special: {timing: before_score, also: true}, played: [draw: 1]}
  Herald: {type: minion, power: 2, start_of_turn: [may: [draw: 1]]}
  Page: {type: minion, power: 2, end_of_turn: {when: {by: any}, do: [discard: 1]}}
"""

UNANSWERED = {
    "a card to play": (TITAN.replace("play_titan: Ogre", "extra_minion: {from: discard}")
                       + "discards: {P1: [V1]}\ndo: [P1: play Call]", "P1: pass"),
    "a titan": (TITAN + "do: [P1: play Call]", "P1: pass"),
    "an optional play": (EXTRA + "do: [P1: end]", "P1: pass"),
    "an optional play before a step": (EXTRA + "do: [P1: end, P2: end]", "P1: pass"),
    "yes or no": ("fixtures: {Ask: {type: action, played: [may: [draw: 1]]}}\n"
                  "hands: {P1: [Ask]}\ndo: [P1: play Ask]", "P1: no"),
    "an optional target": ("fixtures: {Hit: {type: action, played: [destroy: {may: true}]}}\n"
                           "bases: [B1: {P2: [V1]}]\nhands: {P1: [Hit]}\ndo: [P1: play Hit]",
                           "P1: none"),
    "the own window of who has steps": (PEP + "bases: [B1: {P1: [V20]}]\nhands: {P1: [Pep]}\n"
                                        "do: [P1: end]", "P1: pass"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNANSWERED)
def test_real_choices_need_a_step(name: str) -> None:
    """Without it the scenario fails and names the step; with it the scenario holds."""
    text, step = UNANSWERED[name]
    with pytest.raises(Failure) as caught:
        play(text)
    assert f"“{step}”" in str(caught.value)
    if ", P2: end" in text:
        play(text.replace(", P2: end", f", {step}, P2: end"))
    else:
        play(text[: text.rindex("]")] + f", {step}]")


def test_triggers_of_one_card_are_ordered_by_a_step() -> None:
    text = """
        fixtures: {Clerk: {type: minion, power: 1, after_discard: [draw: 1]}}
        bases: [B1: {P1: [Clerk, Clerk]}]
        hands: {P1: [V1]}
        do: [happens: {discard: [P1, V1]}%s]
        expect: {hand_size: {P1: 2}}
        """
    with pytest.raises(Failure, match="which comes first"):
        play(text % "")
    play(text % ", P1: Clerk")


def test_windows_of_players_without_steps_are_passed() -> None:
    play(
        PEP + "bases: [B1: {P1: [V20]}, B2]\nhands: {P2: [Pep]}\ndo: [P1: end]\nexpect: {turn: P2}"
    )


def test_a_window_that_was_passed_cannot_be_followed_by_a_step_of_that_player() -> None:
    """B1 scores, then B2: P2 uses the second window only, and must pass the first in words."""
    text = (
        PEP + "bases: [B1: {P1: [V20]}, B2: {P1: [V20b]}, B3: {P2: [Page]}]\n"
        "hands: {P2: [Pep, V1]}\ndo: [P1: [end, B1], %sP2: V1]\nexpect: {discard: {P2: [V1]}}"
    )
    with pytest.raises(Failure, match="To pass there, write “P2: pass”"):
        play(text % "")
    play(text % "P2: [pass, pass], ")


# --- turns ----------------------------------------------------------------------------------


def test_a_special_does_not_slide_into_the_next_turn() -> None:
    """No base scores: the play would happen in P2's own turn."""
    text = PEP + "bases: [B1]\nhands: {P2: [Rush]}\ndo: [P1: end, %sP2: play Rush]"
    with pytest.raises(ScenarioError, match=r"write “expect: {turn: P2}” before it"):
        play(text % "")
    play(text % "expect: {turn: P2}, ")
    with pytest.raises(ScenarioError, match=r"write “expect: {turn: P2}” before it"):
        play((text % "").replace("P2: play", "P2 can: play"))


def test_an_answer_does_not_slide_into_the_next_turn() -> None:
    """P3 is asked at the start of P2's turn only."""
    text = (
        PEP.replace("[may: [draw: 1]]", "{when: {by: others}, do: [may: [draw: 1]]}")
        + "players: 3\nbases: [B1: {P3: [Herald]}]\ndo: [P1: end, %sP3: yes]"
    )
    with pytest.raises(Failure, match="in the turn before, but it was not offered there"):
        play(text % "")
    play(text % "expect: {turn: P2}, ")


def test_an_answer_does_not_slide_past_a_window() -> None:
    text = (
        PEP + "players: 3\nbases: [B1: {P1: [V20]}, B2: {P2: [Herald]}]\nhands: {P3: [Pep]}\n"
        "do: [P1: end, %sP2: yes]"
    )
    with pytest.raises(Failure, match="in the turn before, but it was not offered there"):
        play(text % "")
    play(text % "P3: pass, expect: {turn: P2}, ")


def test_the_first_question_of_the_next_turn_needs_no_more() -> None:
    play(PEP + "bases: [B1: {P2: [Herald]}]\ndo: [P1: end, P2: yes, P2: end]\nexpect: {turn: P1}")


# --- can and cannot -------------------------------------------------------------------------

RALLY = """
edition: II
fixtures: {Rally: {type: action, played: [extra_minion: 1]}}
hands: {P1: [Rally, V1, A1]}
bases: [B1]
"""


def test_can_and_cannot_look_at_an_extra_play_itself() -> None:
    play(RALLY + "do: [P1: play Rally, P1 can: [play V1 at B1, later], P1 cannot: end]")
    with pytest.raises(Failure, match="should be able to “end”"):
        play(RALLY + "do: [P1: play Rally, P1 can: end]")
    with pytest.raises(Failure, match="should not be able to “later”"):
        play(RALLY + "do: [P1: play Rally, P1 cannot: later]")


def test_can_and_cannot_look_at_a_single_option() -> None:
    table = (
        "fixtures: {Hit: {type: action, played: [destroy: {}]}}\n"
        "bases: [B1: {P2: [V1]}]\nhands: {P1: [Hit]}\n"
    )
    play(table + "do: [P1: play Hit, P1 can: V1]\nexpect: {in_play: [V1], asks: P1}")
    with pytest.raises(Failure, match="should not be able to “V1”"):
        play(table + "do: [P1: play Hit, P1 cannot: V1]")


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("talent A1", "has no talent"),
        ("talent V3", "has no talent"),
        ("talent Jumper", "has no talent"),
        ("use V3", "has no Special"),
        ("play A1 at B1", "never played at such a place"),
        ("play V1 on V3", "never played at such a place"),
    ],
)
def test_what_never_could_be_is_no_proof(step: str, sentence: str) -> None:
    table = "bases: [B1: {P1: [V3, Jumper]}]\nhands: {P1: [A1, V1]}\n"
    with pytest.raises(ScenarioError, match=sentence):
        play(table + f"do: [P1 cannot: {step}]")


DETAILS = {
    "talent V20 by Cyberevolution": "Cyberevolution grants no talent",
    "talent V20 by B2": "B2 grants no talent",
    "V20 #7": "there is only one",
    "V3 #3": "numbers go from 1 to 2",
    "V3 #0": "numbers go from 1 to 2",
    "P2's V3 #2": "there is only one",
    "talent Huffie #3": "numbers go from 1 to 2",
    "play Cyberevolution on V3 #5": "numbers go from 1 to 4",
    "play V4 at B1 by V3": "V3 does not let a player play a card",
    "play V4 at B1 by Cyberevolution": "Cyberevolution does not let a player play a card",
    "play P2's V4 at B1": "name a card to play without “P2's”",
    "play Cyberevolution on P2's V20": "P2 has no card of that name",
    "P2's V20": "P2 has no card of that name",
    "talent P2's Huffie": "P2 has no card of that name",
    "play V4 by rule at B1": "names no card of this game",
    "P3": "“P3” is not a player",
}
DETAILED = """
bases: [B1: {P1: [V20: {on: [Cyberevolution]}, V3, Huffie, Huffie], P2: [V3]}, B2]
hands: {P1: [V4, Cyberevolution]}
"""


@pytest.mark.parametrize("step", DETAILS)
def test_details_that_never_could_be_are_no_proof(step: str) -> None:
    """Neither for “cannot” nor for “not” under “asks”."""
    with pytest.raises(ScenarioError, match=DETAILS[step]):
        play(DETAILED + f'do: [P1 cannot: "{step}"]')
    with pytest.raises(ScenarioError, match=DETAILS[step]):
        play(DETAILED + f'do: [expect: {{asks: {{not: ["{step}"]}}}}]')


@pytest.mark.parametrize(
    "step",
    [
        "P2's V3", "V3 #2", "V3 at B2", "P1's V3 #1", "P2", "talent Jet by Wings",
        "talent Huffie by Wings", "play Cyberevolution on P2's V3 at B2",
        "play V4 at B1 by Huffie", "play V4 at B3", "play V9 by rule",
    ],
)  # fmt: skip
def test_details_that_could_be_may_be_ruled_out(step: str) -> None:
    table = """
        used: [minion, action]
        fixtures:
          Wings: {type: action, on: minion, lends: {talent: [draw: 1]}}
          Jet: {type: minion, power: 1}
        bases: [B1: {P1: [V3, Huffie], P2: [V3, Jet]}, B2, B3]
        hands: {P1: [V4, V9, Cyberevolution], P2: [Wings]}
        """
    play(f'{table}\n        do: [P1 cannot: "{step}"]')


def test_a_laid_action_lends_its_talent() -> None:
    play(
        """
        fixtures: {Wings: {type: action, on: minion, lends: {talent: [draw: 1]}}}
        bases: [B1: {P1: [V3: {on: [Wings]}]}]
        do: [P1 can: talent V3 by Wings, P1: talent V3, P1 cannot: talent V3 by Wings]
        expect: {hand_size: {P1: 1}}
        """
    )


def test_declining_looks_beyond_a_single_option() -> None:
    """V1 is the only one to destroy; the question after that may be declined."""
    table = (
        "fixtures: {Hit: {type: action, played: [destroy: {}, may: [draw: 1]]}}\n"
        "bases: [B1: {P2: [V1]}]\nhands: {P1: [Hit]}\n"
    )
    for word in ("none", "no", "pass"):
        play(table + f"do: [P1: play Hit, P1 can: {word}, P1: no]")
        with pytest.raises(Failure, match=f"should not be able to “{word}”"):
            play(table + f"do: [P1: play Hit, P1 cannot: {word}, P1: no]")
    play(table + "do: [P1: play Hit, expect: {asks: {player: P1, not: [none]}}, P1: [V1, no]]")


@pytest.mark.parametrize("card", ["Baboom", "Copycat", "War Canuck"])
def test_what_could_be_may_be_ruled_out(card: str) -> None:
    """War Canuck has a talent in its other printing; Copycat may copy one."""
    play(f"bases: [B1: {{P2: [{card}]}}]\ndo: [P1 cannot: talent {card}]")


# --- numbers --------------------------------------------------------------------------------

SCRIBES = """
fixtures: {Scribe: {type: minion, power: 1, start_of_turn: [boost: {to: me, by: 1}]}}
phase: start
bases: [B1: {P1: [Scribe: {counters: 1}, Scribe: {counters: 2}, Scribe: {counters: 3}]}]
"""


@pytest.mark.parametrize(("number", "power"), [(1, 2), (2, 3), (3, 4)])
def test_a_number_chooses_among_triggers(number: int, power: int) -> None:
    play(
        f"{SCRIBES}do: [P1: 'Scribe #{number}']\nexpect: {{asks: P1, power: "
        f"{{'Scribe #{number}': {power + 1}}}}}"
    )


def test_a_number_beyond_the_triggers_fits_none() -> None:
    with pytest.raises(Failure, match="not offered"):
        play(f"{SCRIBES}do: [P1: 'Scribe #4']")


def test_a_number_chooses_among_talents_and_hosts() -> None:
    play(
        """
        fixtures:
          Smith: {type: minion, power: 1, talent: [counters: {to: me, by: 1}]}
          Cloak: {type: action, on: minion}
        bases: [B1: {P1: [Smith: {boost: 1}, Smith: {counters: 5}]}]
        hands: {P1: [Cloak]}
        do: [P1: 'talent Smith #2', P1: 'play Cloak on Smith #1']
        expect: {counters: {'Smith #1': 0, 'Smith #2': 6}, 'on': {'Smith #1': [Cloak]}}
        """
    )
