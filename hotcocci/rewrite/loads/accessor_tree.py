# SPDX-License-Identifier: GPL-2.0
"""Select the files of a tree whose small functions a file may call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from hotcocci.rewrite.loads.accessor_index import (
    Accessor,
    accessors_in,
    early_exits_in,
)
from hotcocci.tree.source import decode

# Called from all of the kernel; drivers and architectures also use files in their own
# directories.
CORE = tuple(
    "block certs crypto fs init io_uring ipc kernel lib mm net security sound/core virt".split()
)


def folders_for(root: Path, files: Sequence[str]) -> list[Path]:
    """The directories whose functions the code of these files may call."""
    own = {str(Path(file).parent) for file in files}
    names = sorted({*CORE, *(f for f in own if f.split("/")[0] not in CORE)})
    return [root / name for name in names if (root / name).is_dir()]


def accessors_of(root: Path, file: str) -> tuple[Accessor, ...]:
    """The functions of one file of the tree that are small, or may return at their first test. Raises OSError if it cannot be read."""
    text = decode((root / file).read_bytes())
    return (*accessors_in(file, text), *early_exits_in(file, text))


def accessors_for(root: Path, file: str) -> tuple[Accessor, ...]:
    """All small functions that the code of a file may call, without a cache."""
    return _below(root, tuple(folders_for(root, [file])))


@lru_cache(maxsize=4)
def _below(root: Path, folders: tuple[Path, ...]) -> tuple[Accessor, ...]:
    files = {path for folder in folders for path in folder.rglob("*.c")}
    names = sorted(str(path.relative_to(root)) for path in files if path.is_file())
    return tuple(a for name in names for a in accessors_of(root, name))
