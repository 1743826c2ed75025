# SPDX-License-Identifier: GPL-2.0
"""LD302: four or more dependent loads in a hot function."""

from __future__ import annotations

from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import (
    PREPARED,
    REPORT,
    REWRITE,
    Facts,
    Finding,
    Rewrite,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.hot import is_hot
from hotcocci.rewrite.loads.accessor_index import bodies_of
from hotcocci.rewrite.loads.chain_paths import CURRENT, Chain, Reader, chains_of
from hotcocci.rules.ld302_pointer_chain.common_prefix import (
    CommonPrefix,
    Local,
    common_prefix,
    judge,
)
from hotcocci.rewrite.loads.chain_variables import types_of, variables
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ld302_pointer_chain import RULE

DEPTH = 4


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Findings for long chains in the hot functions of a file, and rewrites of common prefixes."""
    source = Source(facts.file, text)
    accessors = bodies_of(options.accessors)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for function in functions(source, facts):
        if not is_hot(facts.file, text, function.name, options.hot):
            continue
        context = Context(function.source, function, facts, options)
        types = types_of(variables(context))
        reader = Reader(options.root, facts.file, types, accessors)
        chains = chains_of(context, reader)
        judged: dict[str, Local | Refusal] = {}
        for occurrences in _long(chains):
            prefix = common_prefix(occurrences[0], chains)
            verdict = None
            if prefix is not None:
                verdict = judged.get(prefix.key) or _judge(
                    context, reader, prefix, judged
                )
                judged[prefix.key] = verdict
            finding = _finding(context, occurrences, chains, prefix, verdict)
            findings.append(finding)
            if isinstance(verdict, Local):
                rewrites.append(Rewrite(finding, verdict.edits, "prefix", options.api))
    return findings, rewrites


def _judge(
    context: Context,
    reader: Reader,
    prefix: CommonPrefix,
    judged: dict[str, Local | Refusal],
) -> Local | Refusal:
    """One local variable per function; other prefixes are reported on the next run."""
    if any(isinstance(other, Local) for other in judged.values()):
        line = context.source.line_of(prefix.occurrences[0].start)
        return Refusal("unusual-form", line)
    return judge(context, reader, prefix)


def _long(chains: list[Chain]) -> list[list[Chain]]:
    """The occurrences of each chain of DEPTH loads or more."""
    occurrences: dict[str, list[Chain]] = {}
    for chain in chains:
        if len(chain.loads) >= DEPTH:
            occurrences.setdefault(chain.loads[-1].key, []).append(chain)
    return list(occurrences.values())


def _finding(
    context: Context,
    occurrences: list[Chain],
    chains: list[Chain],
    prefix: CommonPrefix | None,
    verdict: Local | Refusal | None,
) -> Finding:
    source = context.source
    chain = occurrences[0]
    message = f"{len(chain.loads)} dependent loads: {_spelled(chain)}"
    if len(occurrences) > 1:
        lines = ", ".join(str(source.line_of(p.start)) for p in occurrences[1:])
        message += f", again at line {lines}"
    message += _cache_hint(chain, chains)
    tier = reason = None
    if isinstance(verdict, Local):
        tier = PREPARED
        message += f"; cache {prefix.key if prefix else ''} in {verdict.name}"
    elif verdict is not None and prefix is not None:
        reason = verdict.reason
        lines = ", ".join(
            dict.fromkeys(str(source.line_of(p.start)) for p in prefix.occurrences)
        )
        message += f"; {prefix.key} is loaded at line {lines}"
        message += f"; {verdict.text(RULE.meaning(reason))}"
    else:
        reason = "chain-alone"
        message += f"; {RULE.meaning(reason)}"
    return Finding(
        rule=RULE.code,
        file=context.facts.file,
        line=source.line_of(chain.start),
        end_line=source.line_of(max(chain.end - 1, chain.start)),
        function=context.function.name,
        message=message,
        accesses=len(chain.loads),
        base=chain.root,
        direction=None,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
    )


def _spelled(chain: Chain) -> str:
    """Each load with the structure that it reads."""
    parts = []
    before = ""
    for load in chain.loads:
        rest = load.key.removeprefix(before) if before else load.key
        parts.append(f"{rest} ({load.owner})" if load.owner else rest)
        before = load.key
    return " ".join(parts)


def _cache_hint(chain: Chain, chains: list[Chain]) -> str:
    """The structure that could cache the last member, as struct cred caches user_ns since 47a150edc2ae."""
    last = chain.loads[-1]
    near = next(iter(_also_read(chain, chains)), len(chain.loads) - 3)
    holder = chain.loads[near + 1].owner
    saved = len(chain.loads) - near - 2
    if not holder or not last.field or holder == last.owner:
        return ""
    return f"; a copy of {last.field} in {holder} would save {saved} of them"


def _also_read(chain: Chain, chains: list[Chain]) -> list[int]:
    """Indexes of the loads whose structure the function also reads another member of."""
    found = []
    for index, load in enumerate(chain.loads[:-2]):
        following = chain.loads[index + 1]
        others = (
            later.field
            for other in chains
            for before, later in zip(other.loads, other.loads[1:])
            if before.key == load.key and later.key != following.key
        )
        if load.key != CURRENT and next(others, None):
            found.append(index)
    return found
