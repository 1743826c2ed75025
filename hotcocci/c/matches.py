# SPDX-License-Identifier: GPL-2.0
"""Record what SmPL matches, for the script rules of a semantic patch, and hand it over as JSON."""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, field
from functools import lru_cache
from typing import Any

from hotcocci.c.source import WORD, Source
from hotcocci.findings import Access, Facts
from hotcocci.records import rebuilt

# spatch takes the macro of a system call without parameters for the function's name.
_NO_PARAMETERS = re.compile(r"\b\w*SYSCALL\w*_DEFINE0\s*\(\s*(\w+)")


@lru_cache(maxsize=4)
def source_of(file: str) -> Source:
    """The text of the file spatch is working on."""
    with open(file, encoding="utf-8", errors="surrogateescape", newline="") as stream:
        return Source(file, stream.read())


@dataclass
class Matches:
    """The matches of a semantic patch, by file; a script makes a new one when files are done.

    A place is a position as spatch gives it.
    """

    accesses: defaultdict[str, set[Access]] = field(
        default_factory=lambda: defaultdict(set)
    )

    def note(self, place: Any) -> None:
        """Record a call; ``place`` is the position of its name."""
        source = source_of(place.file)
        line, column = int(place.line), int(place.column)
        name = WORD.match(source.text, source.offset(line, column))
        self.accesses[place.file].add(
            Access(
                name[0] if name else "",
                function_of(place),
                int(place.current_element_line_end),
                line,
                column,
            )
        )

    def is_kept(self, places: Any) -> bool:
        """Whether a position is in a function with an access."""
        end = int(places[0].current_element_line_end)
        return any(access.end_line == end for access in self.accesses[places[0].file])

    def facts(self, file: str) -> Facts:
        """The facts on a file, in source order."""
        found = sorted(self.accesses[file], key=lambda a: (a.line, a.column))
        return Facts(file, tuple(found))

    def hand_over(self, files: list[str], path: str) -> None:
        """Append the facts on these files to a file, one JSON object per line."""
        with open(path, "a", encoding="utf-8") as out:
            for file in files:
                record = {"file": file, "facts": dump(self.facts(file))}
                out.write(json.dumps(record) + "\n")


def function_of(place: Any) -> str:
    """The name of the function that a position is in."""
    name: str = place.current_element
    if not name.endswith("_DEFINE0"):
        return name
    source = source_of(place.file)
    start = source.offset(int(place.line), int(place.column))
    found = _NO_PARAMETERS.findall(source.text, 0, start)
    return found[-1] if found else name


def dump(facts: Facts) -> dict[str, Any]:
    """Facts as plain sequences, without the file's name."""
    return {"accesses": [*map(astuple, facts.accesses)]}


def load(data: dict[str, Any], file: str) -> Facts:
    """The inverse of `dump`, or no facts; raises KeyError or TypeError on anything else.

    "unseen", the lines that the facts lack, is left out.
    """
    known = data["accesses"] if data.keys() - {"unseen"} else ()
    return Facts(file, tuple(Access(*access) for access in known))


def check(data: dict[str, Any]) -> None:
    """Raise KeyError, TypeError or ValueError if these are no facts."""
    rebuilt(Facts, asdict(load(data, "")))
    rebuilt(tuple[int, ...], data.get("unseen", ()))


def renumbered(data: dict[str, Any], line: Callable[[int], int]) -> dict[str, Any]:
    """The same facts with other line numbers; empty facts stay empty."""
    found: dict[str, Any] = {}
    if "unseen" in data:
        found["unseen"] = [line(number) for number in data["unseen"]]
    if "accesses" in data:
        found["accesses"] = [
            [name, function, line(last), line(number), column]
            for name, function, last, number, column in data["accesses"]
        ]
    return found
