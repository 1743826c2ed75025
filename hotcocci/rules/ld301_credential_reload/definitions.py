# SPDX-License-Identifier: GPL-2.0
"""Definitions of a text, those with a given effect, and calls across which a compiler cannot assume that memory is unchanged.

Two loads of ``current->cred`` differ across code that changes the credentials of the current task, or switches
tasks. Functions with a scope or a guard, which restores what it overrides, do not count. Others are found by
definition in the file and its headers, or by the names in changes.toml.

All definitions of a name are kept: which one is compiled depends on the configuration. A compiler sees what a call does
if it sees the body and that calls nothing: macros, inline functions, and functions of the same file.
The file and its headers are searched for such a body in every configuration; if only some have it, the call is opaque."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from hotcocci.c.constants import Macro, macros_named
from hotcocci.c.flow import closure
from hotcocci.c.headers import header, reachable
from hotcocci.c.source import (
    COMMENTS,
    NAME,
    Token,
    closing,
    code_in,
    is_member,
    tokenize,
)
from hotcocci.rules.entry import table
from hotcocci.rules.ld301_credential_reload.loads import CALLS, STORES

_ARGUMENTS = r"\((?:[^();{}#]|\((?:[^();{}#]|\([^();{}#]*\))*\))*\)"
# Also on one line, or with the brace after the parameters; declarations with attributes have no body.
_FUNCTION = re.compile(
    r"^(?![#\s}])[^;{}#=]*?\b(?!__(?:attribute__|printf|scanf|acquires|releases|must_hold|section|aligned)\b)"
    rf"(\w+)\s*({_ARGUMENTS}(?:\s*__\w+(?:\s*{_ARGUMENTS})?)*\s*"
    r"\{(?:[^\n]*(?=\}[ \t]*$)|.*?(?=^\})))",
    re.MULTILINE | re.DOTALL,
)
_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)\n]*\))?((?:\\\n|[^\n])*)", re.MULTILINE
)
# DEFINE_GUARD(name, type, lock, unlock), DEFINE_CLASS(), DEFINE_FREE()
_GUARD = re.compile(
    r"^DEFINE_\w+\(\s*(\w+)\b(.*?)\)[ \t]*;?[ \t]*$", re.MULTILINE | re.DOTALL
)
_TABLE = re.compile(
    r"^(?:static|const|struct)\b[^;{}()=]*?\b(\w+)\s*(?:\[[^\]\n]*\]\s*)*=\s*\{(.*?)\}\s*;",
    re.MULTILINE | re.DOTALL,
)
_ENTRY = re.compile(r"\.(\w+)\s*=\s*&?\s*([A-Za-z_]\w*)\s*(?=[,}]|$)")
# static int (*name)(struct cred *) = function;
_POINTER = re.compile(
    r"^[A-Za-z_][^;{}=\n]*?\b(\w+)\)?(?:\([^;{}=\n]*\))?\s*=\s*&?\s*([A-Za-z_]\w*)\s*;",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")
# Words before a parenthesis that are not calls, and functions that only compute or load
_COMPUTES = frozenset(
    "if while for switch return sizeof typeof __typeof__ __auto_type defined do else case"
    " likely unlikely READ_ONCE __READ_ONCE WRITE_ONCE __WRITE_ONCE container_of offsetof"
    " rcu_dereference_protected rcu_dereference_raw rcu_access_pointer unrcu_pointer"
    " ARRAY_SIZE BUILD_BUG_ON BUILD_BUG_ON_MSG static_assert __must_check _Static_assert"
    " min max min_t max_t clamp ACCESS_PRIVATE __force __attribute__ IS_ENABLED IS_ERR"
    " IS_ERR_OR_NULL ERR_PTR PTR_ERR ERR_CAST PTR_ERR_OR_ZERO BIT GENMASK test_bit"
    " lockdep_is_held rcu_read_lock_held list_entry list_for_each_entry hlist_for_each_entry".split()
)
_ASSEMBLES = frozenset("asm __asm__ asm_volatile barrier".split())
_MOST_DEPTH = 4
# Longer functions do more than compute.
_MOST_LENGTH = 4000
_DECLARED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)|^(?:[A-Za-z_][^;{}#=()\n]*[\s*])?([A-Za-z_]\w*)[ \t]*\(",
    re.MULTILINE,
)
_EXPANSION = re.compile(
    r"[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)\n]*\))?((?:\\\n|[^\n])*)"
)


@dataclass(frozen=True)
class Definition:
    """A function, macro, guard or table, or a member of one as ``.name``, and its text.

    The text of a function begins with its parameters. A macro is expanded where it is used.
    """

    name: str
    text: str
    macro: bool = False

    @cached_property
    def body(self) -> tuple[Token, ...]:
        """Its tokens."""
        return code_in(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word in it."""
        return frozenset(_WORD.findall(self.text))


