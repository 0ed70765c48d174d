"""The page: one self-contained file with its style, script and data."""

from __future__ import annotations

import base64
import hashlib
import math
import unicodedata
import zlib
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import orjson

from perturb.errors import installing
from perturb.report.series import key_of, strength
from perturb.robustness.measures.judgement import SYSTEMS, of_systems
from perturb.robustness.tables.formats import MINUS
from perturb.robustness.tables.tables import MEASURES, Measure

try:
    from jinja2 import Environment, PackageLoader, StrictUndefined, Template
    from markupsafe import Markup, escape
except ImportError:
    raise ImportError(f"the page needs jinja2: {installing('report')}") from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.report.contents import Data
    from perturb.report.follow_up import Surroundings
    from perturb.robustness.measures.findings import Finding
    from perturb.robustness.tables.figures import Figure

_ARRAYS = orjson.OPT_SERIALIZE_NUMPY
_SCRIPTS = ("theme.js", "data.js", "state.js", "marks.js", "flips.js", "matrix.js", "start.js")


def page(data: Data, around: Surroundings, beside: Sequence[str] = ()) -> str:
    """Write the page.

    Args:
        data: the contents.
        around: its words.
        beside: the names of the files with further rows, which stand beside it.
    """
    script = f'(() => {{\n"use strict";\n{"".join(map(_asset, _SCRIPTS))}}})();\n'
    if "</script" in script.lower() or "<!--" in script:  # either would end it early
        raise ValueError("a page can't hold the program: it holds </script or <!--")
    systems = SYSTEMS if data.contrasts is None else data.contrasts.systems
    return _template().render(
        data=data,
        around=around,
        style=Markup(_asset("page.css")),
        script=Markup(script),
        beside=beside,
        measures=MEASURES,
        measured=_measured,
        told=lambda verdict: of_systems(verdict, systems),
        named=lambda tolerance: tolerance.of(systems),
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        packed=packed({**data.flips, "beside": beside}),
    )


@lru_cache(maxsize=1)  # to compile them takes a third of a second
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("perturb.report", "assets"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "number": _number,
        "signed": _signed,
        "p_value": _p_value,
        "count": _count,
        "figure": _figure,
        "strength": strength,
        "visible": visible,
        "breakable": _breakable,
        "minus": lambda cell: MINUS.sub("−", visible(cell)),
        "key": key_of,
    }
    return environment.get_template("page.html")


def _asset(name: str) -> str:
    return files("perturb.report").joinpath("assets", name).read_text("utf-8")


def packed(value: object) -> str:
    """Return JSON, compressed, as text in which nothing can end a tag: DEFLATE, in base64."""
    return base64.b64encode(zlib.compress(orjson.dumps(value, option=_ARRAYS))).decode()


def visible(text: str) -> str:
    r"""Write visibly the characters that a browser hides or obeys.

    Examples:
        >>> visible("a\x00b\u202ec")
        'a␀b‹U+202E›c'
    """
    return "".join(map(_visible, text)) if not text.isprintable() else text


def _breakable(text: str) -> Markup:
    """Let a long name break behind its underscores rather than at any letter."""
    return escape(visible(text)).replace("_", Markup("_<wbr>"))


def _visible(character: str) -> str:
    code = ord(character)
    if character == "\n" or unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp", "Cs"):
        return character
    if code < 0x20:
        return chr(0x2400 + code)
    # Joiners write emoji and the scripts of India; they do no harm.
    return character if character in "\u200c\u200d\u00ad" else f"‹U+{code:04X}›"


def _number(value: float | None, places: int = 3) -> Markup:
    return _data(value, "–" if value is None else f"{value:.{places}f}")


def _signed(value: float | None, form: str = "+.3f") -> Markup:
    return _data(value, "–" if value is None else format(value, form).replace("-", "−"))


def _p_value(value: float | None) -> Markup:
    return _data(value, "< 0.0001") if value is not None and value < 1e-4 else _number(value, 4)


def _measured(measure: Measure, finding: Finding) -> Markup:
    """Return the figures of a measure, in its form."""
    figures = [
        _p_value(value) if measure.form == ".2g" else _signed(value, measure.form)
        for value in measure.of(finding)
    ]
    return escape(measure.between).join(figures) or Markup("–")


def _count(value: float | None) -> Markup:
    return _data(value, "–" if value is None else f"{value:,}")


def _figure(part: str | Figure) -> Markup:
    """Return a part of a sentence."""
    if isinstance(part, str):
        return escape(visible(part).replace(" %", "\N{NO-BREAK SPACE}%"))
    return _data(part.value, str(part).replace("-", "−"))


def _data(value: float | None, shown: str) -> Markup:
    """A figure with all of its digits behind those that are shown."""
    if value is None:
        return Markup(shown)
    if math.isinf(value):
        shown = "−∞" if value < 0 else "∞"
    return Markup('<data value="{}">{}</data>').format(repr(value), shown)
