# SPDX-License-Identifier: GPL-2.0
"""Facts are the same whether spatch gets excerpts or whole files."""

from pathlib import Path

import pytest

from hotcocci.c.excerpt import Wanted
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.tree.kernel import find_tree

pytestmark = pytest.mark.whole


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


def mentions(_file, _head, body):
    return b"copy_from_user" in body


def see(root, function, cache):
    wanted = function and Wanted(function, lambda code: b"copy_from_user" in code)
    with Cache(root.parent / cache) as known:
        facts, skipped = spatch.facts(
            find_tree(root), SCRIPT, ["fs/a.c"], known, 1, 60, wanted=wanted
        )
    assert skipped == [], skipped
    return facts["fs/a.c"]


def given(noted):
    """The texts of the files passed to spatch, in order."""
    return [file.read_text() for file in sorted(noted.iterdir())]


def test_a_wanted_function_without_an_access_is_not_tried_again(
    small_tree, noting_spatch
):
    root = small_tree({"fs/a.c": TEXT})
    whole = see(root, None, "whole")
    # All functions are wanted, and most contain nothing: they could have been skipped.
    assert see(root, lambda _file, _head, _body: True, "excerpt") == whole
    text, cut = given(noting_spatch)
    assert text == TEXT and cut == TEXT.replace("}\n\n", "}\n")


def test_a_change_elsewhere_starts_nothing(small_tree, noting_spatch):
    root = small_tree({"fs/a.c": TEXT})
    before = see(root, mentions, "excerpt")
    (part,) = given(noting_spatch)
    assert part.count("copy_from_user") == 2 and "a += 1" not in part
    longer = TEXT.replace("a += 1;", "a += 2;\n\ta -= 1;")
    (root / "fs/a.c").write_text(longer)
    after = see(root, mentions, "excerpt")
    assert given(noting_spatch) == [part]
    assert after == see(root, None, "whole") != before
    (root / "fs/a.c").write_text(longer.replace("return v", "return v + 1"))
    see(root, mentions, "excerpt")
    assert len(given(noting_spatch)) == 3


def test_continued_lines_of_a_file_with_cr_lf(small_tree, noting_spatch):
    condition = "#if defined(A) || \\\n\tdefined(B)\n\tp++;\n#endif\n"
    text = TEXT.replace("\tu32 v;\n\n", "\tu32 v;\n\n" + condition)
    plain = see(small_tree({"fs/a.c": text}, "plain"), None, "plain")
    root = small_tree({"fs/a.c": ""})
    (root / "fs/a.c").write_bytes(text.replace("\n", "\r\n").encode())
    for wanted, cache in ((None, "whole"), (mentions, "excerpt")):
        assert see(root, wanted, cache) == plain
