# SPDX-License-Identifier: GPL-2.0
"""Parsing of expressions: precedence, calls and assignments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Index,
    Literal,
    Member,
    Name,
    Opaque,
    Postfix,
    SizeOf,
    Unary,
    assigned,
    calls,
    canonical,
    computed,
    names,
    root,
    walk,
)
from hotcocci.c.parsing import parse_text


def shape(expr):
    """A tree as text, with every operand in brackets."""
    inner = [shape(e) for e in expr.children()]
    match expr:
        case Name(text=text) | Literal(text=text):
            return text
        case Opaque(text=text):
            return f"?{canonical(text)}?"
        case SizeOf(text=text):
            return f"<{text}>"
        case Call():
            return f"{inner[0]}({', '.join(inner[1:])})"
        case Unary(operator=operator):
            return f"[{operator}{inner[0]}]"
        case Postfix(operator=operator):
            return f"[{inner[0]}{operator}]"
        case Binary(operator=operator):
            return f"[{inner[0]} {operator} {inner[1]}]"
        case Conditional():
            return f"[{inner[0]} ? {inner[1]} : {inner[2]}]"
        case Cast(type=type_):
            return f"<{type_}>{inner[0]}"
        case Member(operator=operator, field=field):
            return f"{inner[0]}{operator}{field}"
        case Index():
            return f"{inner[0]}{{{inner[1]}}}"
    raise AssertionError(expr)


TREES = [
    ("a || b && c | d", "[a || [b && [c | d]]]"),
    ("a - b - c", "[[a - b] - c]"),
    ("a = b = c", "[a = [b = c]]"),
    ("a << 1 + b", "[a << [1 + b]]"),
    ("a == b < c", "[a == [b < c]]"),
    ("a * b % c", "[[a * b] % c]"),
    ("a ? b : c ? d : e", "[a ? b : [c ? d : e]]"),
    ("a ?: b", "[a ? a : b]"),
    ("a, b = 1", "[a , [b = 1]]"),
    ("!a->b.c[1]++", "[![a->b.c{1}++]]"),
    ("*p++", "[*[p++]]"),
    ("&p->a[i]", "[&p->a{i}]"),
    ("- -a", "[-[-a]]"),
    ("err |= f(a)", "[err |= f(a)]"),
    ("f(a)(b)", "f(a)(b)"),
    ("f()", "f()"),
    ('"a" "b"', '"a" "b"'),
    # Casts, and expressions that look like one
    ("(u32)a + b", "[<u32>a + b]"),
    ("(a) + b", "[a + b]"),
    ("(a) - 1", "[a - 1]"),
    ("(u8)-1", "<u8>[-1]"),
    ("(a)(b)", "a(b)"),
    ("(size_t)(b)", "<size_t>b"),
    ("(struct s __user *)&x->y", "<struct s __user *>[&x->y]"),
    ("(foo *)x", "<foo *>x"),
    ("(compat_foo) x", "<compat_foo>x"),
    ("(unsigned  long)x >> 1", "[<unsigned long>x >> 1]"),
    ("(typeof(*p))x", "<typeof(*p)>x"),
    ("(int (*)(int))f", "<int (*)(int)>f"),
    ("(f((int)x)) + y", "[f(<int>x) + y]"),
    ("(sizeof(int) * 2) + 1", "[[<sizeof(int)> * 2] + 1]"),
    ("(n * (unsigned int)m) - 1", "[[n * <unsigned int>m] - 1]"),
    ("(int)x.y", "<int>x.y"),
    # Not evaluated
    ("sizeof(struct s) * n", "[<sizeof(struct s)> * n]"),
    ("sizeof *p", "<sizeof *p>"),
    ("sizeof f(x) + 1", "[<sizeof f(x)> + 1]"),
    # Expressions that are not parsed
    ("({ f(); 1; })", "?({f();1;})?"),
    ("(struct s){ .a = f() }", "?(struct s){.a=f()}?"),
    ("offsetof(struct s, a)", "offsetof(<struct s>, a)"),
    ("min_t(unsigned int, a, b)", "min_t(<unsigned int>, a, b)"),
    ("va_arg(ap, struct s *)", "va_arg(ap, <struct s *>)"),
    ("f(+, struct s)", "f(?(+,struct s)?)"),
    ("a b", "?a b?"),
    ("a +", "?a+?"),
    ("(a", "?(a?"),
    ("by a.", "?by a.?"),
    ("a.", "?a.?"),
]


VALUES = [
    ("-1 + 2 * 3", 5),
    ("(u8)0x10UL >> 2", 4),
    ("'\\n' | 010", 10),
    ("1 ? 2 : n", 2),
    ("n ? 2 : 3", None),
    ("n && 0 || 3 > 2", 1),
    ("n || 0", None),
    ("!n", None),
    ("7 / 0", None),
    ("1 << 64", None),
    ("-7 / 2", None),
    ("p[1]", None),
]


def place(text, *found):
    return [text[e.start : e.end] for e in found]


# What is asked of an expression, and answers.
ANSWERS = {
    lambda text: canonical(text): [
        ("& p -> a [ 1 ]", "&p->a[1]"),
        ("unsigned   long x", "unsigned long x"),
        ("return\n\t-EFAULT ;", "return-EFAULT;"),
        ("sizeof (int)", "sizeof(int)"),
        ("sizeof x", "sizeof x"),
        ("a_1 2", "a_1 2"),
    ],
    lambda text: place(text, *calls(parse_text(text))): [
        ("a + b->c", []),
        ("f(g(x))", ["f(g(x))", "g(x)"]),
        ("a[f(i)].b", ["f(i)"]),
        ("sizeof(f(x))", []),
        ("({ f(); })", ["({ f(); })"]),
        ("(f((int)x)) + 1", ["(f((int)x))"]),
        ("a ? f() : b", ["f()"]),
        ("p->op(x)", ["p->op(x)"]),
        ("(f)(x)", ["(f)(x)"]),
    ],
    lambda text: place(text, *assigned(parse_text(text))): [
        ("a == b", []),
        ("a = b", ["a"]),
        ("a->x |= *p++", ["a->x", "p"]),
        ("f(--n, m)", ["n"]),
        ("a[i++] = 1", ["a[i++]", "i"]),
        ("x ? y = 1 : z--", ["y", "z"]),
        ("-a", []),
    ],
    lambda text: names(parse_text(text)): [
        ("p->a.b[i]", {"p", "i"}),
        ("f(x) + sizeof(y)", {"f", "x"}),
        ("({ g(z); })", {"g", "z"}),
        ("(u32)k", {"k"}),
    ],
    lambda text: place(text, root(parse_text(text))): [
        ("&p->a.b[i].c", ["p"]),
        ("(u32 *)p + 1", ["p"]),
        ("p++", ["p"]),
        ("*x.y", ["x"]),
        ("f(a)->b", ["f(a)"]),
    ],
    lambda text: computed(parse_text(text)): VALUES,
    lambda text: shape(parse_text(text)): TREES,
}


@pytest.mark.parametrize(
    ("ask", "text", "wanted"),
    [(ask, *row) for ask, rows in ANSWERS.items() for row in rows],
)
def test_expressions(ask, text, wanted):
    assert ask(text) == wanted


_LEAVES = st.sampled_from(["a", "b", "p", "1", "0x7fUL", "'x'", "sizeof(int)", "(a)"])


def _grown(inner):
    binary = ["||", "&&", "|", "^", "&", "==", "<", "<<", "+", "-", "*", "/", "%", "="]
    bracketed = inner.map(lambda e: f"({e})")
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(binary), inner),
        st.builds("{} {} {}".format, bracketed, st.sampled_from(binary), inner),
        st.builds("{} ? {} : {}".format, bracketed, inner, bracketed),
        st.builds("({})->m[{}].n".format, inner, inner),
        st.builds("f({}, {})".format, bracketed, bracketed),
        st.builds("{}({})".format, st.sampled_from("!~*&-"), inner),
        st.builds("(unsigned  int)({})".format, inner),
        st.builds("({})++".format, inner),
    )


EXPRESSIONS = st.recursive(_LEAVES, _grown, max_leaves=12)


@given(EXPRESSIONS)
def test_offsets_match_the_text(text):
    """Offsets are correct: each subexpression, parsed again, gives the same tree."""
    before = "\tx = "
    tree = parse_text(text)
    assert not isinstance(tree, Opaque)
    assert text[tree.start : tree.end] == text
    for part in walk(tree):
        assert shape(parse_text(text[part.start : part.end])) == shape(part)
    shifted = parse_text(before + text)
    assert isinstance(shifted, Binary)
