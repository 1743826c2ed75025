# SPDX-License-Identifier: GPL-2.0
"""Functions for a parser that does not know their macros: what is wanted stays where it is."""

import pytest

from hotcocci.c.excerpt import Excerpt, simplified

WANTED = b"get_user("


def simple(body: str) -> str:
    """The body of a function, made simpler; it stays as it is if nothing in it is wanted."""
    lines = body.count("\n") + 1
    part = Excerpt(f"{{ {body} }}".encode(), ((1, lines),))
    made = simplified(part, part.wanted, lambda text: WANTED in text)
    return made.decode()[2:-2]


ACCESS = "if (get_user(a, p)) return -EFAULT;"
STATEMENTS = {
    "p = (void *)(WCAST(long))0;": "p                         ;",
    "int a = WCAST(long)b, c, *d = e;": "int a               , c, *d    ;",
    "x += WCAST(long)b;": "x                ;",
    "f(WCAST(long)b);": "f(            );",
    "DEFINE_WAIT(w);": "DEFINE_WAIT(w);",
    "return (WCAST(long))b;": "return x             ;",
    "return;": "return;",
    "return(b);": "return x ;",
    "goto out;": "goto out;",
    "goto *next[n];": "x            ;",
    "break;": "break;",
    "out: x = WCAST(long)b;": "out: x               ;",
    "case TWO: x = 3;": "case TWO: x    ;",
    "if (WCAST(long)b) c();": "if (x           ) c();",
    "else if (b) c(d);": "else if (x) c( );",
    "do { a = b; } while (WCAST(long)c);": "do { a    ; } while (x           );",
    "for (i = WCAST(long)b; i < n; i++) ;": "for (                ;      ;    ) ;",
    "switch (WCAST(long)b) { default: ; }": "switch (x           ) { default: ; }",
    "IF_LOG(DEBUG) { a(); }": "while(x)      { a(); }",
    "IF_LOG(DEBUG) if (b) a();": "while(x)      if (x) a();",
    # No room for a loop, and no room for its head in one line
    "IF(b) { a(); }": "IF(b) { a(); }",
    "IF(\nlonger) { a(); }": "IF(\nlonger) { a(); }",
    'asm("") ;': "asm(  ) ;",
    "static void *j[4] __table = { &&a, &&b };": "static void *j[4]                       ;",
    "u->__x = 3;": "u->__x    ;",
    "a = ({ f(b); });": "a              ;",
    "a = b\n\t+ c;": "a    \n\t   ;".replace("\t", " "),
    "a = b\n#ifdef C\n+ c\n#endif\n;": "a = b\n#ifdef C\n+ c\n#endif\n;",
    "/* a = b; */ c = d; // e = f": "/* a = b; */ c    ; // e = f",
}


@pytest.mark.parametrize(("before", "after"), STATEMENTS.items())
def test_statements(before, after):
    assert (
        simple(f"{before}\n{ACCESS}") == f"{after}\nif (get_user(a, p)) return x      ;"
    )


@pytest.mark.parametrize(
    "kept",
    [
        "x = get_user(a, WCAST(long)p);",
        "f(get_user(a, p), b);",
        "return get_user(a, p);",
        "while (get_user(a, p++)) ;",
        "for (; get_user(a, p); ) ;",
        "scoped_access(p, get_user(a, p)) { ; }",
        "int e = get_user(a, p);",
    ],
)
def test_what_is_wanted_stays(kept):
    assert simple(kept) == kept


@pytest.mark.parametrize("cut", ["if (get_user(a, p)", "get_user(a, p", "f(", "a = {"])
def test_what_is_cut_off_ends(cut):
    assert simple(f"get_user(a, p); {cut}").startswith("get_user(a, p); ")
