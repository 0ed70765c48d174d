"""`perturb completion`: scripts with which a shell completes the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

from perturb.boundary import display
from perturb.cli.parser import COMMANDS, parser_of
from perturb.registry.registry import MODULE_OF

# Each asks this command for the words that may follow, and completes files if there are none. Every
# word of the line is the value of its own option, after "==", since "--" can't be a value.
SCRIPTS = {
    "bash": """\
_perturb() {
  local IFS=$'\\n'
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(perturb completion "${words[@]/#/--word==}" 2>/dev/null))
}
complete -o default -F _perturb perturb
""",
    "zsh": """\
#compdef perturb
_perturb() {
  local -a found
  found=(${(f)"$(perturb completion "${(@)words[2,CURRENT]/#/--word==}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _perturb perturb
""",
    "fish": """\
function __perturb_words
  perturb completion --word==(commandline -opc)[2..] --word==(commandline -ct) 2>/dev/null
end
complete -c perturb -a '(__perturb_words)'
""",
}
_USE = {
    "bash": 'eval "$(perturb completion bash)"   in ~/.bashrc',
    "zsh": 'eval "$(perturb completion zsh)"   in ~/.zshrc, after compinit',
    "fish": "perturb completion fish > ~/.config/fish/completions/perturb.fish",
}


MANUAL = """
shell {bash,zsh,fish}?
"""


def add_further(parser: argparse.ArgumentParser) -> None:
    """Add the line that enables each shell's script, and the option that the scripts use."""
    parser.add_argument("--word", action="append", help=argparse.SUPPRESS)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(_USE.values())


def run(*, shell: str | None, word: list[str] | None) -> int:
    """Print the script of a shell, or the words that may follow others."""
    if word is not None:
        display("\n".join(following([each.removeprefix("=") for each in word])))
    elif shell is None:
        display("\n".join(_USE.values()))
    else:
        display(SCRIPTS[shell], end="")
    return 0


def following(words: Sequence[str]) -> list[str]:
    """Return the words that complete the last one, which may be empty.

    Args:
        words: the words of a command line, without the program. If a file must follow, the result
            is empty.
    """
    *before, last = words or [""]
    if not before:
        candidates: Iterable[str] = COMMANDS
    elif before[0] in COMMANDS:
        candidates = _candidates(parser_of(before[0])._actions, before[-1], last)
    else:
        candidates = ()
    return sorted(word for word in candidates if word.startswith(last))


def _candidates(actions: Sequence[argparse.Action], before: str, last: str) -> Iterator[str]:
    """Yield the words that a command takes after a word, in place of the last."""
    for action in actions:
        if before in action.option_strings and action.nargs != 0:
            yield from action.choices or ()
            return
    for action in actions:
        if last.startswith("-"):
            yield from action.option_strings
        elif not action.option_strings:
            yield from action.choices or ()
            if action.dest in ("steps", "names"):
                yield from MODULE_OF
