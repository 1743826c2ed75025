# SPDX-License-Identifier: GPL-2.0
"""Hash what cached results depend on, other than the file: our own code, headers, programs."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import headers_state

CHECKOUT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(
    r"^\s*from (hotcocci[\w.]*) import (?:\(([^)]*)\)|([\w, ]+))", re.MULTILINE
)
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+\.c)"', re.MULTILINE)


def fingerprint(asked: str, root: Path, module: Path, *files: Path) -> bytes:
    """Hash a query, the headers of a tree, a module with all its imports, and other files."""
    digest = hashlib.sha256(asked.encode())
    digest.update(headers_state(root))
    for file in [module, *modules_of(module), *files]:
        digest.update(content(file))
    return digest.digest()


@lru_cache(maxsize=None)
def content(file: Path) -> bytes:
    """Hash the content of one of our files, which does not change while we run."""
    return hashlib.sha256(file.read_bytes()).digest()


@lru_cache
def modules_of(file: Path) -> tuple[Path, ...]:
    """Return our modules that a semantic patch or a module imports, directly or indirectly."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        for module in _imports(waiting.pop()):
            if module not in found:
                found.add(module)
                waiting.append(module)
    return tuple(sorted(found))


@lru_cache(maxsize=None)
def _imports(file: Path) -> tuple[Path, ...]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}: restore it") from error
    found: list[Path] = []
    for package, several, plain in IMPORT.findall(text):
        base = CHECKOUT / package.replace(".", "/")
        names = [name.strip() for name in (several or plain).split(",")]
        places = [base.with_suffix(".py"), base / "__init__.py"]
        places += [base / f"{name}.py" for name in names if name]
        found += [place for place in places if place.is_file()]
    return tuple(found)


def included(tree: Tree, file: str, text: str) -> bytes:
    """Return the contents of the .c files that a file includes."""
    if '.c"' not in text:
        return b""  # most files, for which the search below would be slow
    places = [(tree.root / file).parent / name for name in INCLUDED.findall(text)]
    return b"".join(place.read_bytes() for place in places if place.is_file())
