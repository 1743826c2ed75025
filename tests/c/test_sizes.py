# SPDX-License-Identifier: GPL-2.0
"""Bytes of types that machines or configurations have in different ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c.layout import layout
from hotcocci.c.sizes import size_of

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
def test_generic_code_is_measured_on_x86_64(
    tmp_path: Path, type_: str, size: int | None
) -> None:
    root = tree(tmp_path, "fs/case.c")
    assert size_of(root, "fs/case.c", type_) == size


@pytest.mark.parametrize("type_", ["struct case_event", "struct case_set"])
def test_another_architecture_is_not(tmp_path: Path, type_: str) -> None:
    file = "arch/arm64/kernel/case.c"
    assert size_of(tree(tmp_path, file), file, type_) is None


@pytest.mark.parametrize("type_", ["struct case_event", "struct case_configured"])
def test_a_macro_behind_the_brace_leaves_no_layout(tmp_path: Path, type_: str) -> None:
    header = HEADER.replace("case_word_t b", "unsigned int b")
    root = tree(tmp_path, "fs/case.c", header)
    assert layout(root, "fs/case.c", type_) is None
    plain = header.replace("CASE_PACKED;", ";").replace("CASE_CONFIGURED;", ";")
    tree(tmp_path / "plain", "fs/case.c", plain)
    assert layout(tmp_path / "plain", "fs/case.c", type_) is not None


def test_who_defines_the_word_is_asked(tmp_path: Path) -> None:
    root = tree(tmp_path, "fs/case.c", f"#define CASE_NARROW 1\n{HEADER}")
    assert size_of(root, "fs/case.c", "case_word_t") is None
