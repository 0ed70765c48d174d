"""`perturb paraphrase`: a table of rewordings, each checked, for the step of the same name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import display
from perturb.cli import progress, system_options
from perturb.cli.manual import at_least
from perturb.cli.play import serve
from perturb.cli.system_options import ON_ERROR, PACING, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from perturb.evaluation.ask_rows import AskCounts, Run
    from perturb.evaluation.asking import Asking
    from perturb.rewording.reword import Asker

MANUAL = f"""
Ask a system for a rewording of each text, check it, ask again where a check fails, and write a
table for the step paraphrase:file=TABLE, which asks nobody. TABLE.journal keeps every answer at
once, so a stopped run continues where it was and asks nothing twice.

the system:
{SYSTEM}
texts:
input INPUT  the rows, such as those that perturb apply will get; each different text is asked for
    once. With --sign-off a table
-o, --output TABLE  the table, JSON lines: a text, its rewording, and what each check said of it
--field* PATH  the field of a text; may be repeated (default: text)
--prompt FILE  a prompt in place of the one that comes with perturb, with {{text}}; YAML with user
    and system, or the user's message. A program gets an object with text, try and messages
--tries N [3]  how often a text is asked for until its rewording passes (default: 3); the next try
    shows the system what the checks said
checks:
--checks NAMES [all]  what a rewording has to keep, separated by commas: numbers, units, names,
    negations, options, placeholders, question (whether it asks), length, language; and words, which
    have to differ; or all of these (default). Further ones: embedding or embedding:MODEL, a cosine
    of at least 0.7 by a local model; python:FILE.py:FUNCTION, called with the text and the
    rewording, which returns true, false, or the fault as a text
--judge-endpoint URL  a judge of the rewordings that pass, asked both ways whether one text says all
    of the other: an endpoint, or with --judge-model alone that of the system
--judge-model NAME  the model of the judge
--judge-command COMMAND  a program or function as the judge, as for --command
--sign-off  ask nobody: show each text beside its rewording on a local web page, and write your yes
    or no into the table INPUT. It counts before the checks, and outlives further calls
--port PORT [0]  the port of the page (default: any free one)
--no-browser  only print the address of the page
how to ask:
{PACING}
{ON_ERROR}
--dry-run  ask nothing, and show what the first try would ask
"""
TYPES = {"tries": at_least(1)}


def run(
    *,
    input: str,
    output: str | None,
    field: list[str] | None,
    tries: int,
    checks: str,
    sign_off: bool,
    port: int,
    no_browser: bool,
    dry_run: bool,
    **options: Any,
) -> int:
    """Ask, check, and write the table; or serve the page to sign it off."""
    if sign_off:
        from perturb.evaluation.asking import refuse_idle
        from perturb.rewording.sign_off import SigningServer

        idle = ("output", "endpoint", "command", "judge_model", "judge_endpoint", "judge_command",
                "dry_run")  # fmt: skip
        given = {**options, "output": output, "dry_run": dry_run}
        refuse_idle(given, "with --sign-off, which asks nobody", idle)
        server = partial(SigningServer, input, port)
        return serve("paraphrase", server, port, browser=not no_browser)
    from perturb.evaluation.ask_rows import AskCounts
    from perturb.io.outputs import writing
    from perturb.perturbators.shared.rewordings import Rewording, table_at
    from perturb.rewording.faults import checks_of
    from perturb.rewording.reword import question_of, reword, texts_of

    read, to = system_options.check_files(input, output, **options)
    before = table_at(to).lines if Path(to).exists() else []
    checked = checks_of(checks.split(","))
    texts = texts_of(read, field or ["text"])
    asking = system_options.asking_of(options)
    asked = {"question": _asker(asking, "paraphrase", f"{to}.journal")}
    named = {name: options[f"judge_{name}"] for name in ("endpoint", "model", "command")}
    if (judge := _judge(asking, named)) is not None:
        asked["question of the judge"] = _asker(judge, "entailment", f"{to}.judge.journal")
    if dry_run:
        asker, asking = asked["question"]
        questions = [question_of(asker, Rewording(text), 1) for text in texts]
        missing = [question for question in questions if question not in asker.journal]
        run = asking.run(asker.journal, AskCounts(len(questions), len(questions) - len(missing)))
        when = f" at the first of {progress.plural(tries, 'try', 'tries')}"
        system_options.show_plan(asking, run, iter(missing), questions[0], when)
        return 0
    askers = (asker for asker, _ in asked.values())
    table = reword(texts, *askers, checks=checked, tries=tries, before=before)
    for noun, (asker, asking) in asked.items():
        nouns = noun.replace("question", "questions")
        progress.failed(asker.counts.failure(asker.journal, noun, nouns, asking.on_error))
        progress.answers(asker.counts, asking.prices)
    settings = [
        {**asking.call("paraphrase")["options"], "prompt": asker.prompt._asdict()}
        for asker, asking in asked.values()
    ]
    table = table._replace(manifest={"asked": settings, **table.manifest})
    with writing(to) as (file, _):
        file.write(table.written())
    for name, count in table.manifest["checks"].items():
        of = progress.plural(count["checked"], "rewording")
        display(f"{name}: {count['failed']:,} of {of} failed")
    accepted = sum(line.accepted for line in table.lines)
    display(
        f"{accepted:,} of {progress.plural(len(table.lines), 'text')} have a rewording",
        f"perturb apply paraphrase:file={to}",
    )
    return 0


def _judge(asking: Asking, named: Mapping[str, str | None]) -> Asking | None:
    """Return the plan of asking the judge, in place of the system; None for none."""
    from perturb.evaluation.asking import ENDPOINT

    if not any(named.values()):
        return None
    if named["command"] is not None:
        idle: dict[str, Any] = dict.fromkeys((*ENDPOINT, "endpoint", "prompt"))
        return replace(asking, **{**idle, "command": named["command"]})
    given: dict[str, Any] = {name: one or getattr(asking, name) for name, one in named.items()}
    return replace(asking, **{**given, "command": None, "prompt": None})


def _asker(asking: Asking, prompt: str, journal: str) -> tuple[Asker, Asking]:
    """Return a system with its prompt and its journal, and the plan of asking it."""
    from perturb.evaluation.ask_rows import AskCounts
    from perturb.rewording.reword import Asker, prompt_in

    template = prompt_in(asking.prompt, prompt)
    kept = asking.journal(journal, prompt=template._asdict())

    def opened(counts: AskCounts) -> AbstractContextManager[Run]:
        return system_options.watched(asking.run(kept, counts))

    return Asker(opened, kept, template, asking.command is not None, AskCounts()), asking