@lru_cache(maxsize=4096)
def definitions(text: str) -> tuple[Definition, ...]:
    """The definitions in a text, in no particular order."""
    plain = COMMENTS.sub("", text)
    found = [Definition(m[1], m[2]) for m in _FUNCTION.finditer(plain)]
    for macro in _MACRO.finditer(plain):
        found.append(Definition(macro[1], macro[2].replace("\\\n", " "), macro=True))
    for pattern in (_GUARD, _POINTER):
        found += [Definition(m[1], m[2]) for m in pattern.finditer(plain)]
    for entries in _TABLE.finditer(plain):
        found.append(Definition(entries[1], entries[2]))
        found += [Definition(f".{e[1]}", e[2]) for e in _ENTRY.finditer(entries[2])]
    return tuple(found)


def is_used(tokens: Sequence[Token], index: int, names: Iterable[str]) -> bool:
    """Whether one of these definitions is used at an index: called or named, or called as a member."""
    token = tokens[index]
    if token.kind != NAME:
        return False
    if not is_member(tokens, index):
        return token.text in names
    called = index + 1 < len(tokens) and tokens[index + 1].text in ("(", ")")
    return called and f".{token.text}" in names


@dataclass(frozen=True)
class Effect:
    """An effect that a definition may have; ``words`` selects texts with such definitions.

    ``named`` selects definitions that have it directly; ``does`` decides for one
    definition, given the names of others that have it.
    """

    words: Callable[[str], bool]
    named: Callable[[Definition], bool]
    does: Callable[[Definition, frozenset[str]], bool]


def names_with(effect: Effect, root: Path, file: str, text: str) -> frozenset[str]:
    """The names with an effect, directly or by calls, in a file and the headers it includes.

    ``text`` is that of the file.
    """
    own = root / file
    paths = [h.path for h in reachable(root, file) if h.path != own]
    candidates = [path for path in paths if _may_have(effect, path)]
    found: frozenset[str] = frozenset()
    while True:
        more = _with_callers(effect, [_text(path) for path in candidates], found)
        if not more:
            break
        found |= more
        plain = [name for name in more if not name.startswith(".")]
        # There are hundreds of headers, and most are no candidates.
        taken = set(candidates)
        candidates += [
            p for p in paths if p not in taken and any(_mentions(p, n) for n in plain)
        ]
    if not found and not effect.words(text):
        return found
    while True:
        more = _with_callers(effect, [text], found)
        if not more:
            return found
        found |= more


def _with_callers(
    effect: Effect, texts: Sequence[str], found: frozenset[str]
) -> frozenset[str]:
    near = {name.removeprefix(".") for name in found}
    return frozenset(
        definition.name
        for text in texts
        for definition in {*_named(effect, text), *_using(text, near)}
        if definition.name not in found
        # The names that it mentions, of those with the effect
        and _does(
            effect,
            definition,
            frozenset(n for n in found if n.removeprefix(".") in definition.words),
        )
    )


@lru_cache(maxsize=4096)
def _named(effect: Effect, text: str) -> tuple[Definition, ...]:
    """The definitions that have an effect directly; most never need to be tokenized."""
    return tuple(d for d in definitions(text) if effect.named(d))


def _using(text: str, names: Set[str]) -> Iterator[Definition]:
    if names:
        yield from (d for d in definitions(text) if not names.isdisjoint(d.words))


# The headers of one file are those of the next.
@lru_cache(maxsize=65536)
def _does(effect: Effect, definition: Definition, found: frozenset[str]) -> bool:
    return effect.does(definition, found)


def _text(path: Path) -> str:
    known = header(path)
    return known.text if known is not None else ""


@lru_cache(maxsize=32768)
def _may_have(effect: Effect, path: Path) -> bool:
    return effect.words(_text(path))


@lru_cache(maxsize=65536)
def _mentions(path: Path, name: str) -> bool:
    return name in _text(path)


@lru_cache(maxsize=65536)
def opaque(root: Path, file: str, name: str, depth: int = 0) -> bool:
    """Whether a call of this name in a file of the tree may change any memory."""
    if name in _COMPUTES or name in CALLS or name.startswith("__builtin_"):
        return False
    bodies = _bodies(root, file, name) if depth <= _MOST_DEPTH else ()
    return not bodies or any(
        body is None or not _only_computes(root, file, name, body, depth)
        for body in bodies
    )


