# SPDX-License-Identifier: GPL-2.0
"""Find casts through which an object of another type is accessed as an integer.

Which bytes of a long or a pointer these are depends on byte order and width, and no comparison has 64 bits in the
other byte order, as s390 has. The compiler knows the types: -Wstrict-aliasing=1 is about these casts. halves.py sees
more, but not those of a local variable, which gcc folds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from hotcocci.c.source import Token
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.compiled import Compilation

PUNNED = "which bytes of another type it accesses depends on byte order and width"
_FLAGS = ("-fsyntax-only", "-fstrict-aliasing", "-Wstrict-aliasing=1")
_WARNING = "type-punned"
_INTEGER = re.compile(
    r"(?:__)?(?:[us]|[bl]e)(?:8|16|32|64)|u?int(?:\d+_t)?|unsigned|signed|short|long|s?size_t|const|volatile|__force"
)


def punned(
    how: Compilation, side: int, texts: Sequence[Text], changed: Sequence[Token]
) -> Iterator[Token]:
    """The casts on changed lines of one side's text that the other one has less often, of objects of other types."""
    text = texts[side]
    own, other = (list(_casts(each.tokens)) for each in (text, texts[1 - side]))
    more = Counter(kind for kind, _ in own) - Counter(kind for kind, _ in other)
    if not more:
        return
    made = how.run(side, how.scratch / "punned.o", _FLAGS)
    warned = {
        message.line
        for message in made.messages
        if _WARNING in message.text and message.file.endswith(text.file)
    }
    lines = warned & {text.line_of(token.start) for token in changed}
    for kind, token in own:
        if kind in more and text.line_of(token.start) in lines:
            yield token


def _casts(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    """Each cast to a pointer to an integer, with its type."""
    for at, token in enumerate(tokens):
        if token.text == ")" and tokens[at - 1].text == "*":
            first = at - 2
            while first >= 0 and _INTEGER.fullmatch(tokens[first].text):
                first -= 1
            if first < at - 2 and tokens[first].text == "(":
                yield " ".join(t.text for t in tokens[first:at]), tokens[first]
