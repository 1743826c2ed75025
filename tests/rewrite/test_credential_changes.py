# SPDX-License-Identifier: GPL-2.0
"""What is known to give a task other credentials, and which calls hide memory from a compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c.source import tokenize
from hotcocci.rewrite.loads.credential_changes import changers, changes, names_change
from hotcocci.rewrite.loads.credential_opaque import opaque
from hotcocci.rewrite.loads.credentials import may_hold_reload


@pytest.mark.parametrize(
    "name",
    [
        "override_creds",
        "revert_creds",
        "commit_creds",
        "ovl_override_creds",
        "ovl_override_creator_creds",
        "scoped_with_kernel_creds",
        "with_ovl_creds",
        "begin_new_exec",
        "fh_verify",
        "lookup_user_key",
        "__sys_setresuid",
    ],
)
def test_names_that_change(name: str) -> None:
    assert names_change(name)


@pytest.mark.parametrize(
    "name", ["prepare_creds", "put_cred", "get_cred", "abort_creds", "from_kuid"]
)
def test_names_that_do_not(name: str) -> None:
    assert not names_change(name)


def function(name: str, *lines: str) -> str:
    body = "".join(f"\t{line}\n" for line in lines)
    return f"static void {name}(void)\n{{\n{body}}}\n\n"


OVERRIDES, REVERTS = "old = override_creds(other);", "revert_creds(old);"
BALANCED = function("f", OVERRIDES, "work();", REVERTS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (function("f", "commit_creds(new);"), {"f"}),
        (BALANCED, set()),
        (function("f", OVERRIDES, "work();"), {"f"}),
        (function("f", "work();", REVERTS), {"f"}),
        (function("f", OVERRIDES, "if (x)", "\treturn;", REVERTS), {"f"}),
        (function("f", OVERRIDES, REVERTS, OVERRIDES), {"f"}),
        (function("f", "scoped_with_creds(other)", "\twork();"), set()),
        (function("f", "CLASS(override_creds, saved)(other);", "work();"), set()),
        (function("f", "rcu_assign_pointer(current->cred, new);"), {"f"}),
        (function("f", "begin_new_exec(bprm);"), {"f"}),
        (function("f", "g();") + function("g", "commit_creds(new);"), {"f", "g"}),
        (function("f", "g();") + BALANCED.replace("f(void)", "g(void)"), set()),
        ("#define F(new) \\\n\tcommit_creds(new)\n", {"F"}),
        (function("f", "/* commit_creds() is for others */", "work();"), set()),
        (function("f", "bprm->cred = prepare_creds();"), set()),
    ],
)
def test_functions_of_the_file(text: str, found: set[str]) -> None:
    assert changers(text) == found


@pytest.mark.parametrize(
    ("body", "does"),
    [
        ("a = current_uid(); commit_creds(new);", True),
        ("me = current; me->cred = new;", True),
        ("swap(current->cred, other);", True),
        ("p = &current->cred;", True),
        ("file->f_cred = get_cred(cred); bprm->cred = new;", False),
        ("a = x.commit_creds; f(p->override_creds);", False),
        ("uid = current->cred->uid;", False),
    ],
)
def test_code_that_changes(body: str, does: bool) -> None:
    text = f"void f(void)\n{{\n\t{body}\n}}\n"
    assert (changes(text, tokenize(text)) is not None) == does


HEADER = """\
#define sum(a, b) ((a) + (b))
#define locked(p) spin_lock(p)
#define twice(x) sum(x, x)
#define fenced(x) ({ barrier(); x; })
static inline int plain(int a)
{
	return twice(a);
}
static inline int logs(int a)
{
	return printk(a);
}
#ifdef CONFIG_A
int either(int a);
#else
static inline int either(int a) { return a; }
#endif
void spin_lock(int *p);
"""


@pytest.mark.parametrize(
    ("name", "is_opaque"),
    [
        ("sum", False),
        ("twice", False),
        ("plain", False),
        ("own", False),
        ("locked", True),
        ("fenced", True),
        ("logs", True),
        ("either", True),
        ("spin_lock", True),
        ("unheard_of", True),
        ("current_uid", False),
    ],
)
def test_opaque_calls(tmp_path: Path, name: str, is_opaque: bool) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include/a.h").write_text(HEADER)
    own = "#include <a.h>\nstatic int own(int a)\n{\n\treturn plain(a);\n}\n"
    (tmp_path / "a.c").write_text(own)
    assert opaque(tmp_path, "a.c", name) == is_opaque


def test_what_may_hold_two_loads() -> None:
    one = "int f(void)\n{\n\treturn current_uid();\n}\n"
    assert not may_hold_reload(one)
    assert not may_hold_reload(one + one)
    assert may_hold_reload(one.replace("return", "g(get_current_cred());\n\treturn"))
    assert may_hold_reload(one.replace("return", "g(current -> cred);\n\treturn"))
