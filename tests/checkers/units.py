# SPDX-License-Identifier: GPL-2.0
"""The unit of a case: its file, and the command that compiles a file of a real tree."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path

from hotcocci.tree.build import Build, prepare
from hotcocci.tree.command import commands
from hotcocci.tree.targets import TARGETS
from hotcocci.tree.unit import Unit
from window_cases import FIXTURES, INCLUDE, LOCAL_LABELS, SCOPED_HEADER, WindowCase

# Built into every kernel, and compiled with the flags of an ordinary file.
LENT = "lib/usercopy.c"


def build_of(tree: Path, target: str = "x86-64") -> Build:
    """The prepared build that all tests share; workers that ask at once share one preparation."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return prepare(tree, TARGETS[target], Path(home) / "hotcocci-tests")


def unit_of(case: WindowCase, build: Build) -> Unit:
    """The case as one more file of the build's tree, with scopes if it needs them."""
    command = commands(build, [LENT])[LENT]
    argv = command.argv
    if case.tree == "scoped":
        argv = (*argv, f"-I{INCLUDE}", "-include", str(SCOPED_HEADER))
    return Unit(build, dataclasses.replace(command, argv=argv), case.path, FIXTURES)


def unit_of_many(cases: Sequence[WindowCase], build: Build, folder: Path) -> Unit:
    """Cases of one kind of tree as one file, which takes as long to compile as one of them."""
    kind = cases[0].tree
    wrapper = folder / f"{cases[0].name}.c"
    wrapper.write_text("".join(f'#include "{case.path}"\n' for case in cases))
    command = unit_of(cases[0], build).command
    # As much is inlined as in a file of each case's own.
    argv = (*command.argv, "--param=large-unit-insns=1000000")
    if kind == "scoped":
        argv += ("-include", str(LOCAL_LABELS))
    return Unit(build, dataclasses.replace(command, argv=argv), wrapper, FIXTURES)
