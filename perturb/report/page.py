"""The page: one self-contained file with its style, script and charts."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from perturb.report.diff_runs import unseen

try:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup
    from vl_convert import javascript_bundle
except ImportError:
    raise ImportError(
        "the page needs jinja2 and vl-convert-python: pip install 'perturb-text[report]'"
    ) from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.report.contents import Data


def page(
    data: Data,
    *,
    title: str,
    commands: Sequence[tuple[str, str]],
    flips_command: str | None,
    manifest: str | None,
) -> str:
    """Write the page.

    Args:
        data: the contents.
        title: the name of the file.
        commands: command lines that make it again, each with a description.
        flips_command: the command line that lists all flips; None where there is none.
        manifest: the text of the manifest, if there is one.
    """
    charts = _charts() if data.heat else ""
    script = _own("page.js")
    return (
        _environment()
        .get_template("page.html")
        .render(
            data=data,
            title=title,
            commands=commands,
            flips_command=flips_command,
            manifest=manifest,
            style=Markup(_own("page.css")),
            script=_script(script),
            charts=_script(charts),
            hashes=" ".join(f"'sha256-{_digest(code)}'" for code in (charts, script) if code),
        )
    )


@lru_cache(maxsize=1)
def _charts() -> str:
    """Return the program that draws the charts: Vega, Vega-Lite and Vega-Embed in one."""
    return javascript_bundle("window.vegaEmbed = vegaEmbed;")


def _own(name: str) -> str:
    return files("perturb.report").joinpath(name).read_text("utf-8")


def _script(code: str) -> Markup:
    """Mark a program as safe to embed; a closing tag inside would end it early."""
    if "</script" in code.lower() or "<!--" in code:
        raise ValueError("the program can't stand in a page: it holds </script or <!--")
    return Markup(code)


def _digest(code: str) -> str:
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("perturb", "report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters.update(number=_number, signed=_signed, strength=_strength, unseen=unseen)
    return environment


def _number(value: float | None, places: int = 3) -> str:
    return "–" if value is None else f"{value:.{places}f}"


def _signed(value: float | None, places: int = 3) -> str:
    return "–" if value is None else f"{value:+.{places}f}".replace("-", "−")


def _strength(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
