# SPDX-License-Identifier: GPL-2.0
"""Fixtures for tests of decisions: facts and functions as SmPL reports them."""

import functools
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from hotcocci.c.matches import load
from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.options import Options
from hotcocci.tree.kernel import Features

COCCI = Path(__file__).resolve().parents[2] / "cocci"


@pytest.fixture(scope="session")
def see(tmp_path_factory):
    """The facts that spatch reports for a text, and options without limits."""
    if not shutil.which("spatch"):
        pytest.skip("no spatch")

    @functools.cache
    def look(text, api="classic", script="user_access"):
        folder = tmp_path_factory.mktemp("see")
        file = folder / "file.c"
        file.write_text(text, encoding="utf-8")
        answers = folder / "answers"
        subprocess.run(
            ["spatch", "--very-quiet", "--sp-file", COCCI / f"{script}.cocci"]
            + ["-D", "report", "-D", f"facts={answers}", "--no-includes"]
            + ["--macro-file", COCCI / "macros.h", file],
            check=True,
            capture_output=True,
        )
        facts = load(json.loads(answers.read_text())["facts"], "drivers/file.c")
        every = frozenset({"x86", "arm"})
        features = Features(False, False, False, False, False, every)
        return text, facts, Options(folder, api, 2, features, every)

    return look


@pytest.fixture(scope="session")
def contexts(see):
    """The functions of a text that have accesses, by name."""

    def make(text, api="classic"):
        _, facts, options = see(text, api)
        return {
            f.name: Context(f, options)
            for f in functions(Source(facts.file, text), facts)
        }

    return make
