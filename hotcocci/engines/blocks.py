# SPDX-License-Identifier: GPL-2.0
"""Check windows in the basic blocks that sparse prints with the headers of checkers/sparse.

With those headers, begins, ends and returns appear in the blocks as calls with their
line. sparse's own context check only reports that a function is unbalanced, at the line
of its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

# "f:" and "ep 0x7f0c...: f", then blocks
FUNCTION = re.compile(r"^(?P<name>\S+):\nep 0x[0-9a-f]+: (?P=name)$", re.MULTILINE)
LABEL = re.compile(r"^(\.L\w+):$")
PLACE = re.compile(r"^(?P<file>\S.*):(?P<line>\d+)$")
MARK = re.compile(
    r"\tcall\S*\s+(?:%\S+ <- )?hotcocci_(?P<what>opened|end|scope|return), (?P<args>.*)$"
)
# A constant passed to a phi node, the phi node, and a test of its result: sparse does not
# always see that a path with this constant can only take one branch.
CONSTANT = re.compile(
    r"\tphisrc\S*\s+(?P<phi>%phi\d+)\S* <- \$(?P<value>0x[0-9a-f]+|\d+)"
)
JOINED = re.compile(r"\tphi\.\S*\s+(?P<register>%r\d+)\S* <- (?P<phis>.*)$")
TEST = re.compile(
    r"\tset(?P<how>ne|eq)\S*\s+(?P<register>%r\d+)\S* <- (?P<of>%r\d+)\S*, \$0$"
)
BEGIN = re.compile(r"\tcall\S*\s+(?P<register>%r\d+)\S* <- hotcocci_begin,")
BRANCH = re.compile(r"\tcbr\s+(?P<register>%r\d+)\S*, (?P<yes>\.L\w+), (?P<no>\.L\w+)")
# Decimal below 1024
NUMBER = re.compile(r"\$(0x[0-9a-f]+|\d+)")
LEAVES = re.compile(r"\t(?:br|cbr|switch|jmp)\b.*")
TARGET = re.compile(r"\.L\w+")

OPENED = "opened"
END = "end"
SCOPE = "scope"
RETURN = "return"

# How many windows are open; unknown after a nested one.
CLOSED = 0
OPEN = 1
UNSURE = 2


@dataclass(frozen=True)
class Mark:
    """A begin, an end, a scope or a return in the file being checked.

    For a return, ``ends`` are the lines of the begins whose windows must have been ended: those
    of its own function, if that contains an end.
    """

    what: str
    line: int
    ends: frozenset[int] = frozenset()


@dataclass
class Block:
    """A basic block; ``successors`` are the blocks after it, ``returns`` is true if it exits the function.

    ``constants`` are the phi sources it sets, ``joins`` the phi sources of each
    register; ``branch`` is a register with the successors if it is not 0 and if it is
    0. ``begins`` are the registers that store the result of a begin.
    """

    file: str = ""
    line: int = 0
    marks: list[Mark] = field(default_factory=list)
    successors: list[str] = field(default_factory=list)
    returns: bool = False
    constants: dict[str, bool] = field(default_factory=dict)
    joins: dict[str, tuple[tuple[str, bool], ...]] = field(default_factory=dict)
    branch: tuple[str, str, str] | None = None
    begins: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Function:
    """A function's blocks by label, the entry block first."""

    name: str
    blocks: dict[str, Block]

    @property
    def entry(self) -> Block:
        """The entry block."""
        return next(iter(self.blocks.values()))


@dataclass(frozen=True)
class Imbalance:
    """An end without a window, or a return with one; line 0 means the closing brace."""

    what: str
    line: int
    opened: tuple[int, ...] = ()


def functions(printed: str) -> Iterator[Function]:
    """The functions in sparse's output."""
    heads = list(FUNCTION.finditer(printed))
    ends = [head.start() for head in heads[1:]] + [len(printed)]
    for head, end in zip(heads, ends, strict=True):
        blocks = _blocks(printed[head.end() : end])
        if blocks:
            yield Function(head["name"], blocks)


