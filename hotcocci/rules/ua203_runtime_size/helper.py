# SPDX-License-Identifier: GPL-2.0
"""The helpers that copy small sizes inline: their text, and the header that declares them.

All dispatchers share one pair, so that each call site changes by a name. They do what
copy_from_user() and copy_to_user() do, whatever faults: those run again where a word did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from hotcocci.findings import READ, WRITE, Addition, Edit
from hotcocci.rewrite.layout import (
    LIMIT,
    TAB,
    call,
    columns,
    unit_of,
    unix,
    with_ends_of,
)
from hotcocci.rewrite.options import MASKED, SCOPED, Options
from hotcocci.rewrite.window import BEGIN, END, SCOPE, opened_for
from hotcocci.tree.source import decode, read

HEADER = "include/linux/uaccess.h"
NAMES = {READ: "copy_from_user_small", WRITE: "copy_to_user_small"}
TEST = "user_copy_is_small"
COPIED = {READ: "copy_from_user", WRITE: "copy_to_user"}
# What the helpers are put before if the header has it, with the #ifdef around it.
_LAST = "usercopy_abort"
# The most bytes that 32-bit machines copy inline: two words.
_MOST_OF_32_BITS = 8
_WORD = 8
# What a line ends with if the next one is not its continuation.
_ENDS = (";", "{", "}", ":", "*/")
_SIDES = ("const void *kernel", "const void __user *user", "unsigned long n")


def header_text(options: Options) -> str | None:
    """The text of the header, None if the tree has none."""
    file = Path(options.root, HEADER)
    return decode(read(file)) if file.is_file() else None


def has_helper(text: str, direction: str) -> bool:
    """Whether a header's text defines the helper of a direction."""
    return re.search(rf"^{NAMES[direction]}\(", text, re.MULTILINE) is not None


def defines(text: str, name: str) -> bool:
    """Whether a file defines something of this name: a function, whose name no tab precedes, or a macro."""
    return (
        re.search(rf"^(?:\w[^\n;=]*\b)?{name}\(|^#\s*define\s+{name}\b", text, re.M)
        is not None
    )


def sizes_in(text: str) -> tuple[int, ...]:
    """The sizes that the helpers in a header copy inline, smallest first; none without helpers."""
    start = text.find(f" {TEST}(")
    body = text[start : text.find("\n}", start)] if start >= 0 else ""
    return tuple(sorted(map(int, re.findall(r"\bcase (\d+):", body))))


def addition(options: Options, text: str) -> Addition:
    """The edit that adds the helpers to the header, whose text is ``text``: indented, and its lines ended, alike."""
    plain = unix(text)
    lines = plain.splitlines(keepends=True)
    place = max(n for n, line in enumerate(lines) if line.startswith("#endif"))
    for number, line in enumerate(lines):
        if _LAST in line:
            place = number - lines[number - 1].startswith("#if")
            break
    at = len("".join(lines[:place]))
    edit = Edit(at, at, helpers(options, unit_of(plain)))
    return Addition(HEADER, with_ends_of(text, (edit,)))


def helpers(options: Options, unit: str = "\t") -> str:
    """Both helpers and the test that they share, each followed by an empty line; ``unit`` is one level."""
    parts = [_test(options.small_sizes)]
    parts += [_helper(direction, options) for direction in (READ, WRITE)]
    text = "".join("\n".join(lines) + "\n\n" for lines in parts)
    return text if unit == "\t" else _indented(text, unit)


def _indented(text: str, unit: str) -> str:
    """Lines that are indented by tabs, by blanks; alignment is kept."""
    made, level, begins = [], 0, True
    for line in text.split("\n"):
        code = line.lstrip()
        column = columns(line[: len(line) - len(code)])
        level = column // TAB if begins else level
        made.append(" " * (column - level * (TAB - len(unit))) + code)
        begins = not code or code.endswith(_ENDS) or code.startswith(("if", "else"))
    return "\n".join(made)


def _test(sizes: Sequence[int]) -> list[str]:
    """The function that tells whether a copy is one of those that are made inline."""
    everywhere = [size for size in sizes if size <= _MOST_OF_32_BITS]
    others = [size for size in sizes if size > _MOST_OF_32_BITS]
    lines = [f"\tcase {size}:" for size in everywhere]
    lines += ["\t\tbreak;"] if everywhere else []
    lines += [f"\tcase {size}:" for size in others]
    if others:
        lines += [
            "\t\t/* It would take too many words of 32 bits. */",
            "\t\tif (IS_ENABLED(CONFIG_64BIT))",
            "\t\t\tbreak;",
            "\t\tfallthrough;",
        ]
    return [
        "/* Whether copy_from_user_small() and copy_to_user_small() copy this inline */",
        call("static __always_inline bool ", TEST, _SIDES, ""),
        "{",
        "\tswitch (n) {",
        *lines,
        "\tdefault:",
        "\t\treturn false;",
        "\t}",
        "\treturn !IS_ENABLED(CONFIG_FAULT_INJECTION_USERCOPY) &&",
        "\t       (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||",
        "\t\tIS_ALIGNED((unsigned long)kernel | (unsigned long)user,",
        "\t\t\t   sizeof(long)));",
        "}",
    ]


