# SPDX-License-Identifier: GPL-2.0
"""Sizes of types that differ between machines or configurations."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c.text import layout, size_of

HEADER = """\
#ifdef CASE_NARROW
typedef unsigned int case_word_t;
#else
typedef unsigned long long case_word_t;
#endif
#ifdef __x86_64__
#define CASE_PACKED __attribute__((packed))
#else
#define CASE_PACKED
#endif
#ifdef CONFIG_CASE
typedef unsigned char case_config_t;
#define CASE_CONFIGURED __attribute__((packed))
#else
typedef unsigned short case_config_t;
#define CASE_CONFIGURED
#endif
#if defined(__i386__) && defined(CONFIG_CASE)
#define CASE_WORDS 3
#elif __BITS_PER_LONG == 64
#define CASE_WORDS 2
#else
#define CASE_WORDS 4
#endif
struct case_event { unsigned int a; case_word_t b; } CASE_PACKED;
struct case_set { unsigned long words[CASE_WORDS]; };
struct case_config { case_config_t a; };
struct case_configured { unsigned int a; unsigned long b; } CASE_CONFIGURED;
struct case_aligned { unsigned int a; } __attribute__((aligned(4 * sizeof(case_word_t))));
struct case_inside {
	unsigned int a;
#ifdef CASE_NARROW
	unsigned int b;
#endif
};
"""


def tree(root: Path, file: str, header: str = HEADER) -> Path:
    """A tree with a file that includes the header."""
    for name, text in (
        (file, "#include <uapi/case.h>\n"),
        ("include/uapi/case.h", header),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("type_", "size"),
    [
        ("case_word_t", 8),
        ("struct case_event", 12),
        ("struct case_set", 16),
        ("struct case_aligned", 32),
        ("struct case_inside", 4),
        ("case_config_t", None),
        ("struct case_config", None),
        ("struct case_configured", None),
    ],
)
def test_sizes_in_generic_code_are_those_of_x86_64(
    tmp_path: Path, type_: str, size: int | None
) -> None:
    root = tree(tmp_path, "fs/case.c")
    assert size_of(root, "fs/case.c", type_) == size


RECORDS = """\
struct pair { unsigned int a; unsigned long long b; };
struct pointers { void *a, *b[2]; };
struct inner { struct { unsigned char c[2]; } in; unsigned short s; };
struct whole { struct pair pair; unsigned char tail[]; };
union either { unsigned long long a; unsigned char b[12]; };
struct bits { unsigned int a : 30, b : 3; };
struct tight { unsigned char a; unsigned long long b; } __attribute__((packed));
struct in_place { struct { unsigned char a; unsigned int b; } __packed both; };
struct moved { unsigned char a; unsigned int b __aligned(8); };
struct line { unsigned int a; } ____cacheline_aligned;
struct member_packed { unsigned char a; unsigned int b __packed; };
typedef unsigned int triple_t[3];
struct triple { triple_t words; };
enum color { RED };
struct colored { enum color color; };
"""


@pytest.mark.parametrize(
    ("type_", "sizes", "paths", "padding"),
    [
        ("struct pair", (16, 12, 16), [".a", ".b"], True),
        ("struct pointers", (12, 12, 24), [".a", ".b[0]", ".b[1]"], False),
        ("struct inner", (4, 4, 4), [".in.c[0]", ".in.c[1]", ".s"], False),
        ("struct whole", (16, 12, 16), [".pair.a", ".pair.b"], True),
        ("union either", (16, 12, 16), None, True),
        ("struct bits", (8, 8, 8), None, True),
        ("struct tight", (9, 9, 9), [".a", ".b"], False),
        ("struct in_place", (5, 5, 5), [".both.a", ".both.b"], False),
        ("struct moved", (16, 16, 16), [".a", ".b"], True),
        ("struct triple", (12, 12, 12), None, False),
        ("struct colored", (4, 4, 4), [".color"], False),
    ],
)
def test_layout(
    tmp_path: Path,
    type_: str,
    sizes: tuple[int, int, int],
    paths: list[str] | None,
    padding: bool,
) -> None:
    found = layout(tree(tmp_path, "fs/case.c", RECORDS), "fs/case.c", type_)
    assert found is not None
    known = None if found.members is None else [one.path for one in found.members]
    assert (found.sizes, known, found.padding) == (sizes, paths, padding)


@pytest.mark.parametrize(
    "type_", ["struct line", "struct member_packed", "struct missing", "triple_t[2]"]
)
def test_no_layout_is_guessed(tmp_path: Path, type_: str) -> None:
    root = tree(tmp_path, "fs/case.c", RECORDS)
    assert layout(root, "fs/case.c", type_) is None
