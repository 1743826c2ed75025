# SPDX-License-Identifier: GPL-2.0
"""Static helpers that a change brings or takes away: what is in one counts as a part of each function that calls it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from hotcocci.c.source import arguments_in, bare, closing, split
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.conditional import functions
from hotcocci.proof.objects.silent import NAMES, Applied
from hotcocci.proof.objects.varying import is_constant


class Call(NamedTuple):
    """A call of a helper: the function that it is in, and what the helper's parameters are there."""

    by: str
    given: Mapping[str, str]


def callers(text: Text, name: str) -> Iterator[str]:
    """The functions that a name is in, but for declarations; empty where it is not called, and for a macro."""
    yield from ("" for used in text.used.values() if name in used)
    for token, after in pairwise(text.code):
        if token.text == name and (after.text != "(" or text.function(token)):
            yield text.function(token) if after.text == "(" else ""


def helpers(text: Text, other: Text) -> Iterator[tuple[str, list[Call]]]:
    """The functions that another text has not, and that are only called, each with its calls."""
    there = functions(bare(other.text))
    for name, header in functions(bare(text.text)).items():
        if name in there:
            continue
        by = [*callers(text, name)]
        if by.count(name) == 1 < len(by) and all(by):
            yield name, [*_calls(text, name, parameters(header[0]))]


def parameters(header: str) -> list[str]:
    """What is declared in a function's header."""
    return arguments_in(header.partition("(")[2].rpartition(")")[0])


def _calls(text: Text, name: str, declared: list[str]) -> Iterator[Call]:
    own = [(NAMES.findall(each) or [""])[-1] for each in declared]
    code = text.code
    for at, token in enumerate(code):
        by = text.function(token)
        if token.text == name and by not in ("", name):
            parts = split(code[at + 2 : closing(code, at + 1)], ",")
            given = (" ".join(t.text for t in part) for part in parts)
            yield Call(by, dict(zip(own, given)))


def in_caller(names: Counter[Applied], call: Call) -> Counter[Applied]:
    """The names in a helper with what they are applied to in its caller; other variables are the helper's own."""
    found = Counter[Applied]()
    for (name, what), number in names.items():
        words = what.split()
        for at, word in enumerate(words):
            member = at > 0 and words[at - 1] in ("->", ".")
            called = words[at + 1 : at + 2] == ["("]
            if NAMES.fullmatch(word) and not (member or called or is_constant(word)):
                words[at] = call.given.get(word, f"{word} of a helper")
        found[name, " ".join(words)] += number
    return found


def groups(texts: tuple[Text, Text]) -> dict[str, str]:
    """The helpers, and functions that share one, each with the one function that stands for all of these."""
    found = dict[str, str]()

    def stands_for(name: str) -> str:
        while name in found:
            name = found[name]
        return name

    for text, other in (texts, texts[::-1]):
        for helper, calls in helpers(text, other):
            for call in calls:
                one, by = stands_for(helper), stands_for(call.by)
                if one != by:
                    found[one] = by
    return {name: stands_for(name) for name in found}
