# SPDX-License-Identifier: GPL-2.0
"""Find code that changes the credentials of the current task, or switches tasks.

Two loads of ``current->cred`` differ across such code. Functions with a scope or a guard, which restores what it
overrides, do not count. Others are found by definition in the file and its headers, or by the names in changes.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from hotcocci.c.source import NAME, Token, is_member
from hotcocci.rules.entry import table
from hotcocci.rules.ld301_credential_reload.definitions import (
    Definition,
    Effect,
    is_used,
    names_with,
)
from hotcocci.rules.ld301_credential_reload.loads import STORES

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
_WORD = re.compile(r"\w+")
_OPENS_SCOPE = ("CLASS", "scoped_class", "guard", "scoped_guard", "ACQUIRE")


def changes(text: str, tokens: tuple[Token, ...], root: Path, file: str) -> list[int]:
    """The offsets where a function changes credentials or tasks, in source order.

    ``text`` is its file, ``tokens`` are the function's own. Definitions in headers are
    considered.
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

    Functions count if they return with other credentials; macros and guards also if the
    change is temporary.
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
