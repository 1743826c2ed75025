# SPDX-License-Identifier: GPL-2.0
"""``why``: the reasons of a rewrite, a report, and of neither."""

import re
from pathlib import Path

import pytest
from small_kernel import REPORTED, SAFE

from hotcocci.cli.main import main
from hotcocci.rules.rulebook import REASONS

pytestmark = pytest.mark.whole

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"


def test_why_not(small_kernel, run, capsys):
    root = small_kernel({"a.c": REPORTED})
    assert run("why", f"{root}/a.c:5:9") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"double-fetch. {REASONS['double-fetch']}" in out


def test_why_without_an_access(small_kernel, run, capsys):
    root = small_kernel({"a.c": SAFE + "/* put_user(1, p); */\n", "slow.c": SAFE})
    assert run("why", f"{root}/a.c:1") == 0
    out = capsys.readouterr().out
    assert "No finding on this line." in out and "UA101 at 5" in out
    assert run("why", f"{root}/a.c:9") == 0
    assert "looks like an access but is part of" in capsys.readouterr().out
    assert run("why", f"{root}/slow.c:5") == 2, "it was not read"
    assert "longer than 60 s" in capsys.readouterr().out


def test_why_a_large_copy(small_kernel, run, capsys):
    text = """struct big {
	long words[40];
};

int f(struct big *to, struct big __user *p)
{
	return copy_from_user(to, p, sizeof(*to)) ? -EFAULT : 0;
}
"""
    root = small_kernel({"a.c": text})
    assert run("why", f"{root}/a.c:7") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "No rule looks at this copy" in out and "at most 32 bytes" in out
    assert run("why", f"{root}/a.c:2") == 0
    assert "No finding on this line." in capsys.readouterr().out


def test_why_explains_with_all_rules(small_kernel, capsys, tmp_path):
    root = small_kernel({"a.c": SAFE})
    configured = tmp_path / "configured.toml"
    configured.write_text('rule = ["UA201"]\n')
    rest = ["--churn", "--quiet", "--cache-dir", str(tmp_path / "cache")]
    left_out = "UA101 is not among the rules selected"
    for words, said in (
        (["--rule", "UA201"], True),
        (["--config", str(configured)], True),
        (["--rule", "UA101"], False),
        ([], False),
    ):
        assert main(["why", f"{root}/a.c:5", *words, *rest]) == 0
        out = capsys.readouterr().out
        assert "Rewritten in tier safe." in out
        assert (left_out in out) is said, words


def test_why_for_an_access_spatch_missed(small_kernel, run, capsys):
    root = small_kernel({"a.c": SAFE + "\tput_user(1, p);\n"})
    assert run("why", f"{root}/a.c:9") == 0
    assert "spatch did not see this access" in capsys.readouterr().out
    assert run("lint", root) == 1
    assert "a.c: skipped: line 9: spatch could not parse" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["a.c", "a.c:x", "a.c:99", "no:1"])
def test_why_bad_place(small_kernel, run, capsys, monkeypatch, place):
    monkeypatch.chdir(small_kernel({"a.c": SAFE}))
    assert run("why", place) == 2
    err = capsys.readouterr().err
    assert err.startswith("hotcocci: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("audit(k)", "if audit() at line 13 does not change the credentials"),
        # Nothing names what is called.
        ("(*check)(k)", "if the code between the loads does not change the"),
        ("table[k->c](k)", "if the code between the loads does not change the"),
    ],
)
def test_why_of_loads_does_not_mention_windows(
    small_kernel, capsys, tmp_path, call, said
):
    text = (FIXTURES / "LD301/credential-member.c").read_text(encoding="utf-8")
    text = text.replace("audit(k)", call)
    line = text[: text.index("want: LD301 rewrite")].count("\n") + 1
    root = small_kernel({"drivers/case.c": re.sub(r"[ \t]*/\* want.*?\*/", "", text)})
    words = ["why", f"{root}/drivers/case.c:{line}", "--rule", "LD301"]
    words += [
        "--profile",
        str(FIXTURES / "hot.txt"),
        "--cache-dir",
        str(tmp_path / "c"),
    ]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "Rewrite:\n" in out and "+	const struct cred *cred" in out
    assert "API" not in out and "shape" not in out and "opens" not in out
    assert said in out.replace("\n", " ")
