# SPDX-License-Identifier: GPL-2.0
"""C expressions as trees: enough to say what one reads, writes and calls.

SmPL binds the expressions; this takes the bound text apart. It knows no types
beyond what the text shows, so whoever asks must treat `Opaque` as anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hotcocci.rewrite.source import (
    NAME,
    NUMBER,
    STRING,
    Source,
    Token,
    closing,
    tokenize,
)

_BINARY = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}
_ASSIGN = {"=", "|=", "&=", "+=", "-=", "*=", "/=", "%=", "^=", "<<=", ">>="}
_TYPE_WORDS = frozenset(
    "void char short int long float double signed unsigned struct union enum const volatile"
    " bool _Bool __user __force __iomem __rcu __percpu __kernel typeof __typeof__".split()
)
_TYPE_NAMES = frozenset("u8 u16 u32 u64 s8 s16 s32 s64 uint ulong ushort bool".split())


@dataclass(frozen=True)
class Expr:
    """Any expression; ``start`` and ``end`` are offsets into the file."""

    start: int
    end: int

    def children(self) -> tuple[Expr, ...]:
        """The direct operands, in the order of the text."""
        return ()


@dataclass(frozen=True)
class Name(Expr):
    """An identifier: variable, constant or macro."""

    text: str


@dataclass(frozen=True)
class Literal(Expr):
    """A number, character or string."""

    text: str


@dataclass(frozen=True)
class Opaque(Expr):
    """Something this reader does not take apart; it may do anything."""

    text: str


@dataclass(frozen=True)
class SizeOf(Expr):
    """``sizeof``, ``offsetof`` and the like: nothing is evaluated."""

    text: str


@dataclass(frozen=True)
class Call(Expr):
    """A call of a function, or of a macro that looks like one."""

    function: Expr
    arguments: tuple[Expr, ...]

    def children(self) -> tuple[Expr, ...]:
        return (self.function, *self.arguments)


@dataclass(frozen=True)
class Unary(Expr):
    """A prefix operator."""

    operator: str
    operand: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Postfix(Expr):
    """``x++`` or ``x--``."""

    operator: str
    operand: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Binary(Expr):
    """Two operands; assignments too."""

    operator: str
    left: Expr
    right: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Conditional(Expr):
    """``c ? a : b``; ``c ?: b`` repeats the condition as ``a``."""

    condition: Expr
    then: Expr
    other: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.condition, self.then, self.other)


@dataclass(frozen=True)
class Cast(Expr):
    """A cast to the type written in ``type``."""

    type: str
    operand: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Member(Expr):
    """``object.field`` or ``object->field``."""

    operator: str
    object: Expr
    field: str

    def children(self) -> tuple[Expr, ...]:
        return (self.object,)


@dataclass(frozen=True)
class Index(Expr):
    """``object[index]``."""

    object: Expr
    index: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.object, self.index)


class _Parser:
    def __init__(self, text: str, tokens: tuple[Token, ...]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect(self, text: str) -> Token:
        if self.peek() != text:
            raise SyntaxError(f"{text} expected before {self.peek() or 'the end'}")
        return self.take()

    def comma(self) -> Expr:
        left = self.assignment()
        while self.peek() == ",":
            self.take()
            right = self.assignment()
            left = Binary(left.start, right.end, ",", left, right)
        return left

    def assignment(self) -> Expr:
        left = self.conditional()
        if self.peek() in _ASSIGN:
            operator = self.take().text
            right = self.assignment()
            return Binary(left.start, right.end, operator, left, right)
        return left

    def conditional(self) -> Expr:
        condition = self.binary(1)
        if self.peek() != "?":
            return condition
        self.take()
        then = condition if self.peek() == ":" else self.comma()
        self.expect(":")
        other = self.conditional()
        return Conditional(condition.start, other.end, condition, then, other)

    def binary(self, level: int) -> Expr:
        left = self.unary()
        while _BINARY.get(self.peek(), 0) >= level:
            operator = self.take().text
            right = self.binary(_BINARY[operator] + 1)
            left = Binary(left.start, right.end, operator, left, right)
        return left

    def unary(self) -> Expr:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None:
            raise SyntaxError("an operand is missing")
        if token.text in ("&", "*", "-", "+", "!", "~", "++", "--", "&&"):
            self.take()
            operand = self.unary()
            return Unary(token.start, operand.end, token.text, operand)
        if token.text in ("sizeof", "typeof", "__typeof__", "_Alignof", "__alignof__"):
            return self.size_of()
        if token.text == "(":
            cast = self.cast()
            if cast is not None:
                return cast
        return self.postfix(self.primary())

    def size_of(self) -> Expr:
        word = self.take()
        if self.peek() == "(":
            end = self.skip_brackets()
        else:
            end = self.unary().end
        return self.postfix(SizeOf(word.start, end, self.text[word.start : end]))

    def skip_brackets(self) -> int:
        last = closing(self.tokens, self.at)
        if last is None:
            raise SyntaxError("a bracket is not closed")
        self.at = last + 1
        return self.tokens[last].end

    def cast(self) -> Expr | None:
        last = closing(self.tokens, self.at)
        if last is None:
            raise SyntaxError("a bracket is not closed")
        inside = self.tokens[self.at + 1 : last]
        after = self.tokens[last + 1] if last + 1 < len(self.tokens) else None
        if not _is_type(inside, after):
            return None
        start = self.tokens[self.at].start
        type_text = self.text[self.tokens[self.at].end : self.tokens[last].start]
        self.at = last + 1
        if self.peek() == "{":
            end = self.skip_brackets()
            return self.postfix(Opaque(start, end, self.text[start:end]))
        operand = self.unary()
        return Cast(start, operand.end, " ".join(type_text.split()), operand)

    def primary(self) -> Expr:
        token = self.take()
        if token.kind == NAME:
            return Name(token.start, token.end, token.text)
        if token.kind == NUMBER:
            return Literal(token.start, token.end, token.text)
        if token.kind == STRING:
            end = token.end
            while self.at < len(self.tokens) and self.tokens[self.at].kind == STRING:
                end = self.take().end
            return Literal(token.start, end, self.text[token.start : end])
        if token.text == "(":
            if self.peek() == "{":
                self.at -= 1
                end = self.skip_brackets()
                return Opaque(token.start, end, self.text[token.start : end])
            inner = self.comma()
            return replace(inner, start=token.start, end=self.expect(")").end)
        raise SyntaxError(f"unexpected {token.text}")

    def postfix(self, left: Expr) -> Expr:
        while True:
            text = self.peek()
            if text == "(":
                left = self.call(left)
            elif text == "[":
                self.take()
                index = self.comma()
                left = Index(left.start, self.expect("]").end, left, index)
            elif text in (".", "->"):
                self.take()
                name = self.take()
                left = Member(left.start, name.end, text, left, name.text)
            elif text in ("++", "--"):
                left = Postfix(left.start, self.take().end, text, left)
            else:
                return left

    def call(self, function: Expr) -> Expr:
        opening = self.at
        saved = self.at
        self.take()
        arguments: list[Expr] = []
        try:
            while self.peek() != ")":
                arguments.append(self.assignment())
                if self.peek() != ",":
                    break
                self.take()
            end = self.expect(")").end
        except SyntaxError:
            # A macro may take a type or an operator: keep it whole.
            self.at = saved
            begin = self.tokens[opening].start
            end = self.skip_brackets()
            arguments = [Opaque(begin, end, self.text[begin:end])]
        return Call(function.start, end, function, tuple(arguments))


def _is_type(tokens: tuple[Token, ...], after: Token | None) -> bool:
    words = [t for t in tokens if t.kind == NAME]
    if not words or tokens[0].kind != NAME or after is None:
        return False
    if any(t.text not in "*()[]" and t.kind not in (NAME, NUMBER) for t in tokens):
        return False
    if words[0].text in ("typeof", "__typeof__"):
        return True
    for before, bracket, token in zip(tokens, tokens[1:], tokens[2:]):
        # (int (*)(int)) is a type, (f((int)x)) and (sizeof(int) * 2) are none.
        if bracket.text == "(" and before.text != ")" and token.text != "*":
            return False
    if any(w.text in _TYPE_WORDS for w in words) or tokens[-1].text == "*":
        return True
    if len(words) != 1 or len(tokens) != 1:
        return False
    starts_operand = after.kind in (NAME, NUMBER, STRING) or after.text in "(~!"
    name = words[0].text
    if name in _TYPE_NAMES or name.endswith("_t") or name.startswith("__u"):
        return after.kind in (NAME, NUMBER, STRING) or after.text in "(~!-&*"
    return starts_operand and after.text != "("


def parse(text: str, tokens: tuple[Token, ...]) -> Expr:
    """The tree of an expression; `Opaque` when it is not one we can read."""
    if not tokens:
        return Opaque(0, 0, "")
    parser = _Parser(text, tokens)
    whole = Opaque(
        tokens[0].start, tokens[-1].end, text[tokens[0].start : tokens[-1].end]
    )
    try:
        tree = parser.comma()
    except SyntaxError:
        return whole
    return tree if parser.at == len(tokens) else whole


def parse_range(source: Source, start: int, end: int) -> Expr:
    """The tree of the expression that stands between two offsets of a file."""
    return parse(source.text, source.code_between(start, end))


def parse_text(text: str) -> Expr:
    """The tree of an expression given alone."""
    return parse(text, tokenize(text))


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and everything in it."""
    yield expr
    for child in expr.children():
        yield from walk(child)


