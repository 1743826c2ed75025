# SPDX-License-Identifier: GPL-2.0
"""Widening a narrow local does not change results: expressions are generated, judged, compiled and run."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hotcocci.c.parsing import parse_text
from hotcocci.rules.ld304_narrow_local.integers import BITS
from hotcocci.rules.ld304_narrow_local.uses import NarrowUseError, Uses, computes

TYPES = {
    "x": "unsigned short",
    "i": "int",
    "u": "unsigned int",
    "w": "unsigned long",
    "d": "long long",
    "q": "unsigned long long",
    "c": "unsigned char",
    "s": "short",
}
# Targets for results: nothing wider than an int may be assigned a value with the same
# bits only.
SINKS = {"int": "i", "unsigned int": "u", "long long": "d", "unsigned char": "c"}
LITERALS = ("0", "1", "7", "0xff", "0x7fff", "70000", "0x7fffffff", "3u", "5ull", "-4")
OPERATORS = ("+", "-", "*", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "&&", "||")
X = re.compile(r"\bx\b")
VALUES = (
    "i = -70000, u = 0x80000001u, w = ~0ul, d = -3, q = 1ull << 40, c = 200, s = -5",
    "i = 65535, u = 3, w = 65535, d = 65536, q = 7, c = 0, s = 32767",
    "i = -1, u = ~0u, w = 1ul << 33, d = 0, q = ~0ull, c = 255, s = -1",
)
PREAMBLE = "static int i; static unsigned u; static unsigned long w; static long long d;\nstatic unsigned long long q; static unsigned char c; static short s;\n"


def random_expression(chance: random.Random, depth: int) -> str:
    """A random expression over the variables, without undefined behaviour."""
    if depth == 0 or chance.random() < 0.15:
        names = ("x", "x", "x", *TYPES, *LITERALS)
        return chance.choice(names)
    kind = chance.random()
    left = random_expression(chance, depth - 1)
    if kind < 0.12:
        return f"({chance.choice('~-!')}({left}))"
    if kind < 0.22:
        count = chance.choice(("3", "9", "(c & 7)", "(x & 3)"))
        return f"(({left}) {chance.choice(('<<', '>>'))} {count})"
    if kind < 0.30:
        divisor = chance.choice(("3", "(x | 1)", "(c | 1)", "(u | 1)"))
        return f"(({left}) {chance.choice('/%')} {divisor})"
    right = random_expression(chance, depth - 1)
    if kind < 0.40:
        return f"(({random_expression(chance, depth - 1)}) ? ({left}) : ({right}))"
    return f"(({left}) {chance.choice(OPERATORS)} ({right}))"


def accepted(text: str) -> bool:
    """Whether a statement cannot distinguish the types."""
    uses = Uses(Path("/"), "none.c", TYPES, "x", 0xFFFF)
    try:
        return uses.follow(parse_text(text)).kind != BITS
    except NarrowUseError:
        return False


def program(statements: list[tuple[str, str]]) -> str:
    """Prints what each statement stores in its target, with the narrow type and with the wide one."""
    lines = ["int printf(const char *, ...);", PREAMBLE]
    for number, (sink, text) in enumerate(statements):
        for width, type_ in (("n", "unsigned short"), ("w", "unsigned int")):
            body = f"{type_} x = from; {SINKS[sink]} = {text}; return {SINKS[sink]};"
            lines.append(
                f"static long long {width}{number}(unsigned short from) {{ {body} }}"
            )
    lines.append("int main(void)\n{\nlong long narrow, wide;")
    for values in VALUES:
        for number in range(len(statements)):
            for value in ("0", "1", "0x8000", "0xffff", "77"):
                # Each call starts with the same values, as it may change one.
                lines += [
                    f"{values}; narrow = n{number}({value});",
                    f"{values}; wide = w{number}({value});",
                    f'if (narrow != wide) printf("{number}\\n");',
                ]
    return "\n".join([*lines, "return 0;\n}\n"])


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")
def test_accepted_statements_compute_the_same(builds: None, tmp_path: Path) -> None:
    chance = random.Random(2011)
    tried = []
    for _ in range(3000):
        sink = chance.choice(list(SINKS))
        tried.append((sink, random_expression(chance, 3)))
    kept = [(s, e) for s, e in tried if X.search(e) and accepted(f"{SINKS[s]} = {e}")]
    mixed = [(s, e) for s, e in tried if X.search(e) and (s, e) not in kept]
    assert len(kept) > 500 and len(mixed) > 100
    assert _differing(tmp_path, kept[:800]) == []
    # The test would prove little if all expressions were accepted.
    assert _differing(tmp_path, mixed[:400])


def _differing(folder: Path, statements: list[tuple[str, str]]) -> list[str]:
    source = folder / "narrow.c"
    source.write_text(program(statements))
    command = ["gcc", "-w", "-O0", "-fwrapv", "-o", str(folder / "narrow"), str(source)]
    subprocess.run(command, check=True)
    ran = subprocess.run(
        [str(folder / "narrow")], check=True, capture_output=True, text=True
    )
    numbers = sorted({int(line) for line in ran.stdout.split()})
    return [f"{statements[n][0]} = {statements[n][1]}" for n in numbers]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = i", True),
        ("x |= u", True),
        ("x += 1", True),
        ("x++", True),
        ("x <<= 1", True),
        ("y = &x", True),
        ("x = c", False),
        ("x = i & 0xff", False),
        ("x = x >> 3", False),
        ("x &= ~7", False),
        ("x = c << 9", True),
    ],
)
def test_assignments_to_the_local(text: str, told: bool) -> None:
    assert accepted(text) != told


def test_expressions_that_only_compute() -> None:
    assert computes(parse_text("u = x & 7"), "x")
    assert not computes(parse_text("u = f(x)"), "x")
    assert not computes(parse_text("u = x"), "x")
