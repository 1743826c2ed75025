# SPDX-License-Identifier: GPL-2.0
"""``why``: the reasons of a rewrite, a report, and of neither."""

import re

import pytest
from small_kernel import REPORTED, SAFE, TEXTS

from hotcocci.rules.rulebook import REASONS
from tests.shared import FIXTURES

pytestmark = pytest.mark.whole

LARGE = (TEXTS / "large.c").read_text(encoding="utf-8")
MISSED = SAFE + "\tput_user(1, p);\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (REPORTED, "5:9", [f"double-fetch. {REASONS['double-fetch']}"]),
        (SAFE, 1, ["No finding on this line.", "UA101 at 5"]),
        (SAFE + "/* put_user(1, p); */\n", 9, ["looks like an access but is part of"]),
        (LARGE, 7, ["No rule looks at this copy", "at most 32 bytes"]),
        (LARGE, 2, ["No finding on this line."]),
        (MISSED, 9, ["spatch did not see this access"]),
    ],
)
def test_why_not(small_kernel, run, text, line, words):
    root = small_kernel({"a.c": text})
    code, out, _ = run("why", f"{root}/a.c:{line}")
    said = " ".join(out.split())
    assert code == 0 and all(word in said for word in words), out
    if text == MISSED:
        code, _, err = run("lint", root)
        assert code == 1 and "a.c: skipped: line 9: spatch could not parse" in err


def test_why_of_what_was_not_read(small_kernel, run):
    code, out, _ = run("why", f"{small_kernel({'slow.c': SAFE})}/slow.c:5")
    assert code == 2 and "longer than 60 s" in out


def test_why_explains_with_all_rules(small_kernel, said, tmp_path):
    root = small_kernel({"a.c": SAFE})
    configured = tmp_path / "configured.toml"
    configured.write_text('rule = ["UA201"]\n')
    left_out = "UA101 is not among the rules selected"
    for words, is_left_out in (
        (["--rule", "UA201"], True),
        (["--config", configured], True),
        (["--rule", "UA101"], False),
        ([], False),
    ):
        code, out, _ = said("why", f"{root}/a.c:5", *words, "--churn", "--quiet")
        assert code == 0 and "Rewritten in tier safe." in out
        assert (left_out in out) is is_left_out, words


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("audit(k)", "if audit() at line 13 does not change the credentials"),
        # Nothing names what is called.
        ("(*check)(k)", "if the code between the loads does not change the"),
        ("table[k->c](k)", "if the code between the loads does not change the"),
    ],
)
def test_why_of_loads_does_not_mention_windows(small_kernel, said, call, words):
    text = (FIXTURES / "LD301/credential-member.c").read_text(encoding="utf-8")
    text = text.replace("audit(k)", call)
    line = text[: text.index("want: LD301 rewrite")].count("\n") + 1
    root = small_kernel({"drivers/case.c": re.sub(r"[ \t]*/\* want.*?\*/", "", text)})
    hot = ("--rule", "LD301", "--profile", FIXTURES / "hot.txt")
    code, out, _ = said("why", f"{root}/drivers/case.c:{line}", *hot)
    assert code == 0
    assert "Rewrite:\n" in out and "+	const struct cred *cred" in out
    assert "API" not in out and "shape" not in out and "opens" not in out
    assert words in out.replace("\n", " ")
