"""Compile the kernels into the wheel; without a C compiler the wheel is one of pure Python."""

import os
import runpy
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

NATIVE = "perturb/engine/native"


class CompileKernels(BuildHookInterface[Any]):
    """The hook of wheels; an editable install gets the library beside its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say where the library is to go."""
        build = runpy.run_path(str(Path(self.root, NATIVE, "build.py")))
        self._folder = Path(tempfile.mkdtemp())
        target = self._folder / build["NAME"]
        if version == "editable":
            target = Path(self.root, NATIVE, build["NAME"])
        try:
            build["compile_to"](target)
        except build["CannotCompileError"] as error:
            self.app.display_warning(f"perturb is built without its native kernels: {error}")
            return
        if version != "editable":
            build_data["force_include"][str(target)] = f"{NATIVE}/{build['NAME']}"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{_platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was compiled; it is in the wheel."""
        shutil.rmtree(self._folder)


def _platform() -> str:
    """Return the platform's tag: the library is for this machine, whatever Python is.

    Who compiles for another one says in $PERTURB_PLATFORM for which; scripts/wheels.py does.
    """
    if tag := os.environ.get("PERTURB_PLATFORM"):
        return tag
    if sys.platform == "darwin":
        return next(iter(platform_tags()))
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
