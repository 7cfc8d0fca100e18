"""The scenario language: what a file says is done, and what it cannot say is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.scenarios import cli
from smashup.scenarios.document import parse
from smashup.scenarios.errors import Failure, ScenarioError
from smashup.scenarios.runner import run


def play(text: str) -> None:
    for scenario in parse(text):
        run(scenario, catalogue())


# --- what holds -----------------------------------------------------------------------------

PASSING = {
    "an action may need a minion of yours to go on": """
        fixtures: {Cape: {type: action, on: minion, needs: {your_minion: true}}}
        bases: [B1: {P1: [V2], P2: [V3]}]
        hands: {P1: [Cape]}
        do:
          - P1 can: play Cape on V2
          - P1 cannot: play Cape on V3
        """,
    "an action on a minion may need a minion of yours beside it": """
        fixtures: {Lance: {type: action, on: minion, needs: {minion_here: true}}}
        bases: [B1: {P1: [V2], P2: [V3]}, B2: {P2: [V4]}]
        hands: {P1: [Lance]}
        do:
          - P1 can: play Lance on V3
          - P1 cannot: play Lance on V4
        """,
    "other figures leave the ability of a made-up base alone": """
        fixtures: {Well: {type: base, after_play: {when: {what: minion}, do: [draw: 1]}}}
        bases: [Well: {breakpoint: 7, vp: [5, 3, 1]}]
        hands: {P1: [V2]}
        do: [P1: play V2 at Well]
        expect: {breakpoint: {Well: 7}, hand: {P1: [Filler]}}
        """,
    "other figures leave the ability of a real base alone": """
        bases: [Portal Room: {breakpoint: 5, P1: [V5]}, B2]
        do: [P1: end]
        expect: {turn: P1, vp: {P1: 2}}
        """,
    "“none” declines a choice between things to do": """
        printing: current
        bases: [B1: {P1: [Blue Trooper, V9, V9b]}, B2]
        do:
          - P1: end
          - expect: {asks: {player: P1, offers: [Draw a card, none]}}
          - P1: none
        expect: {turn: P2, hand_size: {P1: 2}}
        """,
    "“none” and “no” decline a choice of cards too": """
        fixtures: {Arrow: {type: action, played: [{destroy: {may: true}}]}}
        bases: [B1: {P2: [V3]}]
        hands: {P1: [Arrow]}
        do: [P1: [play Arrow, no]]
        expect: {in_play: [V3]}
        """,
    "whoever transfers counters is who did it": """
        fixtures:
          Miser: {type: minion, power: 2, after_transfer: {when: {by: others}, do: [draw: 1]}}
          Thief: {type: action, played: [{transfer_counters: {from: {named: V3}, to: {named: V4}}}]}
        bases: [B1: {P1: [V3: {counters: 1}, V4], P2: [Miser]}]
        hands: {P1: [Thief]}
        do: [P1: play Thief]
        expect: {counters: {V4: 1}, hand_size: {P2: 1}}
        """,
    "a base sees what the rules do": """
        fixtures: {Well: {type: base, after_move: {when: {here: true}, do: [draw: 1]}}}
        bases: [Well, B2: {P2: [V3]}]
        do: [happens: {move: [V3, Well]}]
        expect: {hand_size: {P1: 1, P2: 0}}
        """,
    "an empty deck is empty": """
        decks: {P1: [], P2: [V1]}
        do: [happens: {draw: [P2, 1]}]
        expect: {deck: {P1: [], P2: []}}
        """,
    "what is discarded comes from the hand": """
        bases: [B1: {P1: [V3]}]
        hands: {P1: [V3, V4]}
        do: [happens: {discard: [P1, V3]}]
        expect: {hand: {P1: [V4]}, at: {B1: {P1: [V3]}}}
        """,
    "several copies with details": """
        bases: [B1: {P1: [2 x V3: {counters: 2}]}]
        expect: {power: {V3: 5}, total: {B1: {P1: 10}}}
        """,
    "several extra plays": """
        fixtures: {Rally: {type: action, played: [extra_minion: 2]}}
        hands: {P1: [Rally, V1, V2, V3, V4]}
        do: [P1: [play Rally, play V1 at B1, play V2 at B1, play V3 at B1]]
        expect: {asks: {player: P1, only: [end]}, hand: {P1: [V4]}}
        """,
    "a made-up titan is played instead of a minion": """
        fixtures: {Colossus: {type: titan, goes: {instead_of: minion, if: {minions_here: 2}}}}
        titans: {P1: [Colossus]}
        bases: [B1: {P1: [V1, V2]}, B2: {P1: [V3]}, B3]
        hands: {P1: [V4, A1]}
        do:
          - P1 cannot: play Colossus at B2
          - P1: play Colossus at B1
          - expect: {asks: {only: [play A1, end], count: 2}}
        expect: {where: {Colossus: B1}}
        """,
    "a made-up titan is played instead of an action, or for nothing": """
        fixtures:
          Ogre: {type: titan, goes: {instead_of: action, if: {power_here: 3}}}
          Golem: {type: titan, goes: {free: true, if: {no_minions_of_others: true}}, titan_limit: 1}
        titans: {P1: [Ogre, Golem]}
        bases: [B1: {P1: [V3]}, B2: {P2: [V1]}]
        hands: {P1: [V4, A1]}
        do:
          - P1 cannot: [play Golem at B2, play Ogre at B2]
          - P1: [play Golem at B1, play Ogre at B1]
        expect: {asks: {player: P1, only: [play V4, end]}, aside: {P1: []}}
        """,
    "a titan that works while it is set aside": """
        fixtures:
          Phoenix: {type: titan, works_aside: after_replacement, special_label: after_replacement,
                    after_replacement: {when: {won_by: you}, do: [play_me: true]}}
        titans: {P1: [Phoenix]}
        bases: [B1: {P1: [V9, V9, V2]}, B2]
        do:
          - P1: end
          - expect: {asks: {player: P1, only: [play Phoenix at B90, pass]}}
          - P1: play Phoenix at B90
        expect: {where: {Phoenix: B90}}
        """,
    "a card that lets its player play a titan": """
        fixtures:
          Ogre: {type: titan}
          Call: {type: action, played: [play_titan: Ogre]}
        titans: {P1: [Ogre]}
        bases: [B1, B2]
        hands: {P1: [Call]}
        do: [P1: [play Call, play Ogre at B2]]
        expect: {where: {Ogre: B2}}
        """,
    "an ability in play labelled Special": """
        printing: printed
        fixtures:
          Bugler: {type: minion, power: 4, special_label: before_score, before_score: [draw: 1]}
          Drummer: {type: minion, power: 4, before_score: [draw: 1]}
        bases: [Juice Bar: {P1: [Bugler, Drummer, V9, V3]}, B2]
        do:
          - P1: [end, Bugler, V9]
        expect: {log: ["V9 gains +2", "P1 wins Juice Bar with 22"]}
        """,
    "a card that goes elsewhere instead of the discard pile": """
        fixtures:
          Cork: {type: minion, power: 2, instead_of_discard: deck_top}
          Nurse: {type: minion, power: 1,
                  instead_of_discard: {to: hand, may: true, cards: {of: yours, but_me: true}}}
        bases: [B1: {P1: [Nurse, V3], P2: [Cork]}]
        do:
          - happens: {destroy: Cork}
          - happens: {destroy: V3}
          - P1: yes
        expect: {deck: {P2: [Cork]}, hand: {P1: [V3]}}
        """,
    "a card that takes on what is meant for another": """
        fixtures:
          Page: {type: minion, power: 1, redirects: {of: yours, here: true, but_me: true}}
          Arrow: {type: action, played: [{destroy: {of: others}}]}
        bases: [B1: {P2: [Page, V5]}]
        hands: {P1: [Arrow]}
        do: [P1: [play Arrow, V5], P2: yes]
        expect: {discard: {P2: [Page]}, in_play: [V5]}
        """,
    "what a decision is for, and which card asks": """
        hands: {P1: [X]}
        fixtures: {X: {type: action, played: [{may: [{draw: 1}]}]}}
        decks: {P1: [V7]}
        do:
          - expect: {asks: {player: P1, purpose: play_menu, question: Play cards}}
          - P1: play X
          - expect: {asks: {player: P1, purpose: may, card: X, by: X}}
          - P1: yes
        expect: {hand: {P1: [V7]}}
        """,
    "who reads what in the log, and who was asked": """
        hands: {P1: [V9]}
        decks: {P1: [V7]}
        do:
          - happens: {draw: [P1, 1]}
          - happens: {vp: [P2, 1]}
        expect:
          log_for: {P1: [P1 draws V7], P2: [P1 draws a card]}
          not_log_for: {P2: V7}
          knows_nothing_of: {P2: [V7, V9]}
          asked: [P1, P1: Play cards]
        """,
}  # fmt: skip


@pytest.mark.parametrize("name", PASSING)
def test_holds(name: str) -> None:
    play(PASSING[name])


# --- what fails -----------------------------------------------------------------------------

FAILING = {
    "expect: {deck: {P1: []}}": "should be empty",
    "expect: {knows_nothing_of: {P1: [V1]}}\nhands: {P1: [V1]}": "should know nothing about V1",
    "expect: {asked: [P2]}": "P2 should have been asked",
    "expect: {log_for: {P2: [V7]}}\ndecks: {P1: [V7]}\ndo: [happens: {draw: [P1, 1]}]": "then say",
    "expect: {asks: {count: 9}}": "Number of options: expected 9",
    "expect: {asks: {purpose: draft}}": "Purpose of the decision: expected draft, found play_menu",
    "expect: {asks: {card: V1}}": "should come from V1",
}


@pytest.mark.parametrize("text", FAILING)
def test_fails(text: str) -> None:
    with pytest.raises(Failure, match=FAILING[text]):
        play(text)


# --- what is refused ------------------------------------------------------------------------

ARROW = "fixtures: {X: {type: action, played: [%s]}}"
INVALID_FIXTURES = {
    "{type: action, played: [{destroy: {of: mine}}]}": "“of”: “mine” is not allowed here",
    "{type: action, played: [{boost: {to: me}}]}": "“by” is missing",
    "{type: action, played: [{boost: {to: me, by: lots}}]}": "whole number",
    "{type: action, played: [{extra_action: {max: 2}}]}": "“max” is not allowed here",
    "{type: action, played: [{draw: many}]}": "whole number",
    "{type: action, played: [{draw: 0}]}": "a number of at least 1",
    "{type: action, played: [{dance: 1}]}": "“dance” is not allowed here",
    "{type: action, played: 3}": "list of effects",
    "{type: action, played: [draw]}": "list of effects",
    "{type: action, played: [{extra_turn: 2}]}": "only “true”",
    "{type: action, played: [{destroy: V3}]}": "one of me, host, it",
    "{type: action, played: [{destroy: {power: 3}}]}": "“power” is not allowed here",
    "{type: action, played: [{destroy: it}]}": "“it” is not a card here",
    "{type: action, on: base, played: [{destroy: host}]}": "“host” is not a card here",
    "{type: action, played: [{may: {when: {}, do: []}}]}": "“when” is not allowed here",
    "{type: action, played: [{choose_one: [draw]}]}": "words and their effects",
    "{type: action, played: [{if_found: {do: [draw: 1]}}]}": "“cards” is missing",
    "{type: action, played: {when: {by: you}, do: [draw: 1]}}": "“by” does not apply to played",
    "{type: action, on: nowhere}": "one of base, minion",
    "{type: action, special: {timing: whenever}}": "one of before_score, after_score, after_play",
    "{type: action, special: before_score}": "keys such as",
    "{type: action, special: {timing: before_score, when: {first: true}}}": "“first” does not",
    "{type: minion, power: strong}": "whole number",
    "{type: minion, on: base}": "“on” is not allowed here",
    "{type: minion, goes: {free: true}}": "“goes” is not allowed here",
    "{type: minion, host_bonus: 1}": "“host_bonus” is not allowed here",
    "{type: action, host_bonus: 1}": "for actions with “on: minion”",
    "{type: minion, aura: {by: 1}}": "“to” is missing",
    "{type: minion, aura: {by: 1, to: {may: true}}}": "“may” is not allowed here",
    "{type: minion, cannot: be destroyed}": "is not allowed here",
    "{type: minion, forbids: {play: titan}}": "one of minion, action, any",
    "{type: minion, after_play: {when: {it_is_me: true}, do: [draw: 1]}}": "is not allowed here",
    "{type: minion, after_play: {when: {how: destroyed}, do: [draw: 1]}}": "“how” does not apply",
    "{type: minion, after_play: {when: {by: P2}, do: [draw: 1]}}": "one of you, others, any",
    "{type: minion, after_play: {when: {turn: mine}, do: [draw: 1]}}": "one of yours, on, during",
    "{type: minion, after_play: {when: {what: minion}}}": "“do” is missing",
    "{type: minion, special_label: before_score}": "names an ability of the card",
    "{type: minion, names: Hansel}": "list of names",
    "{type: minion, instead_of_discard: box}": "one of hand, deck_top, deck_bottom",
    "{type: base, vp: 4}": "three numbers",
    "{type: base, played: [draw: 1]}": "“played” is not allowed here",
    "{type: base, after_play: {when: {by: others}, do: [draw: 1]}}": "no player controls a base",
    "{type: titan, goes: {if: {minions_here: 1}}}": "instead_of",
    "{type: titan, works_aside: after_play}": "ability of the card",
    "{type: action, on: minion, lends: {power: 3}}": "“power” is not allowed here",
    "{type: action, on: minion, lends: {talent: [{dance: 1}]}}": "“dance” is not allowed here",
    "{type: monster}": "a mapping with a “type”",
    "{power: 3}": "a mapping with a “type”",
    "nonsense": "a mapping with a “type”",
}


@pytest.mark.parametrize("spec", INVALID_FIXTURES)
def test_fixtures_are_checked_when_they_are_read(spec: str) -> None:
    with pytest.raises(ScenarioError, match=r"The fixture “X”.*" + INVALID_FIXTURES[spec]):
        play(f"fixtures: {{X: {spec}}}")


TYPOS = {
    "hands: {P1: [V3: {counters: 1}]}": "“hands”, “P1”, “V3”: “counters” is not allowed here",
    "decks: {P1: [V3: {strength: 1}]}": "“strength” is not allowed here",
    "discards: {P1: [V3: {buried: true}]}": "“discards”, “P1”, “V3”: “buried” is not allowed",
    "titans: {P1: [Time Box: {counters: 1}]}": "“counters” is not allowed here. Known keys: tokens",
    "bases: [B1: {P1: [V3: {buried: true, counters: 1}]}]": "no other detail than “owner”",
    "bases: [B1: {P1: [V3: {by: P2}]}]": "“by” is not allowed here",
    "bases: [B1: {P1: [V3: {counters: many}]}]": "a whole number is needed",
    "bases: [B1: {breakpoint: high}]": "whole number",
    "bases: [B1: {vp: 3}]": "three numbers",
    "bases: [B1: {P1: [Splice as Nice]}]": "cannot be on a base",
    "bases: [B1: {P1: [B2]}]": "cannot be on a base",
    "base_deck: [B1: {vp: [1, 1, 1]}]": "no keys are allowed",
    "vp: {P1: lots}": "a whole number is needed",
    "madness: some": "a whole number is needed",
    "seed: x": "a whole number is needed",
    "players: five": "one of 2, 3, 4",
    "used: both": "“used”: “both” is not allowed here",
    "used: [{}]": "“used”.*one of minion, action",
    "edition: [[]]": "no edition",
    "setup: {factions: [Kaiju]}": "a mapping is needed",
    "setup: {factions: {P1: [Kaiju, Super Spies], P3: [Kaiju, Super Spies]}}": "not a player",
    "setup: {}\nhands: {P1: [V1]}": "describes the whole table",
    "do: P1 plays": "a list is needed",
    "do: [expect: 3]": "keys such as",
    "expect: [vp]": "keys such as",
    "expect: {power: 3}": "“power”: a mapping is needed",
    "expect: {total: 3}": "“total”: a mapping is needed",
    "expect: {total: {B1: 3}}": "“B1”: a mapping is needed",
    "expect: {asks: [P1]}": "is not a player",
    "expect: {asks: {whom: P1}}": "“whom” is not allowed here",
    "expect: {not_in_play: [V33]}": "no card “V33” in the game",
    "expect: {knows_nothing_of: {P1: [V33]}}": "no card “V33” in the game",
    "expect: {sees: {P1: {P2 pocket: []}}}": "is not a zone",
    "bases: [B1: {P1: [V2]}]\ndo: [happens: {counters: [V2, V2]}]": "a whole number is needed",
    "do: [happens: {discard: [P1, Filler]}]": "There is no “Filler” there",
    "do: [happens: {play_base: B1}]": "There is no “B1” there",
    "do: [happens: {draw: P1}]": "two things are needed here",
    "do: [happens: {dance: P1}]": "“dance” is not allowed here",
    "do: [P1 cannot: play V5 at B1]": "names no card",
    "do: [P1 cannot: play B1 at B2]": "names no card",
    "do: [P1 cannot: play Filler at B77]": "names no card",
    "do: [P1 cannot: talent V5]": "names no card",
    "do: [P1 cannot: V5]": "names no card",
    "do: [expect: {asks: {not: [play V5]}}]": "names no card",
}


@pytest.mark.parametrize("text", TYPOS)
def test_typos_are_reported(text: str) -> None:
    with pytest.raises(ScenarioError, match=TYPOS[text]):
        play(text)


@pytest.mark.parametrize(
    "text",
    [
        "P1 cannot: play Filler at B1",
        "P1 cannot: play Filler",
        "P1 cannot: [play Filler at B2 by rule, pass, later, none]",
        "P1 cannot: [V3, P2's V3 at B1, B2, P2]",
        "expect: {asks: {player: P1, not: [play Filler, V3]}}",
    ],
)
def test_what_cannot_be_done_must_be_named(text: str) -> None:
    play(f"bases: [B1: {{P2: [V3]}}, B2]\ndo: [{text}]")


# --- the command line -----------------------------------------------------------------------


def write_file(tmp_path: Path, text: str) -> str:
    file = tmp_path / "case.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_verbose_prints_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_file(tmp_path, "id: X-1\ntitle: A play\nhands: {P1: [A1]}\ndo: [P1: play A1]")
    assert cli.run_files([file], verbose=True) == 0
    assert "PASSED: X-1 [CS, printed]  A play\n" in (said := capsys.readouterr().out)
    assert "    P1 plays A1.\n" in said
    assert cli.run_files([file]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


INVALID_FILES = [
    "a: [",
    "- 3",
    "",
    "fixtures: {X: {type: base, vp: x}}",
    "setup: {draft: true, pool: [5]}",
]


@pytest.mark.parametrize("text", [*TYPOS, *INVALID_FILES])
def test_no_file_makes_it_stumble(text: str, tmp_path: Path) -> None:
    assert cli.run_files([write_file(tmp_path, text)]) in (1, 2)


def test_a_slip_of_ours_is_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("oh")

    monkeypatch.setattr(cli, "run", fail)
    assert cli.run_files([write_file(tmp_path, "{id: X-1, vp: {P1: 1}}")]) == 1
    assert "Please report" in capsys.readouterr().out


def test_a_reader_may_leave_early(tmp_path: Path) -> None:
    many = "\n".join(f"- {{id: X-{i}, title: {'x' * 200}, vp: {{P1: 1}}}}" for i in range(500))
    command = (
        f"{sys.executable} -m smashup.terminal scenario --verbose {write_file(tmp_path, many)}"
    )
    done = subprocess.run(
        f"{command} | head -1", shell=True, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("PASSED: X-0")
    assert done.stderr == ""


def test_an_unknown_purpose_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"“targt” is not allowed here.*target.*play_menu"):
        play("expect: {asks: {purpose: targt}}")
