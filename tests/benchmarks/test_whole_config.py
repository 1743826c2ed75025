# SPDX-License-Identifier: GPL-2.0
"""The symbols that benchmarks/whole.py sets to have rewritten files in one kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from whole_config import symbols_for

FILES = {
    "drivers/Makefile": "obj-$(CONFIG_BUS) += bus/\nobj-y += always/\n",
    "drivers/Kconfig": (
        'menu "Buses"\n\tdepends on HAS_BUSES\n\n'
        "config BUS\n\tbool\n\thelp\n\t  if it is there, say\n\n"
        "if BUS && !SLOW\n"
        "config CARD\n\ttristate\n\tdepends on POWER || NAPPING=n\n\nendif\nendmenu\n\n"
        "config POWER\n\tbool\n"
    ),
    "drivers/bus/Makefile": (
        "obj-$(CONFIG_CARD) += card.o\ncard-y := main.o\ncard-$(CONFIG_POWER) += \\\n\tpm.o\n"
    ),
    "drivers/bus/sub/deep.c": "",
    "drivers/always/Makefile": "obj-y += core.o sub/odd.o\n",
    "init/Kconfig": "config HAS_BUSES\n\tbool\n\nconfig NAPPING\n\tbool\n\nconfig SLOW\n\tbool\n",
    "Makefile": "obj-y += drivers/\n",
    "arch/Kconfig": "",
    "arch/x86/Kconfig": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def of(tree: Path, *files: str, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    return symbols_for(tree, files, without)


def test_a_file_needs_what_builds_it_and_what_that_depends_on(tree: Path) -> None:
    assert of(tree, "drivers/bus/main.c") == ("BUS", "CARD", "HAS_BUSES", "POWER")


def test_a_part_of_an_object_has_a_symbol_of_its_own(tree: Path) -> None:
    assert "POWER" in of(tree, "drivers/bus/pm.c", without=("CARD",))


def test_what_is_always_built_needs_none(tree: Path) -> None:
    assert of(tree, "drivers/always/core.c") == ()
    assert of(tree, "drivers/always/sub/odd.c") == ()


def test_headers_and_what_is_left_out_need_none(tree: Path) -> None:
    assert of(tree, "drivers/bus/main.h") == ()
    assert of(tree, "drivers/bus/main.c", without=("CARD",)) == ("BUS", "HAS_BUSES")
