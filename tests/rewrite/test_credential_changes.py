# SPDX-License-Identifier: GPL-2.0
"""Code that changes credentials, and calls that hide memory from a compiler."""

from pathlib import Path

import pytest

from hotcocci.c.source import tokenize
from hotcocci.rules.ld301_credential_reload import capability_checks
from hotcocci.rules.ld301_credential_reload.definitions import (
    changers,
    changes,
    names_change,
    opaque,
)

TEXTS = Path(__file__).with_name("credential_changes")


def test_names_that_change():
    names = "commit_creds ovl_override_creator_creds scoped_with_kernel_creds"
    assert all(map(names_change, f"{names} fh_verify __sys_setresuid".split()))


def function(name, *lines):
    body = "".join(f"\t{line}\n" for line in lines)
    return f"static void {name}(void)\n{{\n{body}}}\n\n"


OVERRIDES, REVERTS = "old = override_creds(other);", "revert_creds(old);"
GUARD = "DEFINE_GUARD(as_other, const struct cred *, override_creds(_T), revert_creds(_T))\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (function("f", "commit_creds(new);"), {"f"}),
        (function("f", OVERRIDES, "work();", REVERTS), {"f"}),
        (function("f", "guard(as_other)(other);", "work();") + GUARD, {"as_other"}),
        (function("f", "scoped_with_creds(other)", "\twork();"), set()),
        (function("f", "CLASS(override_creds, saved)(other);", "work();"), set()),
        (function("f", "rcu_assign_pointer(current->cred, new);"), {"f"}),
        (function("f", "begin_new_exec(bprm);"), {"f"}),
        (function("f", "g();") + function("g", "commit_creds(new);"), {"f", "g"}),
        ("#define F(new) \\\n\tcommit_creds(new)\n", {"F"}),
        (function("f", "/* commit_creds() is for others */", "work();"), set()),
        (function("f", "bprm->cred = prepare_creds();"), set()),
        (function("f", "return this_cpu_read_stable(current_task);"), set()),
        ("#define f() raw_cpu_read_8(current_task)\n", set()),
        (function("f", "raw_cpu_write(current_task, next_p);"), {"f"}),
        (function("f", "per_cpu(current_task, cpu) = idle;"), {"f"}),
    ],
)
def test_functions_of_the_file(tmp_path, text, found):
    assert changers(text, tmp_path, "a.c") == found


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
def test_code_that_changes(tmp_path, body, does):
    text = f"void f(void)\n{{\n\t{body}\n}}\n"
    assert bool(changes(text, tokenize(text), tmp_path, "a.c")) == does


COMMITS = "commit_creds(new);"


@pytest.mark.parametrize(
    "text",
    [
        f"static void f(void) {{ {COMMITS} }}\n",
        f"static void f(void) {{\n\t{COMMITS}\n}}\n",
        f"static __attribute__((cold)) void f(void)\n{{\n\t{COMMITS}\n}}\n",
        f"static void f(int (*g)(int)) __must_hold(&lock)\n{{\n\t{COMMITS}\n}}\n",
        f"#ifdef A\n{function('f', COMMITS)}#else\n{function('f', 'work();')}#endif\n",
        "#define f(c) do { old = override_creds(c); work(); revert_creds(old); } while (0)\n",
        "#define f(c) scoped_class(override_creds, saved, c)\n",
        "#define f(x) x##_creds\n",
        "static int (*f)(struct cred *) = commit_creds;\n",
        function("g", COMMITS) + "static const struct ops f = {\n\t.go = g,\n};\n",
        "DEFINE_GUARD(f, const struct cred *, override_creds(_T), revert_creds(_T))\n",
        "DEFINE_FREE(f, const struct cred *, if (_T) revert_creds(_T))\n",
        "static void f(struct task_struct *p)\n{\n\tp->cred = new;\n}\n",
        function("f", "*current = *other;"),
        function("f", "memcpy(current, other, sizeof(*other));"),
    ],
)
def test_definitions_that_change_credentials(tmp_path, text):
    assert "f" in changers(text, tmp_path, "a.c")


def test_definitions_in_headers(tmp_path):
    """A function of one header that calls another's."""
    (tmp_path / "b.h").write_text(function("g", "f();"))
    (tmp_path / "c.h").write_text(function("f", COMMITS))
    text = '#include "b.h"\n#include "c.h"\n'
    (tmp_path / "a.c").write_text(text)
    assert changers(text, tmp_path, "a.c") == {"f", "g"}
    asks = '#include "d.h"\n' + function("h", "g();")
    (tmp_path / "d.h").write_text("#define g() ns_capable(ns, 1)\n")
    (tmp_path / "b.c").write_text(asks)
    assert capability_checks(asks, tmp_path, "b.c") == {"g", "h"}


HEADER = (TEXTS / "header.h").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("is_opaque", "names"),
    [
        (False, "sum twice plain own current_uid"),
        (True, "locked fenced logs either spin_lock unheard_of"),
    ],
)
def test_opaque_calls(tmp_path, is_opaque, names):
    (tmp_path / "include").mkdir()
    (tmp_path / "include/a.h").write_text(HEADER)
    own = "#include <a.h>\nstatic int own(int a)\n{\n\treturn plain(a);\n}\n"
    (tmp_path / "a.c").write_text(own)
    for name in names.split():
        assert opaque(tmp_path, "a.c", name) == is_opaque, name


def test_members_that_change(tmp_path):
    table = "static const struct ops t = {\n\t.go = g,\n};\n"
    text = function("g", COMMITS) + table
    for body, does in (("ops->go(1)", True), ("x = ops->go", False), ("go(1)", False)):
        code = tokenize(f"void h(void)\n{{\n\t{body};\n}}\n")
        assert bool(changes(text, code, tmp_path, "a.c")) == does
