# SPDX-License-Identifier: GPL-2.0
"""Facts are the same whether spatch gets excerpts or whole files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.c.excerpt import Wanted
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.engines.spatch_process import Facts, Runner
from hotcocci.tree.kernel import find_tree

Make = Callable[..., Path]

SCRIPT = Path(__file__).parents[2] / "cocci" / "small_copy.cocci"
COPY = """\
static int {name}(void __user *p)
{{
	u32 v;

	if (copy_from_user(&v, p, sizeof(v)))
		return -EFAULT;
	return v;
}}

"""
OTHER = "static int {name}(int a)\n{{\n\ta += 1;\n\treturn a;\n}}\n\n"
TEXT = "".join(
    (COPY if number % 3 == 1 else OTHER).format(name=f"f{number}")
    for number in range(6)
)


def mentions(_file: str, _head: bytes, body: bytes) -> bool:
    return b"copy_from_user" in body


def see(root: Path, wanted: Wanted | None, cache: str) -> Facts:
    with Cache(root.parent / cache) as known:
        facts, skipped = spatch.facts(
            find_tree(root), SCRIPT, ["fs/a.c"], known, 1, 60, wanted=wanted
        )
    assert skipped == []
    return facts["fs/a.c"]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The paths passed to spatch, with the contents of the files."""
    paths: list[tuple[str, str]] = []
    run = Runner.run

    def note(runner: Runner, files: list[str]) -> object:
        paths.extend((file, Path(file).read_text()) for file in files)
        return run(runner, files)

    monkeypatch.setattr(Runner, "run", note)
    return paths


def test_the_facts_of_an_excerpt_are_those_of_the_file(
    small_tree: Make, given: list[tuple[str, str]]
) -> None:
    root = small_tree({"fs/a.c": TEXT})
    whole = see(root, None, "whole")
    assert see(root, mentions, "excerpt") == whole
    (first, text), (second, part) = given
    assert first == str(root / "fs/a.c") and text == TEXT
    assert not second.startswith(str(root))
    assert "a += 1" in text and "a += 1" not in part
    assert part.count("copy_from_user") == text.count("copy_from_user") == 2
    assert [access[5] for access in list(whole["accesses"])] == ["& v"] * 2  # type: ignore[call-overload]


def test_facts_outside_the_excerpt_come_from_the_file(
    small_tree: Make, given: list[tuple[str, str]]
) -> None:
    root = small_tree({"fs/a.c": TEXT})
    whole = see(root, None, "whole")
    # All functions are wanted, and most contain nothing: they could have been skipped.
    assert see(root, lambda _file, _head, _body: True, "excerpt") == whole
    assert [text == TEXT for _, text in given] == [True, True, True]
    assert given[1][0] != given[0][0] == given[2][0]
