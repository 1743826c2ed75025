# SPDX-License-Identifier: GPL-2.0
"""``--format`` of lint and check, on a miniature tree."""

import json
import shutil
from pathlib import Path

import pytest

from hotcocci.cli.main import main

HOME = Path(__file__).parents[2]
CLASSIC = HOME / "kernel-fixtures" / "classic"
UNUSED = "/* hotcocci: allow {} - no longer there */\nint x;\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cache")


def lint(cache: Path, tree: Path, *options: str) -> int:
    return main(["lint", str(tree), "--churn", "--cache-dir", str(cache), *options])


def check(cache: Path, tree: Path, *options: str) -> int:
    words = ["check", str(tree), "--engine", "spatch", "--cache-dir", str(cache)]
    return main([*words, *options])


@pytest.fixture
def broken(tmp_path) -> Path:
    """The miniature tree with an unclosed window and unused comments."""
    tree = tmp_path / "linux"
    shutil.copytree(CLASSIC, tree)
    (tree / "lib" / "broken.c").write_text(
        "#include <linux/uaccess.h>\n"
        "int broken(int __user *p, int v)\n"
        "{\n"
        "\tif (!user_access_begin(p, sizeof(*p)))\n"
        "\t\treturn -14;\n"
        "\tunsafe_put_user(v, p, out);\n"
        "\treturn 0;\n"
        "out:\n"
        "\tuser_access_end();\n"
        "\treturn -14;\n"
        "}\n",
        encoding="utf-8",
    )
    for code in ("UA101", "UW13"):
        path = tree / "lib" / f"{code}.c"
        path.write_text(UNUSED.format(code), encoding="utf-8")
    return tree


def test_lint_tier_filters_every_format(cache, capsys):
    counted = {
        "json": lambda out: len(json.loads(out)["findings"]),
        "sarif": lambda out: len(json.loads(out)["runs"][0]["results"]),
        "github": lambda out: out.count("::notice "),
        "html": lambda out: out.count('"rule": "'),
    }
    counts = set()
    for form, count in counted.items():
        lint(cache, CLASSIC, "--format", form, "--tier", "safe")
        counts.add(count(capsys.readouterr().out))
    assert len(counts) == 1 and 0 not in counts


def test_lint_github(cache, capsys, monkeypatch):
    monkeypatch.chdir(CLASSIC.parent)
    assert lint(cache, CLASSIC, "--format", "github") == 1
    output, err = capsys.readouterr()
    *lines, link = output.splitlines()
    assert lines and all(line.startswith("::notice file=classic/") for line in lines)
    assert link == (
        "::warning file=classic/lib/cred_2011.c,title=could not be read"
        "::it is a link out of the tree, and is not followed"
    )
    assert f"{len(lines)} finding" in err
    # From elsewhere, as they are in the repository.
    monkeypatch.chdir(cache)
    lint(cache, CLASSIC, "--format", "github")
    elsewhere = capsys.readouterr().out
    assert elsewhere == output.replace("file=classic/", "file=")


@pytest.mark.parametrize("form", ["json", "sarif", "html"])
def test_a_document_covers_one_tree(cache, capsys, form):
    assert lint(cache, CLASSIC.parent, "--format", form) == 2
    assert "covers one tree" in capsys.readouterr().err


@pytest.mark.whole
@pytest.mark.parametrize("form", ["sarif", "html"])
def test_an_unused_comment_is_in_the_report(cache, broken, capsys, form):
    assert lint(cache, broken / "lib", "--format", form) == 1
    assert "allows UA101, but there is no such finding here" in capsys.readouterr().out


@pytest.mark.whole
def test_the_page_has_the_sections_of_maintainers(cache, broken, capsys):
    entry = "Maintainers\n-----------\n\nLIBRARY\nM:\tA <a@b.c>\nF:\tlib/\n"
    (broken / "MAINTAINERS").write_text(entry, encoding="utf-8")
    lint(cache, broken, "--format", "html")
    output = capsys.readouterr().out
    assert '"subsystem": "LIBRARY"' in output
    assert '"subsystem": "drivers"' in output
