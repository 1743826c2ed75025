# SPDX-License-Identifier: GPL-2.0
"""Read header search paths from a folder's Makefile.

kbuild does not descend into a folder that the configuration excludes, and compiles its files with
the parent's Makefile; the folder's own flags are read from its text.
"""

from __future__ import annotations

import re
from pathlib import Path

from hotcocci.tree.source import read_text

_FLAGS = re.compile(r"^(?:sub)?(?:dir-)?ccflags-y\s*[:+]?=(.*)$", re.MULTILINE)
_PLACE = re.compile(r"-I\s*\$\((src|srctree)\)(/[\w./-]+)?")


def header_flags(tree: Path, root: Path, file: str) -> tuple[str, ...]:
    """Return the -I options for a file's folder from its Makefile in ``tree``.

    ``root`` is where the compiler looks: the tree, or a copy of it with changed files.
    """
    folder = Path(file).parent
    makefile = tree / folder / "Makefile"
    if not makefile.is_file():
        return ()
    text = read_text(makefile).replace("\\\n", " ")
    base = {"src": root / folder, "srctree": root}
    found = (
        f"-I{base[place]}{below}"
        for line in _FLAGS.findall(text)
        for place, below in _PLACE.findall(line)
    )
    return tuple(dict.fromkeys(found))
