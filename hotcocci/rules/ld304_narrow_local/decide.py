# SPDX-License-Identifier: GPL-2.0
"""LD304: narrow local variables of hot functions that could be as wide as a register.

Torvalds, 'acl_permission_check: disgusting performance', 2011-05-12: "let's not use
"mode_t", use "unsigned int" and gcc generates better code". The patch gate compiles a
rewrite to see whether it does.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.flow import BasicBlock
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.source import Source, Token
from hotcocci.c.syntax import functions
from hotcocci.findings import (
    PREPARED,
    REPORT,
    REWRITE,
    Edit,
    Facts,
    Finding,
    Rewrite,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.hot import is_hot
from hotcocci.rewrite.loads.chain_bodies import free_names
from hotcocci.c.types import integer_of, parsed
from hotcocci.rewrite.loads.chain_variables import Variable, types_of, variables
from hotcocci.rules.ld304_narrow_local.integers import BITS, class_of
from hotcocci.rules.ld304_narrow_local.uses import (
    AS_WIDE_AS_INT,
    NarrowUseError,
    Uses,
    computes,
)
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ld304_narrow_local import RULE

WIDER = "unsigned int"
# Variables of these take their type from their initializer.
_INFERRED = frozenset({"__auto_type", "auto"})
_STORAGE = frozenset("const static register inline __always_inline noinline".split())


@dataclass(frozen=True)
class Judged:
    """The verdict on one variable; ``computed`` is set if it is used other than in copies."""

    verdict: Refusal | None
    computed: bool


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Findings for narrow variables used in arithmetic in hot functions, and their widening."""
    source = Source(facts.file, text)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for function in functions(source, facts):
        if not is_hot(facts.file, text, function.name, options.hot):
            continue
        context = Context(function.source, function, facts, options)
        known = variables(context)
        for variable in known:
            bits = _narrow(context, variable)
            if bits is None:
                continue
            judged = _judge(context, known, variable, bits)
            if not judged.computed:
                continue
            finding = _finding(context, variable, judged)
            findings.append(finding)
            if judged.verdict is None:
                edit = _edit(variable)
                rewrites.append(Rewrite(finding, (edit,), "widen", options.api))
    return findings, rewrites


def _narrow(context: Context, variable: Variable) -> int | None:
    """The width in bits of a type narrower than int; None otherwise."""
    type_ = parsed(variable.type)
    if type_.stars or type_.bounds or any(t.text == "static" for t in variable.tokens):
        return None
    found = integer_of(context.options.root, context.facts.file, type_.name)
    if found is None or found.size not in (1, 2) or found.bitwise or found.boolean:
        return None
    if found.signed is None:
        return None
    return -8 * found.size if found.signed else 8 * found.size


def _hidden(context: Context) -> frozenset[str]:
    """Names in the macros used by a function that are not among their arguments."""
    root, file = context.options.root, context.facts.file
    return free_names(root, file, context.identifiers)


def _judge(
    context: Context, known: list[Variable], variable: Variable, bits: int
) -> Judged:
    """Follow all uses of a variable: whether it is used in arithmetic, and why it is not widened."""
    source = context.source
    types = types_of(known)
    name = variable.name.text
    bound = 2 ** abs(bits) - 1
    uses = Uses(context.options.root, context.facts.file, types, name, bound)
    found: list[tuple[int, str]] = []
    computed = False

    def refuse(reason: str, offset: int) -> None:
        found.append((offset, reason))

    if variable.parameter:
        refuse("parameter", variable.name.start)
    elif bits < 0:
        refuse("may-not-fit", variable.name.start)
    elif name not in types or not variable.single:
        refuse("declared-together", variable.name.start)
    if parsed(variable.type).volatile or name in _hidden(context):
        refuse("narrow-use", variable.name.start)
    for other in known:
        copies = other.words and other.words[-1].text in _INFERRED
        if copies and any(token.text == name for token in other.value):
            refuse("narrow-use", other.name.start)
    for block in build_graph(context.function).blocks:
        if name in block.asm:
            refuse("narrow-use", block.at)
        if block.expr is None:
            continue
        computed = computed or computes(block.expr, name)
        try:
            made = uses.follow(block.expr)
            if made.kind == BITS and not _takes_bits(context, block):
                refuse("narrow-use", block.at)
        except NarrowUseError as error:
            refuse(error.reason, error.offset)
    mentions = context.mentions(name, context.body.start, context.body.end)
    for token in mentions:
        if token.start not in uses.followed and token.start != variable.name.start:
            refuse("narrow-use", token.start)
    computed = computed or uses.computed
    if not found:
        return Judged(None, computed)
    offset, reason = min(found)
    return Judged(Refusal(reason, source.line_of(offset)), computed)


def _takes_bits(context: Context, block: BasicBlock) -> bool:
    """Whether a statement treats an int and an unsigned int of the same bits alike."""
    if not block.returns:
        first = context.source.code_between(block.at, context.body.end)[0]
        return first.text != "switch"
    header = context.source.code_between(context.function.start, context.body.start)
    words = [t.text for t in header[: header.index(_opening(header)) - 1]]
    type_ = parsed(" ".join(w for w in words if w not in _STORAGE))
    root, file = context.options.root, context.facts.file
    return class_of(root, file, type_).kind in AS_WIDE_AS_INT


def _opening(header: tuple[Token, ...]) -> Token:
    """The open parenthesis of a function's parameters."""
    return next(t for t in header if t.text == "(")


def _edit(variable: Variable) -> Edit:
    """Replace the words of the type, except qualifiers."""
    words = [t for t in variable.words if t.text not in _STORAGE]
    return Edit(words[0].start, words[-1].end, WIDER)


def _finding(context: Context, variable: Variable, judged: Judged) -> Finding:
    source = context.source
    name, type_ = variable.name.text, parsed(variable.type).name
    what = "a parameter" if variable.parameter else "a local variable"
    message = f"{name} is {what} of type {type_} used in arithmetic"
    tier = reason = None
    if judged.verdict is None:
        tier = PREPARED
        message += f"; use {WIDER}, which holds the same values and needs no masking"
    else:
        reason = judged.verdict.reason
        message += f"; {judged.verdict.text(RULE.meaning(reason))}"
    return Finding(
        rule=RULE.code,
        file=context.facts.file,
        line=source.line_of(variable.name.start),
        end_line=source.line_of(variable.name.start),
        function=context.function.name,
        message=message,
        accesses=None,
        base=name,
        direction=None,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
    )
