"""`smashup completion`, with a real shell."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from smashup.terminal.main import main
from tests.terminal.cli_process import environment


def script(capsys: pytest.CaptureFixture[str], shell: str) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "offered", "not_offered"),
    [
        (["pl"], {"play"}, {"duel"}),
        (["duel", "--unt"], {"--until-above", "--until-best"}, {"--games"}),
        (["duel", "e"], {"easy", "expert"}, {"hard"}),
        (["play", "--edition", ""], {"BIJ", "CS"}, {"--seed"}),
        (["cards", "--printing", "c"], {"current"}, {"printed"}),
        (["lab", "mat"], {"matrix"}, {"report"}),
        (["completion", ""], {"bash", "zsh", "fish"}, set()),
        (["play", "--resume", "ga"], {"game.json"}, {"letter.txt"}),
    ],
)
def test_bash_completes(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    offered: set[str],
    not_offered: set[str],
) -> None:
    (tmp_path / "game.json").touch()
    (tmp_path / "letter.txt").touch()
    typed = " ".join(f"'{word}'" for word in ["smashup", *words])
    ask = f"""
    COMP_WORDS=({typed}); COMP_CWORD={len(words)}
    handler=$(complete -p smashup | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    $handler smashup "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script(capsys, "bash") + ask],
        capture_output=True, text=True, cwd=tmp_path, env=environment(tmp_path), timeout=20,
        check=True,
    )  # fmt: skip
    found = set(done.stdout.split())
    assert offered <= found
    assert not not_offered & found


@pytest.mark.parametrize(
    ("shell", "line"),
    [("zsh", "#compdef smashup"), ("fish", "complete -c smashup")],
)
def test_other_shells_get_their_own_script(
    capsys: pytest.CaptureFixture[str], shell: str, line: str
) -> None:
    text = script(capsys, shell)
    assert line in text
    for word in ("check-faction", "until-above", "let two bots play each other"):
        assert word in text


def test_the_shell_of_the_user_is_the_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert script(capsys, "fish") == (main(["completion"]), capsys.readouterr().out)[1]
    monkeypatch.setenv("SHELL", "/bin/csh")
    assert main(["completion"]) == 2
    assert "Which shell? Name one of bash, zsh and fish." in capsys.readouterr().err
