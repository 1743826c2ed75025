# SPDX-License-Identifier: GPL-2.0
"""Where a folder's Makefile says that headers are.

kbuild does not go into a folder that the configuration leaves out, and compiles its files by
the Makefile of the one above it; what the folder's own says is read off its text.
"""

from __future__ import annotations

import re
from pathlib import Path

_FLAGS = re.compile(r"^(?:sub)?(?:dir-)?ccflags-y\s*[:+]?=(.*)$", re.MULTILINE)
_PLACE = re.compile(r"-I\s*\$\((src|srctree)\)(/[\w./-]+)?")


def header_flags(tree: Path, root: Path, file: str) -> tuple[str, ...]:
    """Options for the headers of a file's folder, as the Makefile in ``tree`` has them.

    ``root`` is where the compiler is to look: the tree, or a copy of it with changed files.
    """
    folder = Path(file).parent
    makefile = tree / folder / "Makefile"
    if not makefile.is_file():
        return ()
    text = makefile.read_text("latin-1").replace("\\\n", " ")
    base = {"src": root / folder, "srctree": root}
    found = (
        f"-I{base[place]}{below}"
        for line in _FLAGS.findall(text)
        for place, below in _PLACE.findall(line)
    )
    return tuple(dict.fromkeys(found))
