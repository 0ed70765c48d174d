"""Counts, means and titles of verdicts, comparisons and standings again, from the rows alone."""

from collections import Counter
from itertools import combinations
from statistics import fmean

import pytest

from perturb.robustness import compare, score
from perturb.robustness.metrics.sampling import uniforms
from perturb.robustness.tables.tables import MEASURES, flat

# By condition: its steps, whether it edits an original, and what becomes of the right answer.
CONDITIONS = {
    "typos": ("typos@1:p=0.1", lambda at: at % 4, "same"),
    "case": ("case@1:p=0.2", lambda at: True, "same"),
    "inert": ("inert@1:p=0.3", lambda at: False, "same"),
    "negate": ("negate@1:p=0.4", lambda at: True, "other"),
    "identity": ("identity@1", lambda at: False, "same"),
}
SHARES = {"A": (0.95, 0.9), "B": (0.9, 0.55), "C": (0.7, 0.65)}
COUNT, VERSIONS = 40, 3
near = {"rel": 1e-12, "abs": 1e-12}


@pytest.fixture
def systems(linked):
    """40 originals, three versions under each condition, as three systems answer them.

    A and B get ten originals wrong, whatever the noise: these are held by nobody.
    """

    def system(key, clean, noisy):
        chance = iter(uniforms(key, 2000).tolist())

        def said(at, share):
            told = next(chance)
            if told > 0.985:
                return {"prediction": None}
            if told > 0.965:
                return {"prediction": "I'm sorry, but I can't help with that."}
            return {"prediction": "right" if told < share and (at % 4 or key > 2) else f"no {at}"}

        rows = []
        for at in range(COUNT):
            rows.append({"id": str(at), "text": "clean text", "answer": "right", **said(at, clean)})
            for name, (steps, edits, expect) in CONDITIONS.items():
                changed = bool(edits(at))
                share = noisy if changed else clean
                rows += [
                    linked(
                        at, steps=steps, condition=name, replicate=one, answer="right",
                        status="changed" if changed else "no site",
                        expect=expect if changed else "same", **said(at, share),
                    )
                    for one in range(VERSIONS)
                ]  # fmt: skip
        return rows

    return {name: system(key, *shares) for key, (name, shares) in enumerate(SHARES.items(), 1)}


class Reference:
    """All that is counted, by loops over the rows of one system."""

    def __init__(self, rows):
        self.clean = {row["id"]: row for row in rows if "perturbation" not in row}
        self.rows = [row for row in rows if "perturbation" in row]

    def of(self, name):
        """The rows of a condition; of "overall" those that are edited somewhere, and judged."""
        if name == "overall":
            return [row for row in self.rows if condition(row) in ("typos", "case")]
        return [row for row in self.rows if condition(row) == name]

    def before(self, row):
        """What a row is compared with: the clean answer, and the controls that ask for it again."""
        again = [one for one in self.of("identity") if original(one) == original(row)]
        clean = right(self.clean[original(row)])
        return clean if condition(row) == "identity" else fmean([clean, *map(right, again)])

    def figures(self, rows):
        clean = [self.clean[original(row)] for row in rows]
        before, after = [self.before(row) for row in rows], [right(row) for row in rows]
        pairs = list(zip(map(right, clean), after, strict=True))
        unedited = [
            pair if state(row) == state(self.clean[original(row)]) == "read" else (0, 0)  # lost
            for row, pair in zip(rows, pairs, strict=True)
            if not changed(row)
        ]
        moved = [b - a for row, a, b in zip(rows, before, after, strict=True) if changed(row)]
        own = {name: [row for row in rows if original(row) == name] for name in self.clean}
        own = {name: versions for name, versions in own.items() if versions}
        states = Counter(map(state, rows))
        return {
            "rows": len(rows),
            "originals": len(own),
            "clean_mean": fmean(before),
            "perturbed_mean": fmean(after),
            "difference": fmean(after) - fmean(before),
            "relative_change": 100 * (fmean(after) / fmean(before) - 1),
            "flips_to_bad": pairs.count((1, 0)),
            "flips_to_good": pairs.count((0, 1)),
            "unedited": len(unedited),
            "unedited_flips": sum(a != b for a, b in unedited),
            "edited_difference": fmean(moved) if moved else None,
            "worst_of_k": fmean(min(map(right, each)) for each in own.values()),
            "clean_worst_of_k": fmean(right(self.clean[name]) for name in own),
            "no_answer": 100 * states["no reply"] / len(rows),
            "no_reply": 100 * states["no reply"] / len(rows),
            "refused": 100 * states["refused"] / len(rows),
            "clean_refused": 100 * Counter(map(state, clean))["refused"] / len(rows),
            "consistency": self.agreement(own),
        }

    def agreement(self, own):
        """The percent of pairs of answers to one original that are the same one."""
        equal = every = 0
        for name, versions in own.items():
            answers = [row["prediction"] for row in (self.clean[name], *versions)]
            for one, other in combinations(answers, 2):
                every, equal = every + 1, equal + (one is not None and one == other)
        return 100 * equal / every


