"""Small, seeded, exactly recorded changes to text.

Public are the names in `__all__` and the modules `dask`, `engine`, `evaluation`, `integrations`,
`ray`, `robustness`, `spark`, `steps` and `testing`, each with what its own `__all__` lists. All
else is private.

>>> import perturb
>>> str(perturb.apply("The quick brown fox", "char_delete", p=0.1, seed=7))
'Th quck brown fox'
"""

import sys

if (
    sys.argv[:1] == ["-m"]
    and sys.orig_argv[-len(sys.argv)] in ("perturb", "-mperturb")
    and not sys.flags.safe_path
):
    del sys.path[0]  # the working folder, whose files are data and not ours to import
from collections.abc import Mapping

from perturb._version import __version__ as __version__
from perturb.values.exports import exports


def _meant() -> Mapping[str, str]:
    """Return names that people try, each with the right one."""
    from perturb.registry.registry import MODULE_OF

    others = {
        "list": "names",
        "show": "describe",
        "score": "robustness.score",
        "test": "evaluation",
    }
    return {name: f"steps.{name}" for name in MODULE_OF} | others | {"Compose": "Pipeline.of"}


_HOME, __getattr__ = exports(__name__, _meant)
__all__ = sorted(name for name, home in _HOME.items() if home != __name__ and name != "__version__")


def __dir__() -> list[str]:
    return sorted(_HOME)
