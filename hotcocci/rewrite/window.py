# SPDX-License-Identifier: GPL-2.0
"""A window to emit: its accesses, its range and its exit path; and refusals that name what is in the way of one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Self

from hotcocci.c.conditionals import Condition, around
from hotcocci.c.source import DIRECTIVE, NAME, called, tokenize
from hotcocci.c.syntax import LOOP_WORDS
from hotcocci.findings import READ, READ_WRITE, WRITE, Addition, Edit
from hotcocci.rewrite.base import COMPUTE
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.options import SCOPED, Options
from hotcocci.rewrite.runs import Run, Split

BEGIN = {
    READ: "user_read_access_begin",
    WRITE: "user_write_access_begin",
    READ_WRITE: "user_access_begin",
}
END = {
    READ: "user_read_access_end",
    WRITE: "user_write_access_end",
    READ_WRITE: "user_access_end",
}
SCOPE = {
    READ: "scoped_user_read_access",
    WRITE: "scoped_user_write_access",
    READ_WRITE: "scoped_user_rw_access",
}
COPY = "unsafe_copy_to_user"
# What UA203 uses, and adds to a tree without it
SMALL_COPY = {READ: "copy_from_user_small", WRITE: "copy_to_user_small"}
# The shape of a rewrite that replaces one call by another
CALL = "call"
_ALWAYS = frozenset({"user_access_begin", "unsafe_get_user", "unsafe_put_user"})
# Where __get_user() of eight bytes exists: on arm32 it is a call of a function that does not. A C
# condition, as coding-style.rst asks for (21): the compiler drops the other branch.
ON_64_BITS = "IS_ENABLED(CONFIG_64BIT)"
SPLIT = "split by {}"
IN_LOOP = "the loop body has {}"
ACTING = "{} at line {} is a macro that calls something or assigns"
IN_VALUE = "a value needs {}, which may depend on the accesses before it"
UNUSED_LABEL = "the label would be unused without it"
UNUSED_VARIABLE = "the variable for the pointer or a value would be unused without it"
_JUMPS = ("return", "goto", "break", "continue")


def opened_for(direction: str, options: Options) -> str:
    """The direction to open a window in: both if the tree's begins and ends have no other (before 5.7)."""
    one = options.api == SCOPED or BEGIN[direction] in options.features.window_names
    return direction if one else READ_WRITE


def has_windows(options: Options) -> bool:
    """Whether the tree has a begin with pointer and size, and accessors with a label."""
    return options.api == SCOPED or _ALWAYS <= options.features.window_names


@dataclass(frozen=True)
class Hoist:
    """An expression evaluated before the window and stored in a new variable.

    ``type`` is followed by a space unless it ends with a star. ``start`` and ``end`` are the range of
    the expression that ``name`` replaces; equal if every use of the base is replaced instead.
    """

    name: str
    type: str
    value: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Exits:
    """The exits of a run and of its window: the statements ``on_fault``, or after it those ``on_success``.

    ``stop`` is the last statement that the window replaces, by its index in the sequence of the run: of the
    run, or its test, or its return. ``dropped`` are those that go without a replacement. ``target`` is the label
    of the error path, ``variable`` the error variable that is no longer used here. ``preset`` sets the errno,
    before the window, that an existing label returns. ``guards`` open the preprocessor conditions that the
    window's own label must be in.
    """

    shape: str
    on_fault: tuple[str, ...]
    on_success: tuple[str, ...]
    stop: int
    dropped: tuple[int, ...]
    target: str | None
    variable: str | None
    note: str | None = None
    preset: str | None = None
    guards: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names in the exit path."""
        tokens = (t for text in self.on_fault for t in tokenize(text))
        return frozenset(t.text for t in tokens if t.kind == NAME)


@dataclass(frozen=True)
class FaultLabel:
    """A label for faults, and the edits that insert it; none if the function has it."""

    name: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Window:
    """One run and the window that replaces it.

    ``size`` is None for ``sizeof(*base)``. ``begin`` is the first statement that it replaces: of the run, or an
    access_ok() that it makes redundant. ``label`` has no name until all windows of the function are known.
    ``part`` is the address of the part of the object that the begin gets, None for all of it. ``removed`` names a
    variable that is no longer used. ``otherwise`` is the ``else`` of a window that is for 64 bits only, line by
    line. ``checked`` makes accessors after the window check the range, which its begin does not do for them.

    For the reviewer, ``notes`` are preparations and differences on a fault, ``decisions`` what the code does not
    show and a person must decide: questions, or what to change on a condition; ``remarks`` are other information.
    """

    run: Run
    exits: Exits
    direction: str
    base: str
    size: str | None
    begin: int
    notes: tuple[str, ...]
    decisions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    hoists: tuple[Hoist, ...] = ()
    removed: str | None = None
    otherwise: tuple[str, ...] = ()
    part: str | None = None
    checked: tuple[Edit, ...] = ()
    label: FaultLabel = FaultLabel("")

    @property
    def start(self) -> int:
        """The start of the code that it replaces."""
        return self.run.sequence[self.begin].start

    @property
    def end(self) -> int:
        """The end of the code that it replaces."""
        return self.run.sequence[self.exits.stop].end

    def asking(self, more: Iterable[str]) -> Self:
        """With more decisions for the reviewer."""
        return replace(self, decisions=(*self.decisions, *more))


@dataclass(frozen=True)
class Refusal:
    """Why a run is not rewritten, and the line responsible.

    ``detail`` names the code and its line for a message; without it the message is the reason's sentence.
    """

    reason: str
    line: int
    detail: str | None = None

    def text(self, meaning: str) -> str:
        """The text of a message; ``meaning`` is the sentence of the reason."""
        return self.detail or f"line {self.line}: {meaning}"


@dataclass(frozen=True)
class Subject:
    """The code of a function that a finding is about, from ``start`` to ``end``.

    ``said`` is the first part of the message, ``base`` the user pointer as written, ``record`` as in `Finding`.
    """

    context: Context
    start: int
    end: int
    said: str
    base: str
    direction: str | None
    accesses: int = 1
    record: str | None = None


@dataclass(frozen=True)
class Instead:
    """The replacement of a subject.

    ``said`` is what a message says to use. ``notes`` are for reviewers, ``remarks`` as well, but in no
    message; ``decisions`` are what only a person can decide. ``tier`` follows from these, ``api`` from the
    options, if they are not given. ``shape``, ``rounds`` and ``additions`` are those of the `Rewrite`.
    """

    said: str
    edits: tuple[Edit, ...]
    notes: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    shape: str = CALL
    tier: str | None = None
    api: str | None = None
    additions: tuple[Addition, ...] = ()
    rounds: int | None = 1


Verdict = Instead | Refusal | None
"""What a rule makes of a subject: its replacement, why it has to stay, or no finding."""

Judged = list[tuple[Run, Window | Refusal]]
"""The runs of a function, each with its window or why it has none."""


def windows_of(judged: Judged) -> list[Window]:
    """The windows of a function."""
    return [verdict for _, verdict in judged if isinstance(verdict, Window)]


def each_window(
    judged: Judged, change: Callable[[Run, Window], Window | Refusal]
) -> Judged:
    """Change the windows of a function one by one."""
    return [(r, change(r, v) if isinstance(v, Window) else v) for r, v in judged]


def conditions_at(start: int, context: Context) -> list[tuple[Condition, int]]:
    """The #ifs of a function that are open at an offset, outermost first, each with the number of the branch."""
    found = around(context.source.text, start)
    return [one for one in found if one[0].at >= context.body.start]