def condition(row):
    return row["perturbation"]["condition"]


def original(row):
    return row["perturbation"]["original_id"]


def changed(row):
    return row["perturbation"]["status"] == "changed"


def right(row):
    return int(row["prediction"] == "right")


def state(row):
    said = row["prediction"]
    return "no reply" if said is None else "refused" if said.startswith("I'm") else "read"


@pytest.mark.slow
@pytest.mark.parametrize("name", SHARES)
def test_one_system(systems, name):
    reference, report = Reference(systems[name]), score(systems[name], unanswered="wrong").to_dict()
    found = {(one["perturbator"], one["scope"]): one for one in report["conditions"]}
    assert {each for each, scope in found if scope == "all"} == {*CONDITIONS}
    found |= {("overall", one["scope"]): one for one in report["overall"]}
    for each in (*CONDITIONS, "overall"):
        rows = reference.of(each)
        assert picked(found[each, "all"], reference.figures(rows)) == reference.figures(rows)
        edited = list(filter(changed, rows))
        if edited and each != "negate":
            figures = reference.figures(edited)
            assert picked(found[each, "changed"], figures) == figures


def picked(found, names):
    """The same figures of a report, near enough."""
    own = {name: found[name] for name in names}
    if found["expect"] == "other":  # the difference is that of the reaction
        own["difference"] = own["perturbed_mean"] - own["clean_mean"]
    return {
        name: value if value is None else pytest.approx(value, **near)
        for name, value in own.items()
    }


def test_a_condition_that_changed_nothing_is_in_no_average(systems):
    """By hand: 60 rows lose a third; 60 more, without an edit, lose nothing."""
    rows = [row for row in systems["A"] if "perturbation" not in row][:20]
    rows = [{**row, "prediction": "right"} for row in rows]
    noisy = [row for row in systems["A"] if "perturbation" in row and int(original(row)) < 20]
    lost = iter([True, False, False] * 20)
    for row in noisy:
        if condition(row) == "case":
            rows.append({**row, "prediction": "wrong" if next(lost) else "right"})
        if condition(row) == "inert":
            rows.append({**row, "prediction": "right"})
    (overall,) = [one for one in score(rows).to_dict()["overall"] if one["scope"] == "all"]
    assert overall["rows"] == 60
    assert overall["difference"] == pytest.approx(-1 / 3, **near)


def test_a_control_is_compared_with_its_own_clean_row(linked):
    """By hand: what was right is wrong when it is asked again, half of the time."""
    rows = [
        {"id": str(at), "text": "clean text", "answer": "a", "prediction": "a"} for at in range(40)
    ]
    for at in range(40):
        again = {"steps": "identity@1", "status": "no site", "answer": "a"}
        rows.append(linked(at, prediction="ab"[at % 2], **again))
        rows.append(linked(at, prediction="a", answer="a"))
    found = {one["perturbator"]: one for one in score(rows).to_dict()["conditions"]}
    assert (found["identity"]["clean_mean"], found["identity"]["difference"]) == (1, -0.5)
    assert (found["typos"]["clean_mean"], found["typos"]["difference"]) == (0.75, 0.25)


@pytest.mark.slow
@pytest.mark.parametrize("names", ["AB", "BA", "AC", "CB"])
def test_two_systems(systems, names):
    sides = [Reference(systems[name]) for name in names]
    report = compare(*(systems[name] for name in names), unanswered="wrong").to_dict()
    found = {one["condition"].partition(" ")[0]: one for one in report["conditions"]}
    assert {*found} == {*CONDITIONS}
    found["overall"] = report["overall"][0]
    for name, one in found.items():
        rows = [side.of(name) for side in sides]
        figures = [side.figures(own) for side, own in zip(sides, rows, strict=True)]
        assert (one["rows"], one["originals"]) == (figures[0]["rows"], figures[0]["originals"])
        assert one["changed"] == sum(map(changed, rows[0]))
        if one["expect"] == "same":
            changes = [each["difference"] for each in figures]
            assert [one["change_a"], one["change_b"]] == pytest.approx(changes, **near)
            assert one["difference"] == pytest.approx(changes[1] - changes[0], **near)
            assert [one["a_holds"], one["b_holds"]] == holds(sides, rows)
    held = [[each, f"{name} p={CONDITIONS[name][0][-3:]}"] for each, name in held_by(sides)]
    assert sorted(report["a_holds"]) == sorted(held)


def holds(sides, rows):
    """How many rows each keeps right where the other breaks."""
    counts = [0, 0]
    for pair in zip(*rows, strict=True):
        moves = [
            (right(side.clean[original(row)]), right(row))
            for side, row in zip(sides, pair, strict=True)
        ]
        for keeps, breaks in ((0, 1), (1, 0)):
            counts[keeps] += moves[keeps] == (1, 1) and moves[breaks] == (1, 0)
    return counts


