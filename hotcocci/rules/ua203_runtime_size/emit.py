# SPDX-License-Identifier: GPL-2.0
"""Emit the helper that copies the usual sizes inline, and insert it into the file.

A helper instead of a switch in place: the dispatcher's code reads as before, the error
path is unchanged, and the window's labels cannot clash.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.source import COMMENT
from hotcocci.findings import READ, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import Copy
from hotcocci.rewrite.layout import LIMIT, call, columns
from hotcocci.rewrite.options import MASKED, SCOPED
from hotcocci.rewrite.window import BEGIN, END, SCOPE

ON_STACK = "linux/sched/task_stack.h"
_FAULT = "efault"


@dataclass(frozen=True)
class Helper:
    """A copy of runtime size with special code for some sizes.

    ``checked`` is set if the kernel buffer may be allocated, ``on_stack`` if it may be
    on the stack.
    """

    name: str
    copies: str
    direction: str
    sizes: tuple[int, ...]
    checked: bool
    on_stack: bool


def helper_name(copy: Copy) -> str:
    """The name of the helper for a copy."""
    function = copy.context.function.name.lstrip("_")
    return f"{function}_{copy.access.name.lstrip('_')}"


def helper_text(helper: Helper, context: Context) -> str:
    """The definition of a helper, and the blank line after it."""
    reads = helper.direction == READ
    sides = ("void *to", "const void __user *from", "size_t size")
    if not reads:
        sides = ("void __user *to", "const void *from", "size_t size")
    lines = [
        *_comment(helper),
        "static __always_inline int",
        call("", helper.name, sides, ""),
        "{",
        *_variables(helper),
        *_choice(helper, context),
        *_check(helper),
        *_window(helper, context),
        "}",
        "",
        "",
    ]
    return "\n".join(lines)


def _comment(helper: Helper) -> list[str]:
    sizes = [str(size) for size in helper.sizes]
    listed = ", ".join(sizes[:-1]) + " or " + sizes[-1] if len(sizes) > 1 else sizes[0]
    ends = "byte, a size that arguments often have, is" if sizes == ["1"] else ""
    ends = ends or "bytes, as arguments often have, are"
    verb = "read" if helper.direction == READ else "written"
    text = f"{listed} {ends} {verb} without a call."
    return [f"/* {text} */"]


def _variables(helper: Helper) -> list[str]:
    word = _word(helper)
    if helper.direction == READ:
        return [f"\tconst u{word} __user *src = from;", f"\tu{word} *dst = to;", ""]
    return [f"\tconst u{word} *src = from;", f"\tu{word} __user *dst = to;", ""]


def _word(helper: Helper) -> int:
    """The width of the widest access in bits."""
    return 8 * max(width for size in helper.sizes for width, _ in parts(size))


def parts(size: int) -> list[tuple[int, int]]:
    """The accesses that make up a size, widest first: size and offset of each."""
    found, offset = [], 0
    while offset < size:
        width = next(w for w in (8, 4, 2, 1) if w <= size - offset)
        found.append((width, offset))
        offset += width
    return found


def _choice(helper: Helper, context: Context) -> list[str]:
    """Emit the tests that select the general copy for other sizes and unsupported cases."""
    sides = "to, from, size"
    fits = _fits(helper, context)
    lines = ["\tswitch (size) {", *(f"\tcase {size}:" for size in helper.sizes)]
    if fits:
        lines += [*fits, "\t\t\tbreak;", "\t\tfallthrough;"]
    else:
        lines.append("\t\tbreak;")
    return [
        *lines,
        "\tdefault:",
        f"\t\treturn {helper.copies}({sides}) ? -EFAULT : 0;",
        "\t}",
        "",
    ]


def _fits(helper: Helper, context: Context) -> list[str]:
    """Emit the test whether words can be accessed at the user address, which may be unaligned."""
    word = _word(helper)
    if word == 8:
        return []
    reads = helper.direction == READ
    aligned = (
        "(IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||",
        f"IS_ALIGNED((unsigned long){'from' if reads else 'to'}, sizeof(u{word})))",
    )
    if reads and word == 64 and not context.options.arm_get_u64:
        return [
            "\t\tif (IS_ENABLED(CONFIG_64BIT) &&",
            f"\t\t    {aligned[0]}",
            f"\t\t     {aligned[1]})",
        ]
    return [f"\t\tif {aligned[0]}", f"\t\t    {aligned[1]}"]


def _check(helper: Helper) -> list[str]:
    """Emit the HARDENED_USERCOPY check of allocated memory; sizes on the stack are known here."""
    if not helper.checked:
        return []
    out = "false" if helper.direction == READ else "true"
    side = "to" if helper.direction == READ else "from"
    check = f"check_object_size({side}, size, {out});"
    if helper.on_stack:
        return [f"\tif (!object_is_on_stack({side}))", f"\t\t{check}", ""]
    return [f"\t{check}", ""]


def _window(helper: Helper, context: Context) -> list[str]:
    options = context.options
    base = "src" if helper.direction == READ else "dst"
    scoped = options.small_api == SCOPED
    indent = "\t\t" if scoped else "\t"
    inside = [f"{indent}switch (size) {{"]
    for size in helper.sizes:
        inside.append(f"{indent}case {size}:")
        inside += _accesses(helper, size, indent + "\t")
        inside.append(f"{indent}\tbreak;")
    inside.append(f"{indent}}}")
    if scoped:
        head = call(
            "\t", SCOPE[helper.direction] + "_size", (base, "size", _FAULT), " {"
        )
        return [head, *inside, "\t}", "\treturn 0;", f"{_FAULT}:", "\treturn -EFAULT;"]
    begin, end = BEGIN[helper.direction], END[helper.direction]
    test = f"if (!{begin}({base}, size))"
    if options.small_api == MASKED:
        opening = [
            "\tif (can_do_masked_user_access())",
            f"\t\t{base} = masked_user_access_begin({base});",
            f"\telse {test}",
        ]
    else:
        opening = [f"\t{test}"]
    return [
        *opening,
        "\t\treturn -EFAULT;",
        *inside,
        f"\t{end}();",
        "\treturn 0;",
        f"{_FAULT}:",
        f"\t{end}();",
        "\treturn -EFAULT;",
    ]


def _accesses(helper: Helper, size: int, indent: str) -> list[str]:
    """One access after another: gcc keeps the loop of unsafe_copy_to_user() even for constant sizes."""
    word = _word(helper) // 8
    reads = helper.direction == READ
    lines = []
    for width, offset in parts(size):
        kernel = _kernel_part(
            "dst" if reads else "src", "" if reads else "const ", width, offset, word
        )
        user = _user_part("src" if reads else "dst", reads, width, offset, word)
        name = "unsafe_get_user" if reads else "unsafe_put_user"
        lines.append(call(indent, name, (kernel, user, _FAULT)))
    return lines


def _kernel_part(base: str, const: str, width: int, offset: int, word: int) -> str:
    """A part of the kernel buffer, of this width and at this offset."""
    index = offset // word
    if width == word:
        return f"{base}[{index}]"
    start = f"&{base}[{index}]" if index else base
    cast = f"({const}u{8 * width} *){start}"
    return f"({cast})[{offset % word // width}]" if offset % word else f"*{cast}"


def _user_part(base: str, const: bool, width: int, offset: int, word: int) -> str:
    """The address of the same part in user memory."""
    index = offset // word
    if width == word:
        return f"&{base}[{index}]"
    start = f"&{base}[{index}]" if index else base
    cast = f"({'const ' if const else ''}u{8 * width} __user *){start}"
    return f"{cast} + {offset % word // width}" if offset % word else cast


def edits_of(copy: Copy, helper: Helper) -> tuple[Edit, ...]:
    """Rename the call, insert the helper before the function, and add the header it needs."""
    context = copy.context
    made = [_call(copy, helper), _definition(helper, context)]
    if helper.checked and helper.on_stack:
        made += _include(context)
    return tuple(made)


def _call(copy: Copy, helper: Helper) -> Edit:
    source = copy.context.source
    name_end = copy.start + len(copy.access.name)
    line = source.line(source.line_of(copy.start))
    longer = columns(line) + len(helper.name) - len(copy.access.name)
    one_line = source.line_of(copy.start) == source.line_of(copy.end)
    if one_line and longer <= LIMIT:
        return Edit(copy.start, name_end, helper.name)
    start = source.line_starts[source.line_of(copy.start) - 1]
    before = source.text[start : copy.start]
    kernel, user, size = (copy.text(e) for e in (copy.kernel, copy.user, copy.size))
    sides = (kernel, user) if copy.direction == READ else (user, kernel)
    text = call(before, helper.name, (*sides, size), "")
    return Edit(copy.start, copy.end, text[len(before) :])


def _definition(helper: Helper, context: Context) -> Edit:
    """Insert the helper before the function's comment."""
    source = context.source
    start = context.function.start
    above = source.text[:start].rstrip()
    if above.endswith("*/") and source.text[len(above) : start].count("\n") <= 1:
        comments = [t for t in source.tokens_between(0, start) if t.kind == COMMENT]
        if comments and comments[-1].end == len(above):
            start = comments[-1].start
    return Edit(start, start, helper_text(helper, context))


def _include(context: Context) -> list[Edit]:
    """Add the header of object_is_on_stack() among the others of its directory, in order."""
    text = context.source.text
    line = f"#include <{ON_STACK}>\n"
    if line in text:
        return []
    place = 0
    for start in context.source.line_starts:
        if text.startswith("#include <linux/", start):
            end = text.find("\n", start) + 1
            if not place or text[start:end] < line:
                place = end
    return [Edit(place, place, line)] if place else []
