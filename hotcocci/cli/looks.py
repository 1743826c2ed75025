# SPDX-License-Identifier: GPL-2.0
"""Which files a rule's semantic patch is started for, and remembering it.

The look at a text is cheap for one file and takes seconds for all that mention user memory; what it
says depends on nothing but the text and our own code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.cli.inputs import modules_of
from hotcocci.rules.entry import Rule
from hotcocci.rules.working import module_of, working_of
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode


def worth_parsing(
    tree: Tree, rule: Rule, files: Sequence[str], cache: Cache
) -> list[str]:
    """Those of the files that can hold what the rule finds.

    One that cannot be read is not judged: who parses it says so.
    """
    data = {file: _read(tree.root / file) for file in files}
    common = _common(rule)
    keys = {
        file: hashlib.sha256(common + text).hexdigest()
        for file, text in data.items()
        if text is not None
    }
    known = cache.answers(list(set(keys.values())))
    look = working_of(rule.code).worth
    fresh: dict[str, object] = {
        key: look(decode(data[file] or b""))
        for file, key in keys.items()
        if key not in known
    }
    if fresh:
        cache.remember(fresh)
    answers = {**known, **fresh}
    return [file for file in files if file not in keys or answers[keys[file]]]


def _common(rule: Rule) -> bytes:
    """A hash of the rule and of the code that looks."""
    digest = hashlib.sha256(f"worth {rule.code}".encode())
    module = module_of(rule.code)
    for file in (module, *modules_of(module)):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