def _blocks(text: str) -> dict[str, Block]:
    blocks: dict[str, Block] = {}
    current: Block | None = None
    for line in text.splitlines():
        label = LABEL.match(line)
        if label:
            current = blocks.setdefault(label[1], Block())
        elif current is None:
            continue
        elif line.startswith("\t"):
            _instruction(current, line)
        elif not current.file:
            place = PLACE.match(line)
            if place:
                current.file, current.line = place["file"], int(place["line"])
    return blocks


def _instruction(block: Block, line: str) -> None:
    mark = MARK.match(line)
    if mark:
        numbers = [int(n, 0) for n in NUMBER.findall(mark["args"])]
        if mark["what"] != RETURN:
            block.marks.append(Mark(mark["what"], numbers[-1]))
        elif numbers[0] == 0:
            block.marks.append(Mark(RETURN, numbers[-1]))
    elif LEAVES.match(line):
        block.successors = list(dict.fromkeys(TARGET.findall(line)))
        branch = BRANCH.match(line)
        if branch:
            block.branch = (branch["register"], branch["yes"], branch["no"])
    elif line.startswith("\tret"):
        block.returns = True
    else:
        begin = BEGIN.match(line)
        if begin:
            block.begins.append(begin["register"])
        _value(block, line)


def _value(block: Block, line: str) -> None:
    constant = CONSTANT.match(line)
    joined = JOINED.match(line)
    test = TEST.match(line)
    if constant:
        block.constants[constant["phi"]] = int(constant["value"], 0) != 0
    elif joined:
        phis = re.findall(r"%phi\d+", joined["phis"])
        block.joins[joined["register"]] = tuple((phi, True) for phi in phis)
    elif test and test["of"] in block.joins:
        # setne keeps the truth value of the register, seteq negates it.
        same = test["how"] == "ne"
        block.joins[test["register"]] = tuple(
            (phi, was == same) for phi, was in block.joins[test["of"]]
        )


@dataclass(frozen=True)
class _State:
    windows: int = CLOSED
    opened: int = 0
    returned: int = 0
    final: bool = False
    constants: frozenset[tuple[str, bool]] = frozenset()
    results: frozenset[tuple[str, bool]] = frozenset()


def imbalances(
    function: Function, static: bool, owner: Callable[[int], int]
) -> list[Imbalance]:
    """The ends without a window and the returns with one, on every path.

    ``static`` tells whether the function is static, ``owner`` gives the function that a line
    belongs to, as others are inlined.

    Not reported: functions that open nothing, as they may run in their caller's window; static
    functions without an end, as they may open for their caller; and paths with and without a
    window that join, if a later branch may separate them again.
    """
    marks = [mark for block in function.blocks.values() for mark in block.marks]
    if not any(mark.what in (OPENED, SCOPE) for mark in marks):
        return []
    if static and not any(mark.what == END for mark in marks):
        return []
    for block in function.blocks.values():
        block.marks = [_blaming(mark, marks, owner) for mark in block.marks]
    entered = _entry_states(function, frozenset())
    both = frozenset(
        label
        for label, states in entered.items()
        if _rejoined(function, label, states) and _decides(function, label)
    )
    if both:
        entered = _entry_states(function, both)
    found: dict[tuple[str, int], set[int]] = {}
    for label, states in entered.items():
        if label not in both:
            for state in states:
                for wrong in _imbalances_at(function.blocks[label], state):
                    found.setdefault((wrong.what, wrong.line), set()).update(
                        wrong.opened
                    )
    return [Imbalance(*key, tuple(sorted(opened))) for key, opened in found.items()]


def _blaming(mark: Mark, marks: list[Mark], owner: Callable[[int], int]) -> Mark:
    """A return with the begins of its own function, if that contains an end."""
    if mark.what != RETURN:
        return mark
    home = owner(mark.line)
    here = [other for other in marks if owner(other.line) == home]
    if not any(other.what == END for other in here):
        return mark
    return replace(mark, ends=frozenset(o.line for o in here if o.what == OPENED))


