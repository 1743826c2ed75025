# SPDX-License-Identifier: GPL-2.0
"""Parse the call graph that perf report prints below a line into call chains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hotcocci.engines.perf.profile import Frame, canonical

INLINED = " (inlined)"
# "|--58.20%--leaf (inlined)", " --20.96%--worker", "---worker", "|          main fs/open.c:12"
_NODE = re.compile(
    r"^[ |]*?(?P<branch>[| ]?--(?:(?P<percent>\d+(?:\.\d+)?)%--|-))?"
    r"(?P<name>[\w.$<\[]\S*)(?: \S+:\d+)?(?P<inlined> \(inlined\))?\s*$"
)
# "58.20% leaf (inlined);worker;main" of -g folded
_FOLDED = re.compile(r"^\s*(?P<percent>\d+(?:\.\d+)?)% (?P<chain>\S.*)$")


@dataclass
class _Node:
    column: int
    frame: Frame
    percent: float | None
    children: list[_Node] = field(default_factory=list)


@dataclass(frozen=True)
class Path:
    """A call chain in the order printed, from the root of the tree, with its percentage.

    The percentage is None if the graph has none: that of the line applies.
    """

    frames: tuple[Frame, ...]
    percent: float | None


def frame(name: str) -> Frame:
    """The frame for a name as perf prints it, with or without " (inlined)"."""
    return Frame(name.removesuffix(INLINED), name.endswith(INLINED))


def largest(lines: Iterable[str]) -> float:
    """The largest percentage of any branch; 0 if there is none."""
    node_line = (_NODE.match(line) for line in lines)
    return max(
        (float(d["percent"]) for d in node_line if d and d["percent"]), default=0.0
    )


def paths(lines: Iterable[str]) -> list[Path]:
    """The chains below one line of a report, without the shares of longer chains."""
    roots: list[_Node] = []
    branch: list[_Node] = []
    found: list[Path] = []
    for line in lines:
        folded = _FOLDED.match(line)
        if folded:
            chain = tuple(map(frame, folded["chain"].split(";")))
            found.append(Path(chain, float(folded["percent"])))
            continue
        node_line = _NODE.match(line)
        if not node_line:
            continue
        # The parent is above the branch mark, or above the name if there is no mark.
        column = node_line.start("branch" if node_line["branch"] else "name")
        while branch and branch[-1].column > column:
            branch.pop()
        node = _Node(
            node_line.start("name"),
            Frame(node_line["name"], node_line["inlined"] is not None),
            float(node_line["percent"]) if node_line["percent"] else None,
        )
        (branch[-1].children if branch else roots).append(node)
        branch.append(node)
    return found + _chains(roots)


def _chains(roots: Sequence[_Node]) -> list[Path]:
    found: list[Path] = []
    todo: list[tuple[_Node, float | None, tuple[Frame, ...]]] = [
        (root, None, ()) for root in roots
    ]
    while todo:
        node, above, before = todo.pop()
        percent = above if node.percent is None else node.percent
        chain = (*before, node.frame)
        rest = percent
        for child in node.children:
            part = percent if child.percent is None else child.percent
            rest = None if rest is None or part is None else rest - part
            todo.append((child, percent, chain))
        if not node.children or (rest is not None and rest > 0):
            found.append(Path(chain, rest))
    return found


def innermost_first(
    path: Sequence[Frame], symbol: str, children: bool
) -> Sequence[Frame]:
    """A chain ordered innermost first, whatever order it was printed in.

    ``symbol`` is the function of the report's line, the innermost that is not inlined. With
    ``children``, a chain may also lead to a callee: it says nothing about the function itself,
    and the result is empty.
    """
    names = [canonical(frame.name) for frame in path]
    if symbol not in names:
        return ()
    # perf calls a clone (.constprop.0) inlined into itself.
    path = [
        Frame(symbol) if name == symbol else frame for name, frame in zip(names, path)
    ]
    first, last = names.index(symbol), len(names) - 1 - names[::-1].index(symbol)
    if first > 0 and all(frame.inlined for frame in path[:first]):
        return path
    if all(frame.inlined for frame in path[last + 1 :]):
        return path[::-1]
    return path if first == 0 and not children else ()
