"""Completion: the words that may follow, and the scripts of the shells that ask for them."""

import os
import shutil
import subprocess
import sys

import pytest

from perturb.cli.completion import SCRIPTS, following


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["a"], ["apply"]),
        (["apply", "keyb"], ["keyboard_typos"]),
        (["apply", "--with"], ["--with-original"]),
        (["apply", "ocr", "--span-policy", ""], ["drop", "grow", "refuse"]),
        (["apply", "ocr", "-i", ""], []),
        (["verify", ""], []),
        (["show", "yz"], ["yz_swap"]),
        (["completion", "f"], ["fish"]),
        (["nonsense", ""], []),
    ],
)
def test_words_that_may_follow(words, found) -> None:
    assert following(words) == found


def test_all_commands_and_names() -> None:
    import perturb
    from perturb.cli.parser import COMMANDS

    assert following([]) == following([""]) == sorted(COMMANDS)
    assert set(perturb.names()) <= set(following(["apply", ""]))


ASK = {
    "bash": "COMP_WORDS=(perturb LINE); COMP_CWORD=2; _perturb; printf '%s\\n' ${COMPREPLY[@]}",
    "zsh": "words=(perturb LINE); CURRENT=3; _perturb",
    "fish": "complete -C 'perturb LINE'",
}
# In place of what only a line that is being typed has.
FIRST = {"zsh": "compdef() { }; compadd() { print -l -- $found }; _files() { print files }\n"}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_shell_reads_its_script(shell, tmp_path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(SCRIPTS[shell])
    subprocess.run([shell, "-n", script], check=True)


@pytest.mark.parametrize(
    ("line", "found"),
    [("apply keyb", ["keyboard_typos"]), ("explain --", following(["explain", "--"]))],
)
@pytest.mark.parametrize("shell", ASK)
def test_a_shell_completes(shell, line, found, tmp_path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    program = tmp_path / "perturb"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m perturb "$@"\n')
    program.chmod(0o755)
    script = FIRST.get(shell, "") + SCRIPTS[shell] + ASK[shell].replace("LINE", line)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, env=environment)
    assert [word.split()[0] for word in done.stdout.splitlines()] == found, done.stderr
