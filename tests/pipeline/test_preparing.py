# SPDX-License-Identifier: GPL-2.0
"""A preparation is announced before it starts, and only then."""

import re
from contextlib import contextmanager

from hotcocci.pipeline.inputs import UNKNOWN, prepared
from hotcocci.pipeline.settings import Observer, Settings
from hotcocci.tree.build import last_preparation
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.targets import TARGETS

X86_64 = TARGETS["x86-64"]
TOLD = "make[1]: Entering directory\\n  HOSTCC  scripts/a\\n  CC      b.o\\n"


def test_it_is_said_once(small_tree, tmp_path, fake_make):
    said = f'case "$*" in *modules_prepare) printf "{TOLD}" ;; esac\n'
    (fake_make / "behaviour").write_text(said)
    events = []

    @contextmanager
    def progress(title):
        events.append(f"begin {title}")
        yield lambda done, total: events.append(f"{done}/{total}")
        events.append(f"end {title}")

    tree = find_tree(small_tree({"fs/Makefile": "obj-y += a.o\n"}))
    cache = tmp_path / "cache"
    settings = Settings(cache_dir=cache, observer=Observer(progress, events.append))
    assert last_preparation(X86_64, cache) is None
    prepared(tree, X86_64, settings)
    around = [f"{side} looking for the kernel for x86-64" for side in ("begin", "end")]
    said = f"preparing a kernel for x86-64, once for this tree, in {cache}"
    assert events[0] == around[0] and events[-1] == around[1]
    assert events[1].startswith(said) and events[1].endswith(": " + UNKNOWN)
    titled = "preparing a kernel for x86-64"
    assert events[2:-1] == [f"begin {titled}", f"end {titled}"]
    events.clear()
    prepared(tree, X86_64, settings)
    assert events == around
    (tree.root / "fs/Makefile").write_text("obj-y += b.o\n")
    prepared(tree, X86_64, settings)
    assert re.search(r": \d+ MB; the last one took \d s$", events[3])