def guards_at(start: int, context: Context) -> tuple[str, ...] | None:
    """The lines that open the conditions at an offset again; None after an #elif."""
    guards = []
    for condition, number in conditions_at(start, context):
        line = opening(condition, context)
        if number:
            if condition.branches[1].word != "else":
                return None
            line = _negated(line)
        guards.append(line)
    return tuple(guards)


def opening(condition: Condition, context: Context) -> str:
    """The line of an #if."""
    first = condition.branches[0]
    return squeezed(context.source.text[first.at : first.start])


def _negated(line: str) -> str:
    word, _, condition = line.lstrip("# \t").partition(" ")
    opposite = {"ifdef": "ifndef", "ifndef": "ifdef"}
    if word in opposite:
        return f"#{opposite[word]} {condition}"
    return f"#if !({condition})"


def squeezed(directive: str) -> str:
    """A directive on one line, without a trailing comment."""
    text = directive.replace("\\\n", " ").partition("/*")[0].partition("//")[0]
    return " ".join(text.split())


def split(found: Split, context: Context) -> Refusal:
    """Why two accesses through one base are not adjacent."""
    if found.reason == "call-between":
        return obstacle(found.start, found.end, context, SPLIT)
    line, what = context.line(found), "another condition"
    if found.reason == "second-base":
        name = context.source.code_between(found.start, found.end)[0].text
        what = f"{name}() through another expression"
    return Refusal(found.reason, line, f"split by {what} at line {line}")


def obstacle(start: int, end: int, context: Context, how: str) -> Refusal:
    """Why code may not run inside a window; ``how`` is the message, with {} for the code."""
    tokens = context.source.code_between(start, end)
    first = tokens[0]
    if first.text not in (*LOOP_WORDS, "switch"):
        token = next((t for t in called(tokens) if t.text not in COMPUTE), None)
        if token is not None:
            line = context.line(token)
            code = f"{token.text}() at line {line}"
            return Refusal("call-between", line, how.format(code))
        first = next((t for t in tokens if t.text in _JUMPS), first)
    word = first.text if first.text in (*LOOP_WORDS, *_JUMPS, "switch") else "statement"
    kind = f"{word} loop" if word in LOOP_WORDS else word
    line = context.line(first)
    return Refusal("statement-between", line, how.format(f"the {kind} at line {line}"))


def split_by_directive(start: int, end: int, context: Context) -> Refusal | None:
    """Refuse a preprocessor directive between two offsets: no configuration has all of the code."""
    if not context.source.has_directive(start, end):
        return None
    tokens = context.source.tokens_between(start, end)
    token = next(t for t in tokens if t.kind == DIRECTIVE)
    line = context.line(token)
    return Refusal("ifdef", line, f"split by {squeezed(token.text)} at line {line}")


def conditional(start: int, context: Context, why: str) -> Refusal | None:
    """Refuse code inside an #if; ``why`` ends the message."""
    found = conditions_at(start, context)
    if not found:
        return None
    condition, number = found[-1]
    line = context.source.line_of(condition.at)
    branch = "a later branch of " if number else ""
    detail = f"inside {branch}{opening(condition, context)} (line {line}); {why}"
    return Refusal("ifdef", line, detail)
