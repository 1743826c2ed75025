# SPDX-License-Identifier: GPL-2.0
"""The control-flow graph of a function, and the states that the solver propagates."""

import pytest

from hotcocci.c.expression import Call, Name
from hotcocci.c.flow import TooManyPaths, reachable, solve
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import Access, Facts

HEAD = "int f(int n)\n{\n\tint err = start();\n"


def graph(*statements):
    """The graph of a function."""
    text = HEAD + "\n".join(statements) + "\n}\n"
    source = Source("a.c", text)
    last = source.line_of(len(text) - 2)
    access = Access("start", "f", last, 3, source.column(text.index("start")))
    (function,) = functions(source, Facts("a.c", (access,)))
    return build_graph(function)


def called(blocks):
    """The functions called by blocks."""
    exprs = (block.expr for block in blocks)
    return {
        e.function.text
        for e in exprs
        if isinstance(e, Call) and isinstance(e.function, Name)
    }


def block(graph, name):
    """The block that calls a function, or tests a variable."""
    start = graph.function.source.text.index(name, len(HEAD))
    return next(b for b in graph.blocks if b.holds(start))


@pytest.mark.parametrize(
    "loop",
    [
        "while (n) { a(); b(); }",
        "do { a(); b(); } while (n);",
        "for (n = 0; n < 3; n++) { a(); b(); }",
        "list_for_each(n) { a(); b(); }",
    ],
)
def test_a_loop_has_one_back_edge(loop):
    made = graph(loop)
    assert len([e for each in made.blocks for e in each.edges if e.back]) == 1
    after = reachable([block(made, "b(")])
    once = reachable([block(made, "b(")], lambda b: [e for e in b.edges if not e.back])
    assert called(after) == {"a", "b"}
    assert called(once) == {"b"}


def test_a_backward_jump_is_a_loop_only_if_it_repeats():
    jumps = ("if (n) goto late;", "out: a();", "return err;")
    assert not any(
        e.back
        for each in graph(*jumps, "late: b();", "goto out;").blocks
        for e in each.edges
    )
    again = graph("again: a();", "if (n) goto again;")
    assert sum(e.back for each in again.blocks for e in each.edges) == 1


@pytest.mark.parametrize("number", ["n", "n++"])
def test_a_switch_leads_to_every_case(number):
    cases = "case 1: case 2: a(); case 3: b(); break; default: c();"
    made = graph(f"switch ({number}) {{ {cases} }}", "d();")
    edges = [e for each in made.blocks for e in each.edges if len(each.edges) > 1]
    assert {n for e in edges for n in called([e.target])} == {"a", "b", "c"}
    assert called(reachable([block(made, "b(")])) == {"b", "d"}
    # A number that nothing sets meanwhile is compared with one case after another.
    assert [e.value for e in edges].count(True) == (3 if number == "n" else 0)


def test_a_scope_runs_once_and_ends_at_each_exit():
    made = graph("scoped_guard(mutex, n) { a(); }", "b();")
    (scope,) = made.scopes
    assert scope.name == "scoped_guard"
    assert block(made, "a(").scopes == (scope,)
    assert block(made, "b(").scopes == ()
    assert called(reachable([block(made, "a(")])) == {"a", "b"}


def test_states_are_not_merged_at_joins():
    made = graph("if (n) a();", "b();")

    def transfer(at, state):
        after = state or called([at]) == {"a"}
        return [(edge.target, after) for edge in at.edges]

    found = solve([(made.entry, False)], transfer)
    assert {state for at, state in found if at is block(made, "b(")} == {True, False}
    with pytest.raises(TooManyPaths):
        solve([(made.entry, False)], transfer, limit=3)


def test_asm_may_jump_to_the_labels_it_names():
    made = graph('asm goto("" :::: out);', "a();", "return err;", "out: b();")
    (asm,) = (each for each in made.blocks if each.asm)
    assert len(asm.edges) == 2
    assert block(made, "b(") in reachable([asm])