def names(expr: Expr) -> frozenset[str]:
    """Every identifier that is read or written as a variable."""
    found = {e.text for e in walk(expr) if isinstance(e, Name)}
    for part in walk(expr):
        if isinstance(part, Opaque):
            found |= {t.text for t in tokenize(part.text) if t.kind == NAME}
    return frozenset(found)


def calls(expr: Expr) -> tuple[Call | Opaque, ...]:
    """Everything that may run code elsewhere."""
    return tuple(e for e in walk(expr) if isinstance(e, (Call, Opaque)))


def assigned(expr: Expr) -> tuple[Expr, ...]:
    """The targets of every assignment, increment and decrement."""
    targets: list[Expr] = []
    for part in walk(expr):
        if isinstance(part, Binary) and part.operator in _ASSIGN:
            targets.append(part.left)
        elif isinstance(part, Postfix):
            targets.append(part.operand)
        elif isinstance(part, Unary) and part.operator in ("++", "--"):
            targets.append(part.operand)
    return tuple(targets)


def root(expr: Expr) -> Expr:
    """The leftmost object of an lvalue: ``p`` of ``&p->a.b[i].c``."""
    while True:
        if isinstance(expr, (Member, Index)):
            expr = expr.object
        elif isinstance(expr, (Unary, Postfix, Cast)):
            expr = expr.operand
        elif isinstance(expr, Binary) and expr.operator in ("+", "-"):
            expr = expr.left
        else:
            return expr


def canonical(text: str) -> str:
    """The text with one space between words and none elsewhere, for comparing."""
    result = ""
    for token in tokenize(text):
        joined = result[-1:].isidentifier() or result[-1:].isalnum()
        if joined and (token.text[0].isalnum() or token.text[0] == "_"):
            result += " "
        result += token.text
    return result