def _only_computes(
    root: Path, file: str, name: str, body: tuple[Token, ...], depth: int
) -> bool:
    for token, follower in zip(body, (*body[1:], None)):
        if token.kind != NAME:
            continue
        if token.text in _ASSEMBLES:
            return False
        called = follower is not None and follower.text == "("
        if called and token.text != name:
            if opaque(root, file, token.text, depth + 1):
                return False
    return True


@lru_cache(maxsize=65536)
def _bodies(root: Path, file: str, name: str) -> tuple[tuple[Token, ...] | None, ...]:
    """The body of each definition of a name; None for a declaration without one."""
    return tuple(
        _body(text, start, name)
        for text, index in _indexes(root, file)
        for start in index.get(name, ())
    )


@lru_cache(maxsize=4)
def _indexes(root: Path, file: str) -> tuple[tuple[str, dict[str, list[int]]], ...]:
    """The file and all headers it includes, each with its index."""
    return tuple((header.text, _index(header.text)) for header in reachable(root, file))


@lru_cache(maxsize=16384)
def _index(text: str) -> dict[str, list[int]]:
    """The names that a file's lines declare or define, with their offsets."""
    found: dict[str, list[int]] = {}
    for match in _DECLARED.finditer(text):
        found.setdefault(match[1] or match[2], []).append(match.start())
    return found


@lru_cache(maxsize=65536)
def _body(text: str, start: int, name: str) -> tuple[Token, ...] | None:
    """The body of a macro or function whose line begins at an offset."""
    macro = _EXPANSION.match(text, start)
    if macro is not None:
        return code_in(macro[1].replace("\\\n", " "))
    code = code_in(text[start : start + _MOST_LENGTH])
    opening = next(i for i, t in enumerate(code) if t.text == name) + 1
    last = closing(code, opening)
    if last is None:
        return None
    for index in range(last + 1, len(code)):
        if code[index].text == ";":
            return None
        if code[index].text == "{":
            end = closing(code, index)
            return code[index + 1 : end] if end is not None else None
    return None


def free_names(root: Path, file: str, used: frozenset[str]) -> frozenset[str]:
    """The free names in the bodies of macros among ``used``, in all of their definitions.

    Parameters, members and tags are excluded.
    """

    def mentioned(name: str) -> set[str]:
        return set().union(*map(_mentioned, macros_named(root, file, name)))

    return frozenset().union(*map(mentioned, closure(used, mentioned)))


def _mentioned(macro: Macro) -> set[str]:
    tokens = tokenize(macro.body)
    return {
        token.text
        for before, token in zip((None, *tokens), tokens)
        if token.kind == NAME
        and token.text not in (macro.parameters or ())
        and (before is None or before.text not in ("->", ".", "struct"))
    }


# kernel/cred.c, include/linux/cred.h (scoped_with_creds() and its class), and similar
# names such as ovl_override_creds()
_CHANGES = re.compile(
    r"\w*(?:override|revert|commit)_(?:\w+_)?creds?\w*|\w*with_(?:\w+_)?creds?\w*"
)
_SCOPES = re.compile(r"scoped_with_(?:\w+_)?creds?|with_(?:\w+_)?creds?")

# Functions that may return with other credentials
KNOWN = frozenset(
    name
    for names in table("ld301_credential_reload/changes.toml").values()
    for name in names
)

# arch/x86/include/asm/current.h: per-cpu, read by this_cpu_read_stable() and variants.
_TASK = "current_task"
_MEMBERS = ("cred", "real_cred")
_COPIES = frozenset("memcpy memmove __builtin_memcpy".split())
_WHOLE = re.compile(r"\*\s*current\s*=(?!=)|\bmem(?:cpy|move)\(\s*current\b")
_OPENS_SCOPE = ("CLASS", "scoped_class", "guard", "scoped_guard", "ACQUIRE")


def changes(text: str, tokens: tuple[Token, ...], root: Path, file: str) -> list[int]:
    """The offsets where a function changes credentials or tasks, in source order.

    ``text`` is its file, ``tokens`` are the function's own. Definitions in headers are considered.
    """
    # Skip the function's own name.
    body = next((i for i, t in enumerate(tokens) if t.text == "{"), 0)
    found = _changed(tokens, changers(text, root, file))
    return [tokens[index].start for index in found if index >= body]