def _helper(direction: str, options: Options) -> list[str]:
    """The helper of one direction, with its kernel-doc comment."""
    reads = direction == READ
    kernel, user = ("to", "from") if reads else ("from", "to")
    name, copied = NAMES[direction], COPIED[direction]
    marks = ("", " __user") if reads else (" __user", "")
    sides = f"void{marks[0]} *to, const void{marks[1]} *from"
    return [
        *_comment(direction, options.small_sizes),
        "static __always_inline __must_check unsigned long",
        f"{name}({sides}, unsigned long n)",
        "{",
        f"\tconst unsigned long{marks[1]} *src = from;",
        f"\tunsigned long{marks[0]} *dst = to;",
        "\tunsigned long words;",
        "",
        f"\tif (!{TEST}({kernel}, {user}, n))",
        "\t\tgoto general;",
        "\tmight_fault();",
        f"\tif (!check_copy_size({kernel}, n, {'false' if reads else 'true'}))",
        "\t\treturn n;",
        "",
        "\twords = n / sizeof(long);",
        *_window(direction, options),
        "general:",
        f"\treturn {copied}(to, from, n);",
        "}",
    ]


def _listed(sizes: Sequence[int]) -> str:
    *others, last = map(str, sizes)
    return f"{', '.join(others)} and {last}" if others else last


def _comment(direction: str, sizes: Sequence[int]) -> list[str]:
    copied = COPIED[direction]
    spaces = ("kernel", "user") if direction == READ else ("user", "kernel")
    only = ""
    narrow = [size for size in sizes if size <= _MOST_OF_32_BITS]
    if len(narrow) < len(sizes):
        only = f" ({_listed(narrow)} on 32-bit)" if narrow else " (on 64-bit)"
    said = (
        "For hot code that learns the size at run time, such as that of an ioctl's"
        f" argument: {_listed(sizes)} bytes{only} are copied inline, word by word."
        f" {copied}() copies other sizes, and copies again after a fault."
    )
    return [
        "/**",
        f" * {NAMES[direction]} - {copied}() of a size that is often small",
        f" * @to: Destination address, in {spaces[0]} space.",
        f" * @from: Source address, in {spaces[1]} space.",
        " * @n: Number of bytes to copy.",
        " *",
        *(f" * {line}" for line in wrap(said, 74)),
        " *",
        " * Context: User context only.",
        " *",
        " * Return: Number of bytes that could not be copied; 0 on success.",
        " */",
    ]


def _window(direction: str, options: Options) -> list[str]:
    """The window with the switch in it, up to the label of the general copy."""
    base = "src" if direction == READ else "dst"
    if options.small_api == SCOPED:
        scope = SCOPE[direction] + "_size"
        return [
            call("\t", scope, (base, "n", "general"), " {"),
            *_switch(direction, options.small_sizes, "general", "\t\t"),
            "\t}",
            "\treturn 0;",
        ]
    opened = opened_for(direction, options)
    test = f"if (!{BEGIN[opened]}({base}, n))"
    opening = [f"\t{test}"]
    if options.small_api == MASKED:
        opening = [
            "\tif (can_do_masked_user_access())",
            f"\t\t{base} = masked_user_access_begin({base});",
            f"\telse {test}",
        ]
    end = f"\t{END[opened]}();"
    return [
        *opening,
        "\t\tgoto general;",
        *_switch(direction, options.small_sizes, "efault", "\t"),
        end,
        "\treturn 0;",
        "efault:",
        end,
    ]


def _switch(direction: str, sizes: Sequence[int], label: str, indent: str) -> list[str]:
    """The accesses, one for each word, first to last: larger sizes fall through to smaller ones."""
    reads = direction == READ
    access = "unsafe_get_user" if reads else "unsafe_put_user"
    # Two words of 32 bits make the largest size of machines that have those.
    most = max(max(sizes) // _WORD, 2)
    lines = [f"{indent}switch (words) {{"]
    for left in range(most, 0, -1):
        kernel, user = (f"dst[words - {left}]", f"&src[words - {left}]")
        if not reads:
            kernel, user = (f"src[words - {left}]", f"&dst[words - {left}]")
        lines += [
            f"{indent}case {left}:",
            call(f"{indent}\t", access, (kernel, user, label), width=LIMIT),
            f"{indent}\t{'fallthrough' if left > 1 else 'break'};",
        ]
    if 4 in sizes:
        kernel, user = ("*(u32 *)dst", "(const u32 __user *)src")
        if not reads:
            kernel, user = ("*(const u32 *)src", "(u32 __user *)dst")
        lines += [
            f"{indent}case 0:",
            call(f"{indent}\t", access, (kernel, user, label), width=LIMIT),
            f"{indent}\tbreak;",
        ]
    return [*lines, f"{indent}}}"]
