# SPDX-License-Identifier: GPL-2.0
"""A small kernel tree with a kbuild of its own, which compiles for all targets."""

import os
from pathlib import Path

import pytest

from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import find_tree
from tests.shared import FIXTURES

MAKEFILE = Path(__file__).with_name("small_kernel.mk").read_text(encoding="utf-8")


@pytest.fixture
def small_kernel(builds, small_tree):
    """Creates a kernel tree with these files that can be built."""

    def make(files):
        # By these two it is a whole kernel, and for x86.
        landmarks = {
            "scripts/kconfig/Makefile": "",
            "arch/x86/include/asm/cpufeatures.h": "",
        }
        return find_tree(small_tree({"Makefile": MAKEFILE, **landmarks, **files}))

    return make


@pytest.fixture
def settings(tmp_path):
    """Settings for UA101 with a cache of their own; no function here is hot."""
    cache = tmp_path / "cache"
    return Settings(rules=("UA101",), show="cold", jobs=1, timeout=9, cache_dir=cache)


# Those of the miniature tree
SCOPED = FIXTURES / "scoped/include"


@pytest.fixture(scope="session")
def scoped_headers():
    """The headers of a tree with scoped windows."""
    return {
        f"include/{file.relative_to(SCOPED)}": file.read_text()
        for file in SCOPED.rglob("*.h")
    }


@pytest.fixture
def without(tmp_path, monkeypatch):
    """Hides programs: PATH becomes a folder of links to all others."""

    def hide(names):
        folder = tmp_path / "programs"
        folder.mkdir()
        for place in reversed(os.environ["PATH"].split(":")):
            for program in Path(place).glob("*"):
                link = folder / program.name
                link.unlink(missing_ok=True)
                if program.name not in names:
                    link.symlink_to(program)
        monkeypatch.setenv("PATH", str(folder))

    return hide
