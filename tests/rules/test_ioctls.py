# SPDX-License-Identifier: GPL-2.0
"""Commands and the sizes of their arguments, compared with the compiler."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.rules.ua203_runtime_size.sizes import Command, defined

IOCTL = """\
#define _IOC(dir, type, nr, size) ((dir) << 30 | (size) << 16 | (type) << 8 | (nr))
#define _IO(type, nr) _IOC(0u, type, nr, 0)
#define _IOR(type, nr, arg) _IOC(2u, type, nr, sizeof(arg))
#define _IOW(type, nr, arg) _IOC(1u, type, nr, sizeof(arg))
#define _IOWR(type, nr, arg) _IOC(3u, type, nr, sizeof(arg))
"""
TYPES = """\
typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
"""
HEADER = """\
#define CASE_NAME 12
#define CASE_BASE 'c'
#define CASE_RW(nr, type) _IOWR(CASE_BASE, nr, type)
#ifdef __KERNEL__
typedef unsigned int case_handle_t;
#else
typedef unsigned long case_handle_t;
#endif
struct case_plain { __u8 a; __u64 b; __u16 c; };
struct case_packed { __u8 a; __u64 b; } __attribute__((packed));
struct case_bits { __u32 a : 3; __u32 b : 30; __u8 c; };
struct case_union {
	union {
		__u8 name[CASE_NAME + 1];
		__u32 word;
	};
	struct { __u16 x, y; } pair[3];
	void *pointer;
	int (*call)(int);
#define CASE_FLAG (1 << 0)
	__u32 flags;
};
struct case_aligned { __u32 a; __u64 b __attribute__((aligned(16))); };
typedef struct case_named { case_handle_t handle; __u8 tail[]; } case_named_t;
enum case_kind { CASE_ONE };
struct case_matrix { enum case_kind kind; __u16 rows[2][3]; };
#define CASE_RESET _IO(CASE_BASE, 0)
#define CASE_PLAIN _IOR('c', 1, struct case_plain)
#define CASE_PACKED _IOW(CASE_BASE, 2, struct case_packed)
#define CASE_BITS CASE_RW(3, struct case_bits)
#define CASE_UNION CASE_RW(0x04, struct case_union)
#define CASE_ALIGNED CASE_RW(5, struct case_aligned)
#define CASE_TYPEDEF CASE_RW(6, case_named_t)
#define CASE_MATRIX CASE_RW(7, struct case_matrix)
#define CASE_ARRAY CASE_RW(8, __u8[CASE_NAME])
#define CASE_ALIAS CASE_MATRIX
"""
UNKNOWN = """\
struct case_either {
#ifdef CONFIG_CASE
	__u64 wide;
#else
	__u32 narrow;
#endif
};
struct case_twice { __u32 a; };
#ifdef CONFIG_CASE
typedef __u32 case_twice_t;
#else
typedef __u64 case_twice_t;
#endif
#define CASE_EITHER _IOR('c', 1, struct case_either)
#define CASE_TWICE _IOR('c', 2, case_twice_t)
#define CASE_NOWHERE _IOR('c', 3, struct case_nowhere)
#define CASE_NO_COMMAND (1 << 3)
"""


def commands_of(folder: Path, header: str) -> dict[str, Command]:
    place = folder / "include/uapi/linux"
    place.mkdir(parents=True)
    (place / "types.h").write_text(TYPES, encoding="utf-8")
    text = f"#include <linux/types.h>\n{IOCTL}{header}"
    (place / "case.h").write_text(text, encoding="utf-8")
    return defined(folder, "include/uapi/linux/case.h")


def values(header: str, names: list[str]) -> dict[str, int]:
    """The values of the commands according to gcc."""
    lines = [f"const unsigned int value_{name} = {name};" for name in names]
    source = "\n".join([TYPES, "#define __KERNEL__", IOCTL, header, *lines]) + "\n"
    command = ["gcc", "-xc", "-S", "-o", "-", "-"]
    done = subprocess.run(
        command, input=source, capture_output=True, text=True, check=True
    )
    found = re.findall(r"^value_(\w+):\n\s+\.long\s+(-?\d+)", done.stdout, re.MULTILINE)
    return {name: int(number) & 0xFFFFFFFF for name, number in found}


def test_sizes_are_those_of_the_compiler(tmp_path: Path) -> None:
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
def test_ambiguous_sizes_are_unknown(tmp_path: Path, name: str) -> None:
    assert commands_of(tmp_path, UNKNOWN)[name].size is None
