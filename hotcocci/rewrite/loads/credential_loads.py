# SPDX-License-Identifier: GPL-2.0
"""The loads of the task's credentials in a function, and their replacements.

The accessors are those of include/linux/cred.h; a tree may lack some of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.source import Source, Token, closing
from hotcocci.c.syntax import Function

SUBJECTIVE = "current->cred"
OBJECTIVE = "current->real_cred"
NAMESPACE = "current_user_ns"

# Accessors of one field: current_cred()->FIELD
FIELDS = {
    "current_uid": "uid",
    "current_gid": "gid",
    "current_euid": "euid",
    "current_egid": "egid",
    "current_suid": "suid",
    "current_sgid": "sgid",
    "current_fsuid": "fsuid",
    "current_fsgid": "fsgid",
    "current_cap": "cap_effective",
    "current_user": "user",
    "current_ucounts": "ucounts",
    NAMESPACE: "user_ns",
}
# Accessors whose value is stored itself, where a function uses no other: its type
VALUES = {
    NAMESPACE: "struct user_namespace *",
    **{name: "kuid_t " for name in FIELDS if name.endswith("uid")},
    **{name: "kgid_t " for name in FIELDS if name.endswith("gid")},
}
# Accessors of the credentials themselves, or of objects they hold a reference to; not
# get_current_groups(), whose users give back what it took
WHOLE = {
    "current_cred": "{}",
    "current_real_cred": "{}",
    "get_current_cred": "get_cred({})",
    "get_current_user": "get_uid({}->user)",
}
# Macros that store two fields
PAIRS = {
    "current_uid_gid": ("uid", "gid"),
    "current_euid_egid": ("euid", "egid"),
    "current_fsuid_fsgid": ("fsuid", "fsgid"),
}
FIELD = "current_cred_xxx"
# Those that take a reference: compilers treat the atomic as a change of any memory
COUNTING = frozenset({"get_current_cred", "get_current_user"})
# Functions that store to their first argument
STORES = frozenset(
    "rcu_assign_pointer rcu_replace_pointer RCU_INIT_POINTER xchg cmpxchg swap WRITE_ONCE"
    " smp_store_release".split()
)
MEMBER = "current"
CALLS = frozenset((*FIELDS, *WHOLE, *PAIRS, FIELD))


@dataclass(frozen=True)
class Load:
    """One load of a pointer to credentials, from ``start`` up to ``end`` of the file.

    ``base`` is the pointer. ``form`` replaces the load, with {} for the local that
    holds the credentials; empty if there is no replacement.
    """

    name: str
    start: int
    end: int
    base: str
    form: str


def loads_of(function: Function) -> list[Load]:
    """The loads of a function in source order."""
    source = function.source
    found = []
    for access in function.accesses:
        start = source.offset(access.call.line, access.call.column)
        tokens = source.code_between(start, function.body.end)
        if access.name == MEMBER:
            before = source.code_between(function.body.start, start)
            load = None if _stored(before, tokens) else _member(tokens)
        else:
            load = _call(source, tokens)
        if load is not None:
            found.append(load)
    return sorted(found, key=lambda load: load.start)


def _call(source: Source, tokens: tuple[Token, ...]) -> Load | None:
    name = tokens[0].text
    last = closing(tokens, 1) if len(tokens) > 1 and tokens[1].text == "(" else None
    if last is None or name not in CALLS:
        return None
    start, end = tokens[0].start, tokens[last].end
    base = OBJECTIVE if name == "current_real_cred" else SUBJECTIVE
    if name in FIELDS:
        return Load(name, start, end, base, f"{{}}->{FIELDS[name]}")
    if name in WHOLE:
        return Load(name, start, end, base, WHOLE[name])
    inside = tokens[2:last]
    if name == FIELD:
        field = inside[0].text if len(inside) == 1 else ""
        return Load(name, start, end, base, f"{{}}->{field}" if field else "")
    return Load(name, start, end, base, _pair(source, name, inside))


def _pair(source: Source, name: str, inside: tuple[Token, ...]) -> str:
    """Two assignments, the first without its indentation."""
    commas = [i for i, t in enumerate(inside) if t.text == ","]
    if len(commas) != 1 or any(t.text in ("(", "{", "}") for t in inside):
        return ""
    parts = (inside[: commas[0]], inside[commas[0] + 1 :])
    indent = source.indent(inside[0].start)
    stores = []
    for part, field in zip(parts, PAIRS[name], strict=True):
        if not part:
            return ""
        text = source.text[part[0].start : part[-1].end]
        target = text[1:] if text.startswith("&") else f"*{text}"
        stores.append(f"{target} = {{}}->{field}")
    return f";\n{indent}".join(stores)


def _stored(before: tuple[Token, ...], tokens: tuple[Token, ...]) -> bool:
    """Whether ``current->cred`` is assigned here."""
    if len(tokens) > 3 and tokens[3].text == "=":
        return True
    called = [t.text for t in before[-2:]]
    return len(called) == 2 and called[1] == "(" and called[0] in STORES


def _member(tokens: tuple[Token, ...]) -> Load | None:
    """``current->cred->field``; any other use of the member has no form."""
    if len(tokens) < 4 or tokens[1].text != "->":
        return None
    base = f"current->{tokens[2].text}"
    if base not in (SUBJECTIVE, OBJECTIVE):
        return None
    form = "{}" if tokens[3].text == "->" else ""
    return Load(MEMBER, tokens[0].start, tokens[2].end, base, form)
