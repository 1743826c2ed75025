# SPDX-License-Identifier: GPL-2.0
"""Names and declarations that others than the compiler read, or that depend on the architecture or an option."""

from collections import Counter
from pathlib import Path

import pytest

from hotcocci.c.source import tokenize
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.conditional import is_conditional
from hotcocci.proof.objects.declared import (
    CAST,
    VERIFIER,
    beside_wider,
    declared,
    dropped,
    known_to_users,
)
from hotcocci.proof.objects.varying import (
    OTHER_CODE,
    OTHER_MEANING,
    VARIES,
    Definitions,
    Exchange,
    named,
)

TEXTS = Path(__file__).with_name("varying")
GENERAL = (TEXTS / "general.h").read_text(encoding="utf-8")
OF_ARCH = """\
#define SHIFT 12
#define SIZE (OF_ASM(1) << SHIFT)
#define regs(x) (x)
#ifdef CONFIG_SAMPLE
#define BY_OPTION 1
#endif
"""
TEXTS = {"include/linux/sample.h": GENERAL, "arch/x86/include/asm/s.h": OF_ARCH}
PREPROCESSED = "".join(
    f'# 1 "{file}"\n'
    + "".join(line for line in text.splitlines(True) if "if" not in line)
    for file, text in TEXTS.items()
)


@pytest.mark.parametrize(
    ("why", "names"),
    [
        ("", "ALWAYS plain always declared_elsewhere BEFORE_IT FROM_HERE"),
        ("", "NOT_COUNTED LIBRARY plain_enumerator"),
        (VARIES, "SOMETIMES DOUBLED OVERRIDDEN SIZE OPTIONAL COUNTED DEFAULT"),
        (OTHER_CODE, "by_option regs"),
        (OTHER_MEANING, "__sometimes"),
    ],
)
def test_what_varies(why, names):
    for name in names.split():
        known = Definitions(PREPROCESSED, "fs/sample.c", TEXTS.__getitem__)
        assert known.varies(name) == why, name


@pytest.mark.parametrize(
    ("name", "other", "why"),
    [
        ("user_of", ["plain"], OTHER_CODE),
        ("user_of", ["by_option"], ""),
        ("asks", ["plain"], OTHER_CODE),
        ("asks", ["CONFIG_OTHER"], ""),
        ("plain", [], ""),
    ],
)
def test_what_uses_something_that_varies(name, other, why):
    known = Definitions(PREPROCESSED, "fs/sample.c", TEXTS.__getitem__)
    theirs = Counter((each, "x") for each in other)
    change = Exchange(Counter([(name, "x")]), theirs, set(), False)
    assert known.differs(name, change) == why
    # The other side has it elsewhere, too.
    assert known.differs(name, change._replace(left={(name, "x")})) == ""


def test_code_of_an_architecture_knows_its_own():
    known = Definitions(PREPROCESSED, "arch/x86/mm/sample.c", TEXTS.__getitem__)
    assert known.varies("SIZE") == known.varies("regs") == ""
    assert known.varies("SOMETIMES") == known.varies("BY_OPTION") == VARIES


def test_keywords_are_no_names():
    code = tokenize("if (CONSTANT) return (copy_to_user(p, sizeof(x)) + other(1));")
    assert named(code, code) == {"CONSTANT": 1, "copy_to_user": 1, "other": 1}


def test_a_name_is_known_if_the_kernels_own_headers_define_it():
    parts = {"include/linux/string.h": "memcpy_known", "drivers/a/own.h": "memcpy_own"}
    said = "".join(f'# 1 "/t/{f}"\n#define {n}(a) a\n' for f, n in parts.items())
    known = Definitions(said, "drivers/a/a.c", lambda _: said)
    assert known.means_same("memcpy_known") and known.means_same("memcpy")
    assert not known.means_same("memcpy_own") and not known.means_same("another")


def test_the_condition_around_a_function_is_that_around_its_callers():
    text = (
        "#ifdef CONFIG_SAMPLE\nstatic int own(int x)\n{\n\treturn x;\n}\n"
        "static int one(int x)\n{\n\teach_part(x) {\n\t\tx++;\n\t}\n\treturn own(x);\n}\n#endif\n"
        "#define each_part(x) for (;;)\n"
    )
    said = '# 1 "before/fs/sample.c"\n' + text.replace("#ifdef CONFIG_SAMPLE", "")
    known = Definitions(said, "fs/sample.c", lambda _: text)
    assert known.varies("own") == known.varies("each_part") == ""
    assert Definitions(said, "fs/b.c", lambda _: text).varies("own") == OTHER_CODE


