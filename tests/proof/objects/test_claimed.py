# SPDX-License-Identifier: GPL-2.0
"""Names that headers define, of other architectures or of the kernel alone."""

from functools import partial

import pytest

from hotcocci.proof.changed import Text
from hotcocci.proof.objects.claimed import claimed, for_kernel
from hotcocci.tree.includes import in_headers

HEADERS = {
    "arch/alpha/include/asm/core.h": "#define vip int *\n#define bytes(a) (a)\n#undef vip\n",
    "arch/s390/include/asm/stap.h": "static inline int\nstay(int a)\n{\n}\nextern int stap(void);\n"
    "extern struct map first_map, *last_map;\nstruct stop {\n\tint start;\n};\nenum {\n\tSTART,\n\tEND = 3,\n};\n",
    "arch/x86/kernel/own.h": "#define flip 1\n",
    "include/vdso/bits.h": "#define BIT(nr) (1UL << (nr))\n#define __always_inline inline\n",
    "include/uapi/linux/stddef.h": "#define __always_inline __inline__\n",
    "include/linux/types.h": "typedef unsigned int u32;\ntypedef int *vips;\n",
}


@pytest.fixture(name="search")
def searching(tmp_path):
    for name, text in HEADERS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return partial(in_headers, tmp_path)


@pytest.mark.parametrize(
    ("new", "names"),
    [
        ("int f(int a) { int vip = a; return vip; }", ["vip"]),
        ("int f(int vip) { return vip; }", ["vip"]),
        ("int f(int a) { int *vip; goto vip; vip: return *vip; }", ["vip", "vip"]),
        ("struct s { char b, *vip; };", ["vip"]),
        ("int f(int a) { int b, vip; return a; }", ["vip"]),
        ("int f(int a) { return vip(a); }", []),
        ("int f(int a) { int bytes = a; return bytes; }", []),
        ("int f(int a) { int (*run)(int bytes); return bytes(a); }", ["bytes"]),
        ("static int stap(int a) { return a; }", ["stap"]),
        ("static int f(int stap) { return stap; }", []),
        ("static int last_map = 1;", ["last_map"]),
        ("static int last_map __read_mostly = 1;", ["last_map"]),
        ("struct stop { int b; };", ["stop"]),
        ("enum { END };", ["END"]),
        ("static int START[2];", ["START"]),
        ("static int f(int a) { int last_map = a; return last_map; }", []),
        ("static int start; struct stop *b;", []),
        ("static int f(int flip) { return flip; }", []),
        ("static int f(int _a) { int here; return _a; }", ["_a"]),
        ("static int f(int a) { int more _unused; return a; }", []),
        ("static int _f(int a) { return a; }", []),
        ("#define vip 1", ["#define vip 1"]),
        ("#define BIT(n) (n)", []),
        ("#define twice(a) ({ int vip = (a); vip + vip; })", ["vip"]),
        ("#define twice(a) ({ \\\n\tint _a = (a); _a + _a; })", ["_a"]),
        ("#define twice(a) ({ int value = (a); value + value; })", []),
        ("#define zero(type, vip) type vip = 0", []),
        ("#define zero(a, _b) ((a) + (_b))", []),
    ],
)
def test_names_of_others(search, new, names):
    texts = Text("a.c", f"{new}\n"), Text("a.c", "int f(int a) { return a; }\n")
    found = claimed(*texts, search, lambda name: name == "_unused")
    assert [token.text for token, _ in found] == names


@pytest.mark.parametrize(
    ("new", "names"),
    [
        ("#define A BIT(0)", ["BIT"]),
        ("struct s { u32 a; __u32 b; };", ["u32"]),
        ("#define u32 __u32", []),
        ("static __always_inline int f(void) { return 1; }", []),
        ("struct s { int a; } __packed;", []),
    ],
)
def test_names_that_programs_have_not(search, new, names):
    texts = Text("a.h", new), Text("a.h", "struct s { int a; };")
    found = for_kernel(*texts, search)
    assert [why.split()[2] for _, why in found] == names