def _changed(tokens: Sequence[Token], ours: frozenset[str]) -> Iterator[int]:
    """The indexes of tokens that change credentials or tasks; ``ours`` are definitions that do."""
    tasks = _tasks(tokens)
    for index, token in enumerate(tokens):
        if token.kind != NAME or _is_read(tokens, index):
            continue
        called = [t.text for t in tokens[index + 1 : index + 2]] == ["("]
        if is_member(tokens, index) and not called:
            if token.text in _MEMBERS and _stored(tokens, index, tasks):
                yield index
        elif names_change(token.text) or is_used(tokens, index, ours):
            yield index
        elif token.text in tasks and _overwritten(tokens, index):
            yield index


def names_change(name: str) -> bool:
    """Whether the name is that of a function known to change credentials, or the task."""
    return name in KNOWN or _CHANGES.fullmatch(name) is not None


def _is_read(tokens: Sequence[Token], index: int) -> bool:
    """Whether the pointer to the task is only read, as by `current` of x86, or its place is, as by that of s390."""
    before = [token.text for token in tokens[max(index - 5, 0) : index]]
    read = before[-1:] == ["("] and "_read" in "".join(before[-2:-1])
    return tokens[index].text == _TASK and (read or before[:2] == ["offsetof", "("])


def _tasks(tokens: Sequence[Token]) -> set[str]:
    """The names of task pointers: any of them may be the current task."""
    found = {"current"}
    for a, b, c in zip(tokens, tokens[1:], tokens[2:]):
        if a.kind == NAME and b.text == "=" and c.text in ("current", "get_current"):
            found.add(a.text)
        if a.text == "task_struct" and b.text == "*" and c.kind == NAME:
            found.add(c.text)
    return found


def _stored(tokens: Sequence[Token], index: int, tasks: set[str]) -> bool:
    """Whether the task member at an index is stored to, or its address taken."""
    owner = tokens[index - 2] if index > 1 else None
    called = [t.text for t in tokens[max(index - 4, 0) : index - 1]]
    if owner is None or (
        owner.text not in tasks and called != ["get_current", "(", ")"]
    ):
        return False
    if index + 1 < len(tokens) and tokens[index + 1].text == "=":
        return True
    before = [t.text for t in tokens[max(index - 4, 0) : index - 2]]
    return "&" in before[-1:] or (before[-1:] == ["("] and before[0] in STORES)


def _overwritten(tokens: Sequence[Token], index: int) -> bool:
    """Whether a whole task is overwritten."""
    before = [t.text for t in tokens[max(index - 2, 0) : index]]
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if before[-1:] == ["*"] and after == "=":
        return len(before) < 2 or before[0] in (";", "{", "}", ")", "else")
    return before[-1:] == ["("] and before[0] in _COPIES and after == ","


@lru_cache(maxsize=4)
def changers(text: str, root: Path, file: str) -> frozenset[str]:
    """Names in a file and its headers that change credentials when used.

    Functions count if they return with other credentials; macros and guards also if the change is temporary.
    """
    return names_with(_CHANGING, root, file, text)


@lru_cache(maxsize=16384)
def _may_change(text: str) -> bool:
    if "_cred" in text or ">cred" in text:
        return True
    # Most headers have no such word, which takes less to see.
    if "current" in text and _WHOLE.search(text):
        return True
    return not KNOWN.isdisjoint(_WORD.findall(text))


def _names_credentials(definition: Definition) -> bool:
    text = definition.text
    return any(
        word in text for word in ("cred", "current", "task_struct")
    ) or not KNOWN.isdisjoint(definition.words)


def _changes(definition: Definition, ours: frozenset[str]) -> bool:
    """Whether a definition changes credentials other than in a scope, or changes them in code expanded at its use."""
    body = definition.body
    for index in _changed(body, ours):
        # A guard ends with its scope.
        guard = index > 1 and body[index - 2].text in _OPENS_SCOPE
        if not guard and not _SCOPES.fullmatch(body[index].text):
            return True
    return definition.macro and any(
        _written(token.text, body, ours)
        for index, token in enumerate(body)
        if not is_member(body, index) and not _is_read(body, index)
    )


_CHANGING = Effect(_may_change, _names_credentials, _changes)


def _written(name: str, body: Sequence[Token], ours: frozenset[str]) -> bool:
    """Whether the text of a macro changes credentials, even if only for its arguments."""
    if names_change(name) or name in ours:
        return True
    return "cred" in name and any(token.text == "##" for token in body)