def held_by(sides):
    """The originals and conditions that A holds and B breaks, of what is judged."""
    for one, other in zip(*(side.of("overall") for side in sides), strict=True):
        if holds(sides, [[one], [other]])[0]:
            yield original(one), condition(one)


def test_who_is_wrong_without_noise_holds_nothing(linked):
    """By hand: A is always wrong; B is right, but for noise."""
    clean = [{"id": str(at), "text": "clean text", "score": 0} for at in range(40)]
    noisy = [linked(at, score=0) for at in range(40)]
    other = [*({**row, "score": 1} for row in clean), *noisy]
    found = compare([*clean, *noisy], other, metrics={"score": {"threshold": 0.5}}).to_dict()
    (one,) = found["conditions"]
    assert (one["a_holds"], one["b_holds"], found["a_holds"]) == (0, 0, [])


@pytest.mark.slow
def test_three_systems(systems):
    report = compare(systems, unanswered="wrong").to_dict()
    for one in [*report["conditions"], *report["overall"]]:
        reference = Reference(systems[one["system"]])
        figures = reference.figures(reference.of(one["condition"].partition(" ")[0]))
        assert picked(one, figures) == figures
    losses = {name: Reference(rows) for name, rows in systems.items()}
    losses = {name: each.figures(each.of("overall"))["difference"] for name, each in losses.items()}
    ranks = {one["system"]: one["rank"] for one in report["overall"]}
    assert sorted(ranks, key=ranks.get) == sorted(losses, key=losses.get, reverse=True)


def number(value, form):
    return "-" if value is None else format(value, form)


# What stands under each title, of the measures by their names.
TITLES = {
    "condition": lambda one: one["name"],
    "clean -> perturbed": lambda one: f"{one['clean_mean']:.3f} -> {one['perturbed_mean']:.3f}",
    "difference [95 %]": lambda one: (
        f"{one['difference']:+.3f} [{number(one['low'], '+.3f')}, {number(one['high'], '+.3f')}]"
    ),
    "verdict": lambda one: one["verdict"],
    "p adj.": lambda one: number(one["p_adjusted"], ".2g"),
    "clean": lambda one: f"{one['clean_mean']:.3f}",
    "perturbed": lambda one: f"{one['perturbed_mean']:.3f}",
    "95 % of perturbed": lambda one: f"{one['perturbed_low']:.3f} to {one['perturbed_high']:.3f}",
    "rows": lambda one: str(one["rows"]),
    "changed": lambda one: str(one["rows"] - one["unedited"]),
    "originals": lambda one: str(one["originals"]),
    "more needed": lambda one: number(one["more_originals"], ",d"),
    "change %": lambda one: number(one["relative_change"], "+.1f"),
    "h/pi": lambda one: f"{one['cohens_h']:+.2f}",
    "broke": lambda one: str(one["flips_to_bad"]),
    "recovered": lambda one: str(one["flips_to_good"]),
    "unedited flips": lambda one: f"{one['unedited_flips']} of {one['unedited']}",
    "worst": lambda one: f"{one['worst_of_k']:.3f}",
    "clean worst": lambda one: f"{one['clean_worst_of_k']:.3f}",
    "agree %": lambda one: f"{one['consistency']:.1f}",
    "unread %": lambda one: f"{one['unread']:.1f}",
    "refused %": lambda one: f"{one['refused']:.1f}",
    "cut off %": lambda one: f"{one['truncated']:.1f}",
    "no reply %": lambda one: f"{one['no_reply']:.1f}",
    "missing %": lambda one: f"{one['missing']:.1f}",
    "detectable": lambda one: number(one["minimum_detectable_drop"], ".3f"),
}


@pytest.mark.slow
def test_each_measure_stands_under_its_title(systems):
    verdict = score(systems["B"])
    table, report = verdict._table(wide=True), verdict.to_dict()
    rows = {row[0]: dict(zip(table.header, row, strict=True)) for row in table.rows}
    for found in [*report["conditions"], *report["overall"]]:
        if found["scope"] != "all" or found["expect"] == "other":
            continue
        strength = "" if found["p"] is None else f" p={found['p']:g}"
        one = {**found, "name": found["perturbator"] + strength}
        row = rows[one["name"]]
        assert {title: row[title] for title in TITLES} == {
            title: cell(one) for title, cell in TITLES.items()
        }


def test_no_two_measures_read_the_same_figure(systems):
    """With a figure of its own in each place, a title over another's figure would show."""
    (finding,) = score(systems["B"]).overall[:1]
    numbers = iter(range(1, 1000))

    def numbered(one):
        return one._make(
            numbered(value) if hasattr(value, "_make") else next(numbers) for value in one
        )

    finding = numbered(finding)
    named = flat(finding)
    cells = {}
    for measure in MEASURES:
        assert measure.of(finding) == [
            named.get(path.rpartition(".")[2], finding.comparison.changed) for path in measure.paths
        ]
        cells[measure.title] = measure.cell(finding)
    assert len({*cells.values()}) == len(cells)
