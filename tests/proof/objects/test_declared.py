# SPDX-License-Identifier: GPL-2.0
"""What others than the compiler read of declarations, and values whose width is configured, are recognised."""

import pytest

from hotcocci.c.source import tokenize
from hotcocci.proof.objects.declared import (
    CAST,
    VERIFIER,
    beside_wider,
    declared,
    dropped,
    known_to_users,
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
    found = declared(tokenize(new), tokenize(old), {"f"}, after=True)
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
    lost = dropped(tokenize(old), tokenize(new))
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
    code = tokenize(function)
    changed = [token for token in code if token.text == word]
    headers = (
        "struct r { resource_size_t start; }; dma_addr_t dma_of(phys_addr_t addr);"
    )
    found = list(beside_wider(code, changed, lambda: headers))
    assert [token.text for token in found] == [word] * wide


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
    own, other = tokenize(old), tokenize(new)
    assert [t.text for t, _ in known_to_users(own, other, own)] == names
