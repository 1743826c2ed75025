# SPDX-License-Identifier: GPL-2.0
"""One file as one target compiles it: what the engines that need a compiler's view are given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotcocci.tree.build import Build
from hotcocci.tree.command import Command


@dataclass(frozen=True)
class Unit:
    """A source file and the command that compiles it.

    ``source`` is the file that is read, usually ``root / command.file``; what an engine says is
    told by names relative to ``root``, and what stands outside ``root`` is not told.
    """

    build: Build
    command: Command
    source: Path
    root: Path
