# SPDX-License-Identifier: GPL-2.0
"""Find and build the clang-tidy plugin in checkers/clang-tidy.

A plugin only loads into the clang-tidy it was built for, so its version and sources are recorded
next to it, and it is rebuilt if either has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path

from hotcocci.errors import EngineMissing
from hotcocci.tree.build import locked
from hotcocci.tree.process import MissingProgram, run

HOME = Path(__file__).resolve().parents[2] / "checkers/clang-tidy"
INCLUDE = HOME / "include"
BUILD = HOME / "build"
PLUGIN = BUILD / "hotcocci.so"
STAMP = BUILD / "built.json"

CLANG_TIDY = "clang-tidy-19"
CLANG = "clang++-19"
HEADERS = Path("/usr/lib/llvm-19/include")
PACKAGES = "clang-19 clang-tidy-19 libclang-19-dev llvm-19-dev g++"
SETUP = "run 'python3 run.py --setup'"
# Seconds; the build takes 15 on an idle core.
TIMEOUT = 900.0


class PluginError(EngineMissing):
    """There is no plugin that this clang-tidy can load; the message says what to do."""


def plugin() -> Path:
    """The path of the plugin, which is up to date. Raises PluginError."""
    wanted = _wanted()
    try:
        built = json.loads(STAMP.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError) as error:
        raise PluginError(f"the clang-tidy plugin is not built: {SETUP}") from error
    if built.get("clang") != wanted["clang"]:
        raise PluginError(
            f"the clang-tidy plugin was built for clang {built.get('clang')}, "
            f"but this is clang {wanted['clang']}: {SETUP}"
        )
    if built != wanted or not PLUGIN.is_file():
        raise PluginError(f"the clang-tidy plugin is older than its sources: {SETUP}")
    return PLUGIN


def build() -> bool:
    """Build the plugin unless it is up to date; True if it was built.

    Raises PluginError.
    """
    BUILD.mkdir(exist_ok=True)
    with locked(BUILD / "lock"):
        try:
            plugin()
            return False
        except PluginError:
            wanted = _wanted()
        _compile()
        staged = STAMP.with_suffix(".new")
        staged.write_text(json.dumps(wanted), encoding="utf-8")
        os.replace(staged, STAMP)
        return True


def _compile() -> None:
    """Compile all sources as one unit: most of the time goes into the headers they share."""
    sources = sorted(HOME.glob("*.cpp"))
    STAMP.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        whole = Path(folder) / "whole.cpp"
        whole.write_text(
            "".join(f'#include "{source}"\n' for source in sources), encoding="utf-8"
        )
        made = Path(folder) / PLUGIN.name
        argv = [CLANG, "-std=c++17", "-O1", "-fno-rtti", "-fPIC", "-shared"]
        argv += ["-isystem", str(HEADERS), str(whole), "-o", str(made)]
        try:
            outcome = run(argv, HOME, TIMEOUT)
        except MissingProgram as error:
            raise PluginError(
                f"{CLANG} is not installed (Debian: apt install {PACKAGES})"
            ) from error
        if outcome.status != 0:
            said = [line for line in outcome.err.splitlines() if "error" in line]
            why = said[0].strip() if said else "the compiler did not end"
            raise PluginError(
                f"cannot build the clang-tidy plugin ({why}): "
                f"check that {PACKAGES} are installed"
            )
        os.replace(made, PLUGIN)


def _wanted() -> dict[str, str]:
    """The clang version and the digest of the sources to build from. Raises PluginError."""
    if shutil.which(CLANG_TIDY) is None:
        raise PluginError(
            f"{CLANG_TIDY} is not installed (Debian: apt install {PACKAGES})"
        )
    printed = run([CLANG_TIDY, "--version"], HOME, 60).out
    version = printed.partition("version ")[2].split("\n")[0].strip()
    digest = hashlib.sha256()
    for source in sorted([*HOME.glob("*.cpp"), *HOME.glob("*.h")]):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return {"clang": version or printed.strip()[:80], "sources": digest.hexdigest()}
