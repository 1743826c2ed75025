# SPDX-License-Identifier: GPL-2.0
"""Cached decisions are valid exactly as long as their inputs are unchanged."""

from dataclasses import replace

import pytest

from hotcocci.c import ask
from hotcocci.c.model import INTEGER, Layout
from hotcocci.pipeline import examine
from hotcocci.pipeline.examine import raw_facts
from hotcocci.pipeline.known import Decision
from hotcocci.pipeline.run import Reached, Run, running
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite.options import Options
from hotcocci.rules.rulebook import implementation_of, rule
from hotcocci.tree.kernel import Features, find_tree
from tests.shared import CountingCache

EMPTY = {name: [] for name in ("accesses", "types", "locals")}


def options_for(root, api="classic"):
    return Options(
        root=root,
        api=api,
        min_run=2,
        features=Features(False, False, False, False, False, frozenset({"x86"})),
        arches=frozenset({"x86", "arm"}),
    )


def decide(root, files=("a.c",), api="classic", **facts):
    """The decisions on the files, and how many of them were not in the cache."""
    options = options_for(root, api)
    seen = {file: {**EMPTY, **facts} for file in files}
    with CountingCache(root.parent / "cache") as cache:
        inputs = [examine.Asked(rule("UA101"), seen, options)]
        tree, reached = find_tree(root), Reached(root, root, cache)
        run = Run(tree, tree, Settings(jobs=2), cache, reached)
        found, _ = examine.decisions(run, inputs)
        return found, cache.made("findings")


def test_an_interrupt_keeps_what_was_decided(small_tree, monkeypatch):
    files = ("a.c", "b.c", "c.c")
    root = small_tree(dict.fromkeys(files, "one"))
    whole = examine._decide

    def interrupted(options, task):
        if task.file == files[-1]:
            raise KeyboardInterrupt
        return whole(options, task)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(examine, "_decide", interrupted)
        decide(root, files)
    assert decide(root, files)[1] == 1


def test_the_key_of_a_cached_decision(small_tree):
    text = '#include "b.c"\n#include <x.h>\n#include <y.h>\n'
    root = small_tree({"a.c": text, "b.c": "", "include/x.h": ""})
    decide(root)
    for change in (
        lambda: (root / "a.c").write_text(f"{text}\n"),
        lambda: (root / "b.c").write_text("struct s { int x; };"),
        lambda: (root / "include/x.h").write_text("struct t { int x; };"),
        lambda: (root / "include/y.h").write_text(""),
    ):
        change()
        assert (decide(root)[1], decide(root)[1]) == (1, 0)
    assert decide(root, api="masked")[1] == 1
    assert decide(root, locals=[[1, 2, "v", "int"]])[1] == 1


def test_an_edit_of_code_asks_for_no_type_again(small_tree, monkeypatch):
    text = "struct s\n{\n\tint x;\n};\n\nint f(void)\n{\n\treturn 1;\n}\n"
    root = small_tree({"a.c": f'#include "b.h"\n{text}', "b.h": ""})
    asked = []

    def layout(root, file, wanted):
        asked.append(wanted)
        return {name: Layout(INTEGER, (4, 4, 4), (4, 4, 4)) for name in wanted}

    def with_types(code, task, *_):
        known = ask.layouts(root, task.file, ["struct s"])
        assert isinstance(known["struct s"], Layout)
        return Decision(task.file, task.text, (), (), (), code)

    monkeypatch.setattr(ask, "_layouts", layout)
    monkeypatch.setattr(examine, "_decision", with_types)
    for file, old, new, times in (
        ("a.c", "", "", 1),
        ("a.c", "return 1;", "return 2;", 1),
        ("a.c", "int f", "/* Two. */\nint f", 1),
        ("a.c", "int x;", "long x;", 2),
        ("a.c", "\treturn 2;", "#define int long\n\treturn 2;", 3),
        ("b.h", "", "#define y x\n", 4),
    ):
        path = root / file
        path.write_text(path.read_text().replace(old, new, 1))
        decide(root)
        assert len(asked) == times, (old, new)


def test_a_profile_does_not_repeat_decisions(small_tree):
    reads = "\tget_user(a, p);\n" * 3
    tree = find_tree(small_tree({"a.c": f"int f(int *p)\n{{\n\tint a;\n\n{reads}}}\n"}))
    made = []
    for hot in (None, frozenset({"f"}), frozenset({"g"})):
        options = replace(options_for(tree.root), hot=hot)
        with CountingCache(tree.root.parent / "cache") as cache:
            files = [(rule("UA101"), ["a.c"])]
            reached = Reached(tree.root, tree.root, cache)
            run = Run(tree, tree, Settings(jobs=1), cache, reached)
            examine.decide(run, files, options)
        made.append(cache.made("findings"))
    assert made == [1, 0, 0]


def test_accesses_missed_by_spatch_are_cached_too(small_tree):
    root = small_tree({"a.c": "f(void)\n{ get_user(a, p); }\n"})
    first, made = decide(root, unseen=[2])
    assert (first[0].unseen, made) == ((2,), 1)
    assert decide(root, unseen=[2]) == (first, 0)


@pytest.mark.whole
def test_a_function_that_takes_long_to_search_is_parsed(small_tree, monkeypatch):
    """Its processor time has a limit, as spatch's has."""

    def hang(text):
        while text:
            pass
        return False

    root = small_tree({"a.c": "int f(int *p)\n{\n\treturn get_user(a, p);\n}\n"})
    slow = replace(implementation_of("UA102"), in_function=hang)
    monkeypatch.setattr("hotcocci.pipeline.examine.implementation_of", lambda _: slow)
    settings = Settings(jobs=1, timeout=1, cache_dir=root.parent / "cache")
    with running(find_tree(root), settings) as run:
        seen, skipped = raw_facts(run, {rule("UA102"): ["a.c"]})
    assert len(seen["a.c"]["accesses"]) == 1 and skipped == []
