# SPDX-License-Identifier: GPL-2.0
"""Divide functions into pieces of code, each of which runs as a whole or not at all.

A piece is a statement, or a part of one that begins at ``&&``, ``||``, ``?`` or ``:``. A mark can be put
before it that a compiler emits if, and only if, it takes the piece for reachable. Only the text is read, as
both branches of every #if are wanted; a mark that does not fit its place is an error of the compiler's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hotcocci.c.source import NAME, NUMBER, Token, closing, code_in, tokenize

# The text around a mark, before a piece and after it
PLAIN = ("{mark} ", "")
BLOCK = ("{{ {mark} ", " }}")
COMMA = ("({{ {mark} }}), ", "")
AND = ("({{ {mark} 1; }}) && ", "")
OR = ("({{ {mark} 0; }}) || ", "")
ELSE = ("({{ {mark} 0; }}) ? 0 : ", "")

_TYPES = frozenset(
    "struct union enum const static unsigned signed int char short long void bool float double "
    "register volatile extern typedef typeof __typeof__ __auto_type auto".split()
)
_HEADS = frozenset({"if", "while", "switch"})
_UNEVALUATED = frozenset(
    "sizeof typeof __typeof__ offsetof __builtin_offsetof _Alignof __alignof__".split()
)
# What the compiler chooses from by a constant or a type, and what is before each part
_CHOOSES = frozenset({("__builtin_choose_expr", ","), ("_Generic", ":")})
_DECIDES = frozenset({"&&", "||", "?"})
_ENDS = _DECIDES | {":", ",", ";"}
_ASSIGN = frozenset("= += -= *= /= %= &= |= ^= <<= >>=".split())
_OPEN, _CLOSE = "([{", ")]}"
# What comes with brackets before the name of a function
_ATTRIBUTE = re.compile(
    r"__(?:attribute\w*|printf|scanf|section|aligned|nonnull|alloc_size|acquires|releases)"
)


@dataclass(frozen=True)
class Piece:
    """A piece of a function, by offsets into the text.

    A mark goes to ``at``, and the second part of its ``form`` to ``end``. ``operand`` is the range of
    a condition, or of an operand on which it depends whether others are evaluated, else None.
    """

    function: str
    at: int
    form: tuple[str, str]
    end: int
    operand: tuple[int, int] | None = None


@dataclass(frozen=True)
class Pieces:
    """The pieces of a text; ``owner`` is the one that a token belongs to, by the token's offset.

    Tokens outside functions have none.
    """

    all: list[Piece] = field(default_factory=list)
    owner: dict[int, int] = field(default_factory=dict)


def pieces(text: str) -> Pieces:
    """The pieces of all functions of a text."""
    code = code_in(text)
    found = Pieces()
    for header, opening, end in _functions(text, code):
        name = _name(code[header:opening])
        Reader(code, found, name).read(header, opening, end)
    return found


def _functions(text: str, code: Sequence[Token]) -> Iterator[tuple[int, int, int]]:
    """The indices of each function's first token, opening and closing brace.

    A brace in the first column closes a function, however many an #if has opened.
    """
    start = at = 0
    while at < len(code):
        if code[at].text == "{":
            end = _end(text, code, at)
            if _is_header(code[start:at]):
                yield start, at, end
                start = end + 1
            at = end
        elif code[at].text == ";":
            start = at + 1
        at += 1


def _end(text: str, code: Sequence[Token], opening: int) -> int:
    depth = 0
    for at in range(opening, len(code)):
        token = code[at]
        depth += (token.text == "{") - (token.text == "}")
        first = token.start == 0 or text[token.start - 1] == "\n"
        if token.text == "}" and (depth == 0 or first):
            return at
    return len(code) - 1


def _is_header(tokens: Sequence[Token]) -> bool:
    """Whether tokens before a brace are the header of a function: no data, and no type."""
    depth = 0
    called = False
    for token in tokens:
        depth += (token.text in "([") - (token.text in ")]")
        called = called or token.text == "("
        if depth == 0 and token.text == "=":
            return False
    return called and (tokens[-1].text == ")" or tokens[-1].kind == NAME)


def _name(header: Sequence[Token]) -> str:
    """The name of a function; that of a system call is the first argument of its macro."""
    for token, follower, then in zip(header, header[1:], header[2:]):
        is_name = token.kind == NAME and not _ATTRIBUTE.fullmatch(token.text)
        if is_name and follower.text == "(":
            system = re.search(r"SYSCALL_DEFINE\d$", token.text)
            return then.text if system else token.text
    return ""


class Reader:
    """Reads one function: its statements, and the parts of their expressions."""

    def __init__(self, code: Sequence[Token], found: Pieces, name: str) -> None:
        self._code, self._found, self._name = code, found, name
        # Tokens that belong to the statement after them: braces, labels, else
        self._waiting: list[int] = []
        self._last = -1
        # Whether the next statement is the body of an if or a loop without braces.
        self._bare = False

    def read(self, header: int, opening: int, end: int) -> None:
        """Read a function by the indices of its first token and of its braces."""
        after = self._code[opening].end
        self._last = self._piece(after, PLAIN, after)
        self._own(header, opening + 1, self._last)
        self.body(opening + 1, end)
        self._own(end, end + 1, self._last)

    def body(self, start: int, end: int) -> None:
        """Read the statements of a function, or of a macro."""
        self._statements(start, end)
        for at in self._waiting:
            self._own(at, at + 1, self._last)

    def _piece(
        self,
        at: int,
        form: tuple[str, str],
        end: int,
        operand: tuple[int, int] | None = None,
    ) -> int:
        self._found.all.append(Piece(self._name, at, form, end, operand))
        return len(self._found.all) - 1

    def _own(self, start: int, end: int, piece: int) -> None:
        for at in range(start, end):
            self._found.owner[self._code[at].start] = piece

    def _begun(self, piece: int, bare: bool = False) -> None:
        """Give a statement the tokens before it; ``bare``: a body without braces may follow."""
        for at in self._waiting:
            self._own(at, at + 1, piece)
        self._waiting = []
        self._last = piece
        self._bare = bare

    def _wait(self, start: int, end: int, bare: bool) -> int:
        self._waiting += range(start, end)
        self._bare = bare
        return end

    def _statements(self, at: int, end: int) -> None:
        while at < end:
            at = self._statement(at, end)

    def _statement(self, at: int, end: int) -> int:
        """Read one statement, or what precedes one; returns where the next begins."""
        token = self._code[at]
        follower = self._code[at + 1].text if at + 1 < end else ""
        if token.text in ("}", ";"):
            self._own(at, at + 1, self._last)
            self._bare = False
            return at + 1
        if token.text in ("{", "else", "do"):
            return self._wait(at, at + 1, token.text != "{")
        if token.text in ("case", "default"):
            stop = self._colon(at, end)
            after = self._code[stop].end
            piece = self._piece(after, PLAIN, after)
            self._own(at, stop + 1, piece)
            self._begun(piece)
            return stop + 1
        if token.kind == NAME and follower == ":":
            return self._wait(at, at + 2, self._bare)
        if token.text in _HEADS and follower == "(":
            close = self._closing(at + 1, end)
            start = self._code[at + 2].start
            piece = self._piece(start, COMMA, start, self._range(at + 2, close))
            self._parts(at, close + 1, piece)
            self._begun(piece, bare=True)
            return close + 1
        if token.text == "for" and follower == "(":
            return self._for(at, end)
        return self._simple(at, end)

    def _simple(self, at: int, end: int) -> int:
        """A statement that ends with a semicolon, or the head of a macro that is a loop."""
        stop = self._stop(at, end)
        last = self._code[min(stop, end - 1)]
        if last.text == "{":
            piece = self._piece(last.end, PLAIN, last.end)
            self._parts(at, stop, piece)
            self._own(stop, stop + 1, piece)
            self._begun(piece)
            return stop + 1
        if self._precedes_statement(at, end):
            return self._wait(at, self._closing(at + 1, end) + 1, True)
        form = BLOCK if self._bare else PLAIN
        operand = self._decides(at, stop)
        piece = self._piece(self._code[at].start, form, last.end, operand)
        if self._code[at].text == "static":
            # A constant initialiser is data, and takes no mark.
            self._own(at, stop, piece)
        else:
            self._parts(at, stop, piece)
        self._own(stop, min(stop + 1, end), piece)
        self._begun(piece)
        return stop + 1

    def _for(self, at: int, end: int) -> int:
        """The three expressions of a loop; a declaration belongs to the condition."""
        close = self._closing(at + 1, end)
        first = at + 2
        second = min(self._stop(first, close) + 1, close)
        third = min(self._stop(second, close) + 1, close)
        whole: list[int] = []
        for start, stop in ((first, second - 1), (second, third - 1), (third, close)):
            if start < stop and not self._declares(start, stop):
                place = self._code[start].start
                decides = self._range(start, stop) if start == second else None
                piece = self._piece(place, COMMA, place, decides)
                self._parts(start, stop, piece)
                whole.append(piece)
        if not whole:
            return self._wait(at, close + 1, True)
        for index in range(at, close + 1):
            self._found.owner.setdefault(self._code[index].start, whole[0])
        self._begun(whole[0], bare=True)
        return close + 1

    def _parts(self, start: int, stop: int, piece: int) -> None:
        """Divide an expression at each operator that decides whether what follows is evaluated."""
        code = self._code
        current = piece
        # By open bracket: the piece outside it, how many ? have no : yet, and what is before the bracket
        outer: list[tuple[int, int, str]] = []
        choices = 0
        at = start
        while at < stop:
            text = code[at].text
            self._own(at, at + 1, current)
            if text == "(" and code[at - 1].text in _UNEVALUATED:
                close = self._closing(at, stop)
                self._own(at, close + 1, current)
                at = close
            elif text == "{" and code[at - 1].text == "(":
                close = self._closing(at, stop)
                self._nested(at + 1, close, current)
                at = close - 1
            elif text in _OPEN:
                outer.append((current, choices, code[at - 1].text))
                current, choices = self._inner(at + 1, stop, current), 0
            elif text in _CLOSE and outer:
                current, choices, _ = outer.pop()
                self._own(at, at + 1, current)
            elif outer and not choices and (outer[-1][2], text) in _CHOOSES:
                current = self._after(at, stop, outer[-1][0])
            elif text == "," and outer:
                current = self._inner(at + 1, stop, outer[-1][0])
            elif text in ("&&", "||", "?") or text == ":" and choices:
                choices += (text == "?") - (text == ":")
                current = self._after(at, stop, current)
            at += 1

    def _nested(self, start: int, end: int, current: int) -> None:
        """The statements of an expression ``({ ... })``."""
        kept = self._waiting, self._last, self._bare
        self._waiting, self._last, self._bare = [], current, False
        self._statements(start, end)
        for at in self._waiting:
            self._own(at, at + 1, self._last)
        self._waiting, self._last, self._bare = kept

    def _inner(self, at: int, stop: int, current: int) -> int:
        """The piece that begins in brackets, or after a comma there, if it decides on another."""
        operand = self._decides(at, stop)
        if operand is None:
            return current
        return self._piece(operand[0], OR, operand[0], operand)

    def _after(self, at: int, stop: int, current: int) -> int:
        """The piece after an operator, to which the operator belongs."""
        code, text = self._code, self._code[at].text
        if at + 1 >= stop or text == "?" and code[at + 1].text == ":":
            return current
        form = {"&&": AND, "||": OR}.get(text, ELSE)
        last = self._operand(at + 1, stop)
        decides = text in ("&&", "||") or last < stop and code[last].text in _DECIDES
        operand = self._range(at + 1, last) if decides else None
        place = code[at + 1].start
        piece = self._piece(place, form, place, operand)
        self._own(at, at + 1, piece)
        return piece

    def _decides(self, start: int, stop: int) -> tuple[int, int] | None:
        """The range of the first operand of an expression; None if nothing depends on it."""
        last = self._operand(start, stop)
        if last >= stop or last == start or self._code[last].text not in _DECIDES:
            return None
        first, depth = start, 0
        for at in range(start, last):
            text = self._code[at].text
            depth += (text in _OPEN) - (text in _CLOSE)
            if depth == 0 and (text in _ASSIGN or text == "return"):
                first = at + 1
        return self._range(first, last)

    def _operand(self, start: int, stop: int) -> int:
        """The token after an operand."""
        depth = 0
        for at in range(start, stop):
            text = self._code[at].text
            if depth == 0 and text in _ENDS:
                return at
            depth += (text in _OPEN) - (text in _CLOSE)
            if depth < 0:
                return at
        return stop

    def _range(self, start: int, stop: int) -> tuple[int, int]:
        return self._code[start].start, self._code[max(start, stop - 1)].end

    def _closing(self, opening: int, end: int) -> int:
        """The bracket that closes the one at ``opening``, or the last token before ``end``."""
        found = closing(self._code, opening, end)
        return end - 1 if found is None else found

    def _colon(self, at: int, end: int) -> int:
        """The colon that ends a case label."""
        depth = 0
        for index in range(at, end):
            text = self._code[index].text
            if text == ":" and depth == 0:
                return index
            depth += (text in "([?") - (text in ")]:")
        return end - 1

    def _stop(self, at: int, end: int) -> int:
        """The end of a statement: a semicolon, or the brace of a macro's body."""
        depth = 0
        for index in range(at, end):
            text = self._code[index].text
            if depth == 0 and (text == ";" or text == "{" and self._opens(at, index)):
                return index
            depth += (text in _OPEN) - (text in _CLOSE)
            if depth < 0:
                return index
        return end

    def _opens(self, at: int, brace: int) -> bool:
        """Whether a brace follows ``name(...)`` with which the statement begins."""
        return self._calls(at, brace) and self._closing(at + 1, brace) == brace - 1

    def _precedes_statement(self, at: int, end: int) -> bool:
        """Whether a statement follows ``name(...)``, as it does a macro that is a loop."""
        if not self._calls(at, end) or self._code[at].text in _TYPES | {"return"}:
            return False
        close = self._closing(at + 1, end)
        return close + 1 < end and self._code[close + 1].kind == NAME

    def _calls(self, at: int, end: int) -> bool:
        code = self._code
        return at + 1 < end and code[at].kind == NAME and code[at + 1].text == "("

    def _declares(self, at: int, stop: int) -> bool:
        """Whether this begins as a declaration does: with a type, ``name name`` or ``name *name``."""
        code = self._code
        if code[at].text in _TYPES:
            return True
        then = next((n for n in range(at + 1, stop) if code[n].text != "*"), stop)
        return code[at].kind == NAME and then < stop and code[then].kind == NAME


def is_literal(text: str) -> bool:
    """Whether a condition is a number, as in ``while (1)``: no configuration decides it."""
    code = [t for t in tokenize(text) if t.text not in "()!"]
    return all(t.kind == NUMBER or t.text in ("true", "false") for t in code)