def test_a_guard_of_any_name_is_no_condition():
    text = "/* a */\n#ifndef _H_A_LIST\n#define _H_A_LIST\n#define MOST 5\n#endif\n"
    assert not is_conditional("MOST", text, own=False)
    assert is_conditional(
        "MOST", text.replace("LIST\n#d", "LIST\nint a;\n#d"), own=False
    )


@pytest.mark.parametrize(
    ("old", "new", "reasons"),
    [
        ("add(d, f, p);", "add(d, (void (*)(void *))f, p);", [CAST]),
        ("x = other;", "x = (int (*)(u32))other;", [CAST]),
        ("x.run = f;", "x.run = (run_fn)&f;", [CAST]),
        ("x = f;", "x = (run_fn)f(a);", []),
        ("x.run = f;", "x.run = (void *)f;", [CAST]),
        ("x.run = (void *)f;", "x.run = f;", []),
        ("x = data;", "x = (void *)data;", []),
        ("if (ok) g(f);", "if (not_ok) g(f);", []),
        ("if (ok) f(a);", "if (nok) f(a);", []),
        ("x = (run_fn)f;", "x = f;", []),
        ("x = (long)y;", "x = (u32)y;", []),
        (
            "BTF_TYPE_SAFE_RCU(struct a) { int b; };",
            "BTF_TYPE_SAFE_RCU(struct a) { int c; };",
            [VERIFIER],
        ),
        (
            "__bpf_kfunc int k(void *p, u32 p__sz) { }",
            "__bpf_kfunc int k(void *p, u32 size) { }",
            [VERIFIER],
        ),
        ("__bpf_kfunc int k(u32 a) { }", "__bpf_kfunc int k(u32 b) { }", []),
        ("int k(void *p, u32 p__sz) { }", "int k(void *p, u32 size) { }", []),
    ],
)
def test_declared(old, new, reasons):
    own, other = (Text("a.c", f"int f(int a)\n{{\n}}\n{text}") for text in (new, old))
    found = declared(own, other, after=True)
    assert [reason for _, reason in found] == reasons


PLAIN = "int f(char *s, ...) __attribute__((format(printf, 1, 2)));"
CHECKED = "int __attribute__((__warn_unused_result__)) f(char *s);"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (PLAIN, "int f(char *s, ...);", ["__attribute__"]),
        (PLAIN, "int f(char *s, ...) __printf(1, 2);", []),
        (PLAIN, "int f(char *s, ...) __printf(2, 3);", ["__attribute__"]),
        ("int f(char *s, ...) __printf(1, 2);", PLAIN, []),
        (CHECKED, "int f(char *s);", ["__attribute__"]),
        (CHECKED, "int __must_check f(char *s);", []),
        ("int f(void) __attribute__((unused));", "int f(void);", []),
        ("int f(char *s) __must_check;", "int f(char *s);", ["__must_check"]),
        ("int f(char *s) __must_check;", "", []),
        (
            "void f(int a) __releases(x) { g(a); }",
            "void f(int a) { g(a); }",
            ["__releases"],
        ),
        (
            "void f(int a) __releases(x) { g(a); }",
            "void f(int a) __releases(x) { }",
            [],
        ),
    ],
)
def test_dropped(old, new, found):
    lost = dropped(Text("a.c", old), Text("a.c", new))
    assert sorted({token.text for token, _ in lost}) == found


@pytest.mark.parametrize(
    ("function", "word", "wide"),
    [
        ("f() { u64 at = r->start; }", "u64", True),
        ("f() { unsigned long at; at = r->start; }", "long", True),
        ("f() { long at; at = r->count; }", "long", False),
        ("f(dma_addr_t own) { x = (u64)own + 1; }", "u64", True),
        ("f(dma_addr_t own) { x = 1ULL; y = own; }", "1ULL", False),
        ("f() { u64 at = dma_of(d); }", "u64", True),
        ("f() { u64 addr = r->addr; }", "u64", False),
        ("f() { long flags; } g() { flags = r->start; }", "long", False),
        ("f() { int at = r->start; }", "int", False),
    ],
)
def test_beside_values_of_a_configured_width(function, word, wide):
    text = Text("a.c", function)
    changed = [token for token in text.tokens if token.text == word]
    headers = (
        "struct r { resource_size_t start; }; dma_addr_t dma_of(phys_addr_t addr);"
    )
    found = beside_wider(text, changed, lambda: headers)
    assert [token.text for token, _ in found] == [word] * wide


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("struct a { int b; };", "struct a { int c; };", ["b"]),
        ("struct a { int b; };", "struct a { int c, b; };", []),
        ("#define A 1", "#define B 1", ["#define A 1"]),
        ("#define A 1", "#define A 2", []),
    ],
)
def test_names_for_user_space(old, new, names):
    own, other = Text("a.h", old), Text("a.h", new)
    assert [t.text for t, _ in known_to_users(own, other, own.tokens)] == names
