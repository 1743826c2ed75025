# SPDX-License-Identifier: GPL-2.0
"""Commands and the sizes of their arguments, compared with the compiler."""

import re
import subprocess
from pathlib import Path

import pytest

from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.rules.ua203_runtime_size.sizes import defined

IOCTL, TYPES, HEADER, UNKNOWN = (
    (Path(__file__).parent / f"ioctls/{name}.h").read_text()
    for name in ("ioctl", "types", "case", "unknown")
)


def commands_of(folder, header):
    place = folder / "include/uapi/linux"
    place.mkdir(parents=True)
    (place / "types.h").write_text(TYPES, encoding="utf-8")
    text = f"#include <linux/types.h>\n{IOCTL}{header}"
    (place / "case.h").write_text(text, encoding="utf-8")
    return defined(folder, "include/uapi/linux/case.h")


def values(header, names):
    """The values of the commands according to gcc."""
    lines = [f"const unsigned int value_{name} = {name};" for name in names]
    source = "\n".join([TYPES, "#define __KERNEL__", IOCTL, header, *lines]) + "\n"
    command = ["gcc", "-xc", "-S", "-o", "-", "-"]
    done = subprocess.run(
        command, input=source, capture_output=True, text=True, check=True
    )
    found = re.findall(r"^value_(\w+):\n\s+\.long\s+(-?\d+)", done.stdout, re.MULTILINE)
    return {name: int(number) & 0xFFFFFFFF for name, number in found}


def test_sizes_are_those_of_the_compiler(tmp_path):
    known = commands_of(tmp_path, HEADER)
    right = values(HEADER, list(known))
    assert len(known) == 10 and right.keys() == known.keys()
    ways = {0: "", 1: READ, 2: WRITE, 3: READ_WRITE}
    for name, command in known.items():
        value = right[name]
        assert command.size == value >> 16 & 0x3FFF, name
        assert (command.type, command.direction) == (
            value >> 8 & 0xFF,
            ways[value >> 30],
        )


@pytest.mark.parametrize("name", ["CASE_EITHER", "CASE_TWICE", "CASE_NOWHERE"])
def test_ambiguous_sizes_are_unknown(tmp_path, name):
    assert commands_of(tmp_path, UNKNOWN)[name].size is None
