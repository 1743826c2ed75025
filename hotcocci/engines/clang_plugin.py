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
from hotcocci.layout import DATA, PROGRAM
from hotcocci.tree.build import locked
from hotcocci.tree.process import MissingProgram, run

HOME = DATA / "checkers/clang-tidy"
INCLUDE = HOME / "include"
NAME = "hotcocci.so"
# Next to the plugin: what it was built from
STAMP = "built.json"

CLANG_TIDY = "clang-tidy-19"
CLANG = "clang++-19"
HEADERS = Path("/usr/lib/llvm-19/include")
PACKAGES = "clang-19 clang-tidy-19 libclang-19-dev llvm-19-dev g++"
SETUP = f"run '{PROGRAM} checkers build'"
# Seconds; the build takes 15 on an idle core.
TIMEOUT = 900.0


class PluginError(EngineMissing):
    """There is no plugin that this clang-tidy can load; the message says what to do."""


def plugin(home: Path = HOME) -> Path:
    """The path of the plugin built from the sources in ``home``, which is up to date.

    Raises PluginError.
    """
    wanted = _wanted(home)
    found = home / "build" / NAME
    try:
        built = json.loads(found.with_name(STAMP).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError) as error:
        raise PluginError(f"the clang-tidy plugin is not built: {SETUP}") from error
    if built.get("clang") != wanted["clang"]:
        raise PluginError(
            f"the clang-tidy plugin was built for clang {built.get('clang')}, "
            f"but this is clang {wanted['clang']}: {SETUP}"
        )
    if built != wanted or not found.is_file():
        raise PluginError(f"the clang-tidy plugin is older than its sources: {SETUP}")
    return found


def build(home: Path = HOME) -> bool:
    """Build the plugin from the sources in ``home`` unless it is up to date; True if it was built.

    Raises PluginError.
    """
    folder = home / "build"
    folder.mkdir(exist_ok=True)
    with locked(folder / "lock"):
        try:
            plugin(home)
            return False
        except PluginError:
            wanted = _wanted(home)
        stamp = folder / STAMP
        stamp.unlink(missing_ok=True)
        _compile(home, folder / NAME)
        staged = stamp.with_suffix(".new")
        staged.write_text(json.dumps(wanted), encoding="utf-8")
        os.replace(staged, stamp)
        return True


def _compile(home: Path, library: Path) -> None:
    """Compile all sources as one unit: most of the time goes into the headers they share."""
    sources = sorted(home.glob("*.cpp"))
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        whole = Path(folder) / "whole.cpp"
        whole.write_text(
            "".join(f'#include "{source}"\n' for source in sources), encoding="utf-8"
        )
        made = Path(folder) / NAME
        argv = [CLANG, "-std=c++17", "-O1", "-fno-rtti", "-fPIC", "-shared"]
        argv += ["-isystem", str(HEADERS), str(whole), "-o", str(made)]
        try:
            outcome = run(argv, home, TIMEOUT)
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
        os.replace(made, library)


def _wanted(home: Path) -> dict[str, str]:
    """The clang version and the digest of the sources to build from. Raises PluginError."""
    if shutil.which(CLANG_TIDY) is None:
        raise PluginError(
            f"{CLANG_TIDY} is not installed (Debian: apt install {PACKAGES})"
        )
    printed = run([CLANG_TIDY, "--version"], home, 60).out
    version = printed.partition("version ")[2].split("\n")[0].strip()
    digest = hashlib.sha256()
    for source in sorted([*home.glob("*.cpp"), *home.glob("*.h")]):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return {"clang": version or printed.strip()[:80], "sources": digest.hexdigest()}
