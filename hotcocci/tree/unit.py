# SPDX-License-Identifier: GPL-2.0
"""One file as compiled for one target: the input of engines that need a compiler's view."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotcocci.tree.build import Build
from hotcocci.tree.command import Command


@dataclass(frozen=True)
class Unit:
    """A source file and the command that compiles it.

    ``source`` is the file to read, usually ``root / command.file``. Engines report names relative
    to ``root``, and nothing outside it.
    """

    build: Build
    command: Command
    source: Path
    root: Path