def _rejoined(function: Function, label: str, states: set[_State]) -> bool:
    """Whether a successor is reached from a block both with a window and without."""
    block = function.blocks.get(label)
    if block is None:
        return False
    begins = _begins(function)
    successors = {
        windows: {
            successor
            for state in states
            if state.windows == windows
            for successor, _ in _feasible(block, _through(block, state), state, begins)
        }
        for windows in (CLOSED, OPEN)
    }
    return bool(successors[CLOSED] & successors[OPEN])


def _begins(function: Function) -> set[str]:
    """The registers that store the result of a begin."""
    return {r for block in function.blocks.values() for r in block.begins}


def _entry_states(function: Function, stop: frozenset[str]) -> dict[str, set[_State]]:
    """The states in which each block is entered; blocks in ``stop`` are not followed."""
    begins = _begins(function)
    first = next(iter(function.blocks))
    entered: dict[str, set[_State]] = {first: {_State()}}
    todo = [(first, _State())]
    while todo:
        label, state = todo.pop()
        block = function.blocks.get(label)
        if block is None or label in stop:
            continue
        for successor, after in _feasible(block, _through(block, state), state, begins):
            if after not in entered.setdefault(successor, set()):
                entered[successor].add(after)
                todo.append((successor, after))
    return entered


def _through(block: Block, state: _State) -> _State:
    for mark in block.marks:
        state = _after_mark(mark, state)
    return replace(
        state,
        constants=frozenset(block.constants.items()),
        results=frozenset(r for r in state.results if r[0] not in block.begins),
    )


def _feasible(
    block: Block, after: _State, before: _State, begins: set[str]
) -> Iterator[tuple[str, _State]]:
    """The feasible successors of a block, and the state on each edge."""
    if block.branch is None:
        yield from ((successor, after) for successor in block.successors)
        return
    register, yes, no = block.branch
    known = {**dict(after.results), **_known_results(block, before, register)}
    for successor, result in ((yes, True), (no, False)):
        if known.get(register, result) == result:
            outcomes = {(register, result)} if register in begins else set()
            yield successor, replace(after, results=after.results | outcomes)


def _known_results(block: Block, before: _State, register: str) -> dict[str, bool]:
    """The truth values of a register that follow from the predecessor's constants."""
    constants = dict(before.constants)
    for phi, same in block.joins.get(register, ()):
        if phi in constants:
            return {register: constants[phi] == same}
    return {}


def _after_mark(mark: Mark, state: _State) -> _State:
    if mark.what == OPENED:
        windows = OPEN if state.windows == CLOSED else UNSURE
        return replace(state, windows=windows, opened=mark.line, final=False)
    if mark.what == END:
        # After a nested window, the state after one end is unknown.
        if state.windows == UNSURE:
            return state
        return replace(state, windows=CLOSED, opened=0, final=False)
    if mark.what == RETURN and not state.final:
        # An inlined function returns before its caller.
        final = state.windows == OPEN and state.opened in mark.ends
        return replace(state, returned=mark.line, final=final)
    return state


def _imbalances_at(block: Block, state: _State) -> Iterator[Imbalance]:
    for mark in block.marks:
        if mark.what == END and state.windows == CLOSED:
            yield Imbalance(END, mark.line)
        state = _after_mark(mark, state)
    if block.returns and state.windows == OPEN:
        yield Imbalance(RETURN, state.returned, (state.opened,))


def _decides(function: Function, label: str) -> bool:
    """Whether some paths from a block end a window and others return without an end."""
    ends = exits = False
    seen = set()
    todo = [label]
    while todo:
        current = todo.pop()
        block = function.blocks.get(current)
        if block is None or current in seen:
            continue
        seen.add(current)
        first = next((m.what for m in block.marks if m.what in (OPENED, END)), None)
        if first == END:
            ends = True
        elif first is None:
            exits = exits or block.returns
            todo += block.successors
        else:
            exits = True
    return ends and exits
