# SPDX-License-Identifier: GPL-2.0
"""Parse C expressions into trees, by precedence (C11 6.5).

Parentheses may contain a type or an expression: text that looks like a type is only
parsed as a cast if an operand follows.
"""

from dataclasses import replace
from functools import lru_cache

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Opaque,
    Postfix,
    SizeOf,
    Unary,
)
from hotcocci.c.source import NAME, NUMBER, STRING, Source, Token, closing, tokenize

# From the loosest to the tightest
_LEVELS = (
    {","},
    ASSIGNMENTS,
    {"?"},
    {"||"},
    {"&&"},
    {"|"},
    {"^"},
    {"&"},
    {"==", "!="},
    {"<", ">", "<=", ">="},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
)
_LEVEL = {operator: at for at, level in enumerate(_LEVELS) for operator in level}
_COMMA, _ASSIGNMENT, _CONDITIONAL = range(3)
_TYPE_WORDS = frozenset(
    "void char short int long float double signed unsigned struct union enum const volatile"
    " bool _Bool __user __force __iomem __rcu __percpu __kernel typeof __typeof__".split()
)
_TYPE_NAMES = frozenset("u8 u16 u32 u64 s8 s16 s32 s64 uint ulong ushort bool".split())


class _Parser:
    def __init__(self, text: str, tokens: tuple[Token, ...]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def next_kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def take(self) -> Token:
        if self.at == len(self.tokens):
            raise SyntaxError("the expression has no end")
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect(self, text: str) -> Token:
        if self.peek() != text:
            raise SyntaxError(f"{text} expected before {self.peek() or 'the end'}")
        return self.take()

    def expression(self, loosest: int = _COMMA) -> Expr:
        """An expression without operators of looser levels."""
        left = self.unary()
        while (level := _LEVEL.get(self.peek(), -1)) >= loosest:
            operator = self.take().text
            if level == _CONDITIONAL:
                then = left if self.peek() == ":" else self.expression()
                self.expect(":")
                other = self.expression(_CONDITIONAL)
                left = Conditional(left.start, other.end, left, then, other)
            else:
                right = self.expression(level if level == _ASSIGNMENT else level + 1)
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
        named = token.kind == NAME and self.next_kind() == STRING
        if token.kind == STRING or named:
            # LOCK_PREFIX "xaddl" and "%" PRIu64 are one string too.
            end = token.end
            while self.next_kind() in (STRING, NAME):
                end = self.take().end
            return Literal(token.start, end, self.text[token.start : end])
        if token.kind == NAME:
            return Name(token.start, token.end, token.text)
        if token.kind == NUMBER:
            return Literal(token.start, token.end, token.text)
        if token.text == "(":
            if self.peek() == "{":
                self.at -= 1
                end = self.skip_brackets()
                return Opaque(token.start, end, self.text[token.start : end])
            inner = self.expression()
            return replace(inner, start=token.start, end=self.expect(")").end)
        raise SyntaxError(f"unexpected {token.text}")

    def postfix(self, left: Expr) -> Expr:
        while True:
            text = self.peek()
            if text == "(":
                left = self.call(left)
            elif text == "[":
                self.take()
                index = self.expression()
                left = Index(left.start, self.expect("]").end, left, index)
            elif text in (".", "->"):
                self.take()
                name = self.take()
                left = Member(left.start, name.end, text, left, name.text)
            elif text in ("++", "--"):
                left = Postfix(left.start, self.take().end, text, left)
            else:
                return left

    def named_type(self) -> Expr | None:
        """An argument that is a type of two words at least, as ``struct s`` and ``unsigned int *``."""
        first = end = self.at
        if self.peek() not in _TYPE_WORDS:
            return None
        while self.next_kind() == NAME or self.peek() == "*":
            end = self.take().end
        if self.at > first + 1 and self.peek() in (",", ")"):
            start = self.tokens[first].start
            return SizeOf(start, end, self.text[start:end])
        self.at = first
        return None

    def call(self, function: Expr) -> Expr:
        opening = self.at
        self.take()
        arguments: list[Expr] = []
        try:
            while self.peek() != ")":
                arguments.append(self.named_type() or self.expression(_ASSIGNMENT))
                if self.peek() != ",":
                    break
                self.take()
            end = self.expect(")").end
        except SyntaxError:
            # A macro argument may be a type or an operator: keep it opaque.
            self.at = opening
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
        # (int (*)(int)) is a type, (f((int)x)) and (sizeof(int) * 2) are not.
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
    """The tree of an expression; `Opaque` if it cannot be parsed."""
    if not tokens:
        return Opaque(0, 0, "")
    parser = _Parser(text, tokens)
    whole = Opaque(
        tokens[0].start, tokens[-1].end, text[tokens[0].start : tokens[-1].end]
    )
    try:
        tree = parser.expression()
    except SyntaxError:
        return whole
    return tree if parser.at == len(tokens) else whole


def parse_range(source: Source, start: int, end: int) -> Expr:
    """The tree of the expression between two offsets of a file."""
    return parse(source.text, source.code_between(start, end))


@lru_cache(maxsize=4096)
def parse_text(text: str) -> Expr:
    """The tree of an expression given as text."""
    return parse(text, tokenize(text))
