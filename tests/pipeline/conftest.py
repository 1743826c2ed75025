# SPDX-License-Identifier: GPL-2.0
"""A small kernel tree with a kbuild of its own, which compiles for all targets."""

import os
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from hotcocci.tree.kernel import Tree, find_tree

MAKEFILE = """\
MAKEFLAGS += --no-builtin-rules
GCC := $(CROSS_COMPILE)gcc $(if $(filter i386,$(ARCH)),-m32) -O2 -I$(CURDIR)/include
%config:
	@touch $(O)/.config
modules_prepare:
	@mkdir -p $(O)/tools/objtool
	@ln -sf /bin/true $(O)/tools/objtool/objtool
	@mkdir -p $(O)/arch/arm64/include/generated/asm
	@echo "#define ARM64_HAS_PAN 1" > $(O)/arch/arm64/include/generated/asm/cpucap-defs.h
%.o: FORCE
	cd $(O); $(GCC) -c -o $@ $(CURDIR)/$*.c ; ./tools/objtool/objtool --uaccess $@
.PHONY: FORCE
"""


@pytest.fixture
def small_kernel(builds, small_tree) -> Callable[[dict[str, str]], Tree]:
    """Creates a kernel tree with these files that can be built."""

    def make(files: dict[str, str]) -> Tree:
        # By these two it is a whole kernel, and for x86.
        landmarks = {
            "scripts/kconfig/Makefile": "",
            "arch/x86/include/asm/cpufeatures.h": "",
        }
        return find_tree(small_tree({"Makefile": MAKEFILE, **landmarks, **files}))

    return make


@pytest.fixture
def without(tmp_path, monkeypatch) -> Callable[[Collection[str]], None]:
    """Hides programs: PATH becomes a folder of links to all others."""

    def hide(names: Collection[str]) -> None:
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
