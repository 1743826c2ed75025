# SPDX-License-Identifier: GPL-2.0
"""Compile a change without the functions that it does not reach, as if they were in another file.

They are the same on both sides, and a compiler needs most of its time for them. With the flags of a comparison, no
function becomes part of another one unless it is inline. Variables of the file are not static then, as those
functions may set them, or pass their addresses on.
"""

import re
from collections.abc import Sequence, Set

from hotcocci.c.flow import closure
from hotcocci.c.functions import Body, Functions
from hotcocci.c.source import WORD
from hotcocci.proof.changed import CONDITIONS

# What calls a static function may be left out.
KEEP = "-fkeep-static-functions"
_LINE = re.compile(r"[^\n]+")
# Of variables: functions have a type before their name, which a macro has not
_STATIC = re.compile(r"^static\b(?!\s+\w[^;{=(]*[\s*](?!__)\w+\((?!\*))", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)", re.MULTILINE)
# What may use a function anywhere, or has an alias of it in a module
_USE = re.compile(
    r"^[ \t]*#[ \t]*define\b(?:.*\\\n)*.*|^\w*(?:init|exit)\w*\(.*", re.MULTILINE
)
# What a macro makes, and perhaps static by itself
_MADE = re.compile(r"^(?!MODULE_|EXPORT_)[A-Z]\w*\(([^;{}]*)\)\s*;", re.MULTILINE)

# Each line as it is given, and what is compiled instead
Left = Sequence[tuple[str, str]]


def apart(texts: tuple[str, str], around: str) -> list[Left]:
    """The rest of the .c file ``around`` a changed one, if there is one, and of that one.

    ``texts`` are both versions, with aligned lines. Nothing is left out if more than functions change, or inline ones,
    or if they name a variable that a macro makes.
    """
    files = [Functions(text) for text in (*texts, around)]
    old, new, other = ([b for b in file.bodies if _is_plain(file, b)] for file in files)
    outside = [_outside(*each) for each in zip(files, (old, new, other))]
    changed = [
        (one, text, then)
        for one, two in zip(old, new)
        if (text := one.of(files[0].text)) != (then := two.of(files[1].text))
    ]
    if outside[0] != outside[1] or any(
        one.is_inline or _directs(text) or _directs(then) for one, text, then in changed
    ):
        return []
    uses: dict[str, set[str]] = {}
    for body in (*old, *new, *other):
        uses.setdefault(body.name, set()).update(WORD.findall(body.text))
    inline = {body.name for body in (*old, *other) if body.is_inline}
    named = set(WORD.findall(" ".join(_USE.findall(outside[0] + outside[2]))))
    made = set(WORD.findall(" ".join(_MADE.findall(outside[0] + outside[2]))))
    for one, _, _ in changed:
        named |= {one.name, *uses[one.name]}
        if made & uses[one.name] - uses.keys():
            return []
    kept = set(closure(named & uses.keys(), lambda name: uses[name] & inline))
    return [
        [*zip(text.split("\n"), _without(text, bodies, kept).split("\n"), strict=True)]
        for text, bodies in ((around, other), (texts[0], old))
    ]


def cut(text: str, left: Left) -> str:
    """A version of the text without what is left out, or as it is if that is not in the same lines of it."""
    lines = text.split("\n")
    if len(lines) != len(left) or any(
        given not in (line, instead) for line, (given, instead) in zip(lines, left)
    ):
        return text
    return "\n".join(
        line if given == instead else instead
        for line, (given, instead) in zip(lines, left)
    )


def _is_plain(file: Functions, body: Body) -> bool:
    """Whether a body is that of a function, and not part of a macro."""
    before = file.text[: body.start].rstrip()
    return not before.endswith("=") and file.text.startswith("{\n", body.start)


def _outside(file: Functions, bodies: Sequence[Body]) -> str:
    """A text without the bodies of its functions."""
    ends = [0, *(body.end for body in bodies)]
    starts = [*(body.start for body in bodies), len(file.text)]
    return "{}".join(file.text[a:b] for a, b in zip(ends, starts, strict=True))


def _directs(text: str) -> bool:
    """Whether a part of a text has directives whose effect does not end with it."""
    depth = 0
    for word in _DIRECTIVE.findall(text):
        depth += word.startswith("if") - (word == "endif")
        if word not in CONDITIONS or depth < (word != "endif"):
            return True
    return depth != 0


def _without(text: str, bodies: Sequence[Body], kept: Set[str]) -> str:
    """A text without the bodies of other functions than those to be kept, and without static variables."""
    parts, at = list[str](), 0
    for body in bodies:
        own = body.of(text)
        out = body.name not in kept and not _directs(own)
        parts.append(_STATIC.sub("", text[at : body.start]))
        parts.append(f";{_LINE.sub('', own)}" if out else own)
        at = body.end
    return "".join([*parts, _STATIC.sub("", text[at:])])
