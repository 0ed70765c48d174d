"""`perturb score`: the verdict on scored rows."""

from __future__ import annotations

import argparse

from perturb.cli import judge_options, pages, scoring_options, verdict_options
from perturb.cli.scoring_options import GRADING, HUMAN, MARGIN, SCORED
from perturb.cli.system_options import PACING, SYSTEM
from perturb.cli.verdict_options import AT_LEAST, CARDS, FORM_OR_CARD, JUNIT
from perturb.errors import UsageError

MANUAL = f"""
Judge the scores of perturbed rows against those of their originals: robust, worse, better, no
worse, undecided, or why it cannot be judged; where the answers should change, sensitive or
insensitive.

{SCORED}
{GRADING}
{MARGIN}
{AT_LEAST}
--seed SEED  also give the interval of a bootstrap, drawn with this seed, with --json, --csv and
    --format tsv; no verdict depends on it
{FORM_OR_CARD}
--wide  show all measures in the table
--plot DIR  also write plots, PNG and SVG
--fail-if* RULE []  exit with 3 where it holds: 'drop>0.05' if the interval proves such a drop,
    'keyboard_typos@0.1: low<-0.1' for one condition and limit, 'reaction<0.1' if the answers that
    should change provably do less; may be given again
{JUNIT}
the judge, with --match judge:
{SYSTEM}
how the judge is asked:
--judge-prompt FILE  in place of the prompt that comes with perturb: as --prompt of perturb run,
    with {{reference}} and {{response}}
--dry-run  ask nothing; print how many replies there are to judge, and the first question as it is
    asked
{PACING}
options:
{HUMAN}
--draw N  write the replies to N originals, drawn at random (--seed), and to their versions to
    SCORED.human.jsonl, for a person to grade in the field of --human, and stop
"""


def run(args: argparse.Namespace) -> int:
    """Print the verdict."""
    from perturb.report.runs import runs_of
    from perturb.robustness.scoring.gate import gated

    rules = verdict_options.rules_of(args)
    if args.draw is not None:
        judge_options.draw(args)
        return 0
    if not judge_options.ask_judge(args):
        return 0
    judged = scoring_options.judge(args, scoring_options.sources(args), args.scored)
    verdict, named = judged.verdict, [str(args.scored)]
    runs = runs_of(named, apart=False)[:1] if args.format in CARDS else []
    text = pages.text_of(args, verdict, named, runs, [judged])
    status = verdict_options.print_gated(args, rules, gated(verdict), text, verdict.sentence)
    if args.plot is not None:
        try:
            from perturb.robustness.tables.plots import write_plots
        except ImportError as error:
            raise UsageError(str(error)) from None
        write_plots(verdict, args.plot)
    return status
