"""`smashup new-faction`: a faction file to start from."""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from smashup.cards import catalogue
from smashup.cards.authoring.declarations import RESERVED_IN_NAMES
from smashup.engine.errors import SetupError, reason
from smashup.terminal.cli.invocation import format_command
from smashup.terminal.cli.options import add_language_option
from smashup.terminal.translation import printable, tr

if TYPE_CHECKING:
    from smashup.terminal.cli.options import Subparsers

MAX_NAME_LENGTH: Final = 40
SKELETON: Final = '''\
"""{title}: a faction of your own. docs/your-faction.md explains every line."""

from __future__ import annotations

from smashup.cards.language import (
    YOURS,
    Action,
    ActionOnMinion,
    BaseCard,
    Card,
    Event,
    Faction,
    Minion,
)


class Leader(Minion):
    name = {leader}
    power = 5
    text = "Talent: place a +1 power counter on another of your minions here."

    def talent(self, me: Card) -> None:
        subject = me.target("Which minion grows?", me.minions(YOURS, me.base, but=me))
        me.place_counters(1, on=subject)


class Scout(Minion):
    name = {scout}
    power = 3
    copies = 4
    text = "Draw a card."

    def on_play(self, me: Card) -> None:
        me.draw(1)


class Recruit(Minion):
    name = {recruit}
    power = 2
    copies = 6
    text = "Ongoing: +1 power if you have another minion here."

    def power_bonus(self, me: Card) -> int:
        return 1 if me.minions(YOURS, me.base, but=me) else 0


class Rally(Action):
    name = {rally}
    copies = 5
    text = "A minion of yours has +2 power until the end of the turn."

    def on_play(self, me: Card) -> None:
        me.gain_power(me.target("Which minion?", me.minions(YOURS)), 2)


class Armor(ActionOnMinion):
    name = {armor}
    copies = 4
    text = "Play on one of your minions. Ongoing: it has +2 power."

    def can_attach_to(self, me: Card, host: Card) -> bool:
        return host.controller is me.controller

    def host_bonus(self, me: Card, host: Card) -> int:
        return 2


class Headquarters(BaseCard):
    name = {headquarters}
    breakpoint = 20
    vp = (4, 2, 1)
    text = "After this base scores, the winner draws a card."

    def after_score(self, me: Card, ev: Event) -> None:
        for winner in ev.winners:
            winner.draw(1)


FACTION = Faction(
    name={name},
    set_name="My Factions",
    blurb="Describe in one sentence how it plays.",
    cards=(Leader, Scout, Recruit, Rally, Armor),
    bases=(Headquarters,),
    colors=("#2f6b4f", "#ffd23f"),
)
'''


def add_new_faction(commands: Subparsers) -> None:
    """Add the subcommand and its options."""
    new = commands.add_parser(
        "new-faction",
        help=tr("create a faction file to start from"),
        description=tr(
            "Creates a Python file with a small faction that can be played at once: change its"
            " cards one by one."
        ),
    )
    new.add_argument("name", metavar=tr("NAME"), help=tr("the name of the faction"))
    new.add_argument(
        "--file", metavar=tr("FILE"), help=tr("the file to create (default: named by the faction)")
    )
    add_language_option(new)


def run_new_faction(options: argparse.Namespace) -> int:
    """Write the file and print what to do next."""
    name = " ".join(options.name.split())
    if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise SetupError("A faction needs a name of 1 to {most} characters.", most=MAX_NAME_LENGTH)
    reserved = RESERVED_IN_NAMES & set(name)
    if reserved:
        raise SetupError(
            "The name of a faction must not contain {character}, which separates factions in"
            " options.",
            character=min(reserved),
        )
    if any(
        name.casefold() in (f.name.casefold(), f.name_fr.casefold()) for f in catalogue().factions
    ):
        raise SetupError(
            "There is a faction called “{name}” already; choose another name.", name=name
        )
    path = Path(options.file) if options.file else Path(f"{module_name(name)}.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(skeleton(name))
    except FileExistsError:
        raise SetupError(
            "{path} exists already; name another file with --file.", path=str(path)
        ) from None
    except OSError as error:
        raise SetupError(
            "{path} cannot be written: {why}.", path=str(path), why=reason(error)
        ) from error
    print(tr("Created {path}. Check it, look at it and play it:", path=printable(str(path))))
    for words in (
        ("check-faction", str(path)),
        ("preview", str(path)),
        ("play", "--faction-file", str(path), "--factions", f"{name}+Kaiju"),
    ):
        print(f"  {printable(format_command(*words))}")
    return 0


def skeleton(name: str) -> str:
    """Return a faction file that passes all checks."""
    cards = {word.lower(): _quote(f"{name} {word}") for word in
             ("Leader", "Scout", "Recruit", "Rally", "Armor", "Headquarters")}  # fmt: skip
    title = name.replace("\\", "/").replace('"', "'")
    return SKELETON.format(title=title, name=_quote(name), **cards)


def _quote(text: str) -> str:
    """Return a Python literal in double quotes, like the others of the file."""
    return json.dumps(text, ensure_ascii=False)


def module_name(name: str) -> str:
    """Return a file name for a faction, in lower-case ASCII."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
    return words if words and not words[0].isdigit() else f"faction_{words}".rstrip("_")
