# SPDX-License-Identifier: GPL-2.0
"""Links of README and docs/ resolve, and every command runs, on a miniature tree that has what the pages name."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hotcocci.cli.main import main, parser
from tests.shared import CACHE, FIXTURES, ROOT
from tests.tree.traps import git

README = (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [*README, *(page for page in DOCS if page.parent.name != "rules")]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchor(heading):
    """The anchor that a forge generates for a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_links_resolve():
    for page in (*README, *DOCS):
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" in link:
                continue
            name, _, part = link.partition("#")
            there = (page.parent / name).resolve() if name else page
            assert there.exists(), f"{page}: {link}"
            if part:
                headings = HEADING.findall(there.read_text(encoding="utf-8"))
                assert part in map(anchor, headings), f"{page}: {link}"


def test_files_for_a_new_rule_exist():
    """The files named in the guide for new rules; one without a folder is in rewrite/."""
    text = (ROOT / "docs/adding-a-rule.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/*-]+(?:\.py|\.c|\.cpp|/))`", text)
    assert len(named) > 30
    near = ("", "hotcocci/", "hotcocci/rewrite/", "hotcocci/rules/", "kernel-fixtures/")
    near += ("hotcocci/rules/*/", "hotcocci/windows/")
    for name in named:
        assert any(any(ROOT.glob(f"{folder}{name}")) for folder in near), name


BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OURS = re.compile(r"(?:python3 )?(?:\S*/)?run\.py|hotcocci")
# What else a line of a shell begins with; the other blocks are settings, code, diffs and output.
TOOLS = tuple(
    "git make openssl dask perf eval PYTHONPATH=. TLS= .venv/bin/dask python3".split()
)
# What a test cannot run here, by a pattern of the command: its options are parsed only.
PARSED = {
    r"^--setup |^test\b": "installs packages, or runs these tests: tests/test_run.py",
    r"^bench |--bench\b": "boots kernels, or counts on this machine: tests/bench",
    r"^loads ": "builds for x86-64 with the Makefiles of a real tree: tests/machine",
    r"^prove .*--target ": "needs a cross compiler: tests/pipeline/test_other_targets.py",
    r"^prove .*--scheduler ": "needs a cluster: tests/proof/test_cluster.py",
    r"^series .*--pull-requests ": "needs a forge: tests/deliver",
    r"^checkers install ": "needs the source of smatch: tests/cli/test_installed.py",
    r" --interactive$": "needs a terminal: tests/cli/test_patch.py",
    r" --profile ": "needs a profile of perf: tests/engines/test_perf.py",
}  # fmt: skip
# Commands of other programs that cannot run here, by how they begin.
FOREIGN = {
    "make coccicheck": "needs the scripts of a real tree: tests/cocci/test_plain_spatch.py",
    "perf ": "needs rights to count, and a kernel with hotcocci's functions",
    "dask ": "needs a cluster: tests/proof/test_cluster.py",
    ".venv/bin/dask ": "needs a cluster: tests/proof/test_cluster.py",
    "PYTHONPATH=. .venv/bin/dask ": "needs a cluster: tests/proof/test_cluster.py",
    "TLS=": "is for the dask commands after it",
    "openssl ": "makes a key for them",
    "git -C ~/linux ": "needs the series of the command before it: tests/deliver",
    "eval ": "is for an interactive shell: tests/cli/test_process.py",
}


@dataclass(frozen=True)
class Command:
    """A command line as a page shows it, without its comment."""

    page: str
    text: str

    @property
    def ours(self):
        """What follows the name of the program, None if it is another program."""
        found = re.match(rf"(?:{OURS.pattern}) ", self.text)
        return self.text[found.end() :] if found else None


def commands():
    """All commands of the pages."""
    found = []
    for page in PAGES:
        for _, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            for line in block.splitlines():
                text = re.split(r"\s{2,}#|\s# ", line)[0].rstrip()
                if OURS.match(text) or text.startswith(TOOLS):
                    parts = text.split("; ") if text.startswith("git ") else [text]
                    name = str(page.relative_to(ROOT))
                    found += [Command(name, part) for part in parts]
    return found


COMMANDS = commands()
ON_A_TREE = [
    c for c in COMMANDS
    if c.ours and not any(re.search(pattern, c.ours) for pattern in PARSED)
]  # fmt: skip
PARSED_ONLY = [c for c in COMMANDS if c.ours and c not in ON_A_TREE]


def test_every_exception_is_needed():
    for pattern in PARSED:
        assert any(re.search(pattern, c.ours or "") for c in COMMANDS), pattern
    for start in FOREIGN:
        assert any(c.text.startswith(start) for c in COMMANDS), start
    assert len(ON_A_TREE) > 40 and len(ON_A_TREE) > 1.2 * len(PARSED_ONLY)


@pytest.mark.parametrize("command", PARSED_ONLY, ids=lambda c: f"{c.page}: {c.text}")
def test_what_cannot_run_here_parses(command):
    words = shlex.split((command.ours or "").removeprefix("--setup "))
    if words[0] != "test":
        parser().parse_args([w for w in words if w != "--help"])


# Files that pages name, with the line of their run
LINES = {"sound/core/pcm_compat.c": 94, "drivers/foo/bar.c": 0}
RUN = Path(__file__).with_name("docs").joinpath("run.c").read_text(encoding="utf-8")
RECIPIENTS = "#!/bin/sh\necho 'Ada <ada@lamps.example> (maintainer:LAMPS)'\n"


def driver(name, line=0):
    """A file with three stores, the first on the given line."""
    head = "// SPDX-License-Identifier: GPL-2.0\n#include <linux/errno.h>\n#include <linux/uaccess.h>\n\n"
    head += f"struct {name} {{\n\tu32 first;\n\tu32 second;\n\tu32 third;\n}};\n"
    declared = (
        f"\nint {name}(struct {name} __user *to, u32 first, u32 second, u32 third);\n"
    )
    body = RUN.format(name=name)
    blank = line - 4 - (head + declared).count("\n")
    return head + declared + "\n" * max(blank, 0) + body


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A home directory with a git repository, patches and a cache for all pages."""
    home = tmp_path_factory.mktemp("docs")
    tree = home / "linux"
    shutil.copytree(FIXTURES / "classic", tree)

    def write(path, text):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")

    def commit(subject):
        git(tree, "add", "-A")
        git(tree, "commit", "-qm", subject)

    git(tree, "init", "-q")
    write("fs/namei.c", driver("name"))
    write("sound/core/timer.c", driver("timer"))
    write("scripts/get_maintainer.pl", RECIPIENTS)
    (tree / "scripts/get_maintainer.pl").chmod(0o755)
    (tree / "scripts/coccinelle").mkdir()
    write("scripts/coccinelle/null.cocci", "")
    commit("all of it")
    git(tree, "tag", "v6.12")
    git(tree, "update-ref", "refs/remotes/origin/master", "HEAD")
    for path, line in LINES.items():
        write(path, driver(Path(path).stem, line))
        commit(f"add {path}")
    write("drivers/foo/foo.c", driver("foo"))
    commit("add drivers/foo/foo.c")
    git(tree, "format-patch", "-q", "-o", "outgoing", "v6.12")
    mails = sorted((tree / "outgoing").iterdir())
    write("series.mbox", "".join(mail.read_text() for mail in mails))
    namei = (tree / "fs/namei.c").read_text()
    write("fs/namei.c", namei.replace("return 0", "return to ? 0 : -EINVAL"))
    their = git(tree, "diff", "fs")
    git(tree, "checkout", "-q", "fs")
    for name in ("their.patch", "0001-their.patch", "widen-mode.patch"):
        write(name, their)
    write("sizes", "@[8]: 4711\n")
    return home


@pytest.fixture
def home(prepared, tmp_path, monkeypatch):
    """The home directory of a page: what it changes is another page's again."""
    shutil.copytree(prepared, tmp_path / "home", symlinks=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(prepared / "cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@lamps.example")
    monkeypatch.chdir(tmp_path / "home/linux")
    return tmp_path / "home"


@pytest.mark.whole
@pytest.mark.parametrize("page", sorted({c.page for c in ON_A_TREE}))
def test_commands_run(page, home, capfd, monkeypatch):
    # Someone is at work.
    foo = home / "linux/drivers/foo/foo.c"
    foo.write_text(
        foo.read_text() + RUN.format(name="foo").replace("int foo(", "int more(")
    )
    for command in (c for c in COMMANDS if c.page == page):
        if command in ON_A_TREE:
            code, out, err = ran(command.ours or "", capfd, monkeypatch)
            assert code in (0, 1), (command.text, out, err)
            assert out or err, f"{command.text}: silent"
        elif not command.ours and not command.text.startswith(tuple(FOREIGN)):
            text = command.text.replace(
                "python3 benchmarks/", f"{sys.executable} {ROOT}/benchmarks/"
            )
            subprocess.run(["bash", "-ec", text], check=True)


def ran(command, capfd, monkeypatch):
    """The exit code of a command and what it writes, to a file if the page says so."""
    words = shlex.split(command)
    if "|" in words:
        words = words[: words.index("|")]
    to = Path(words.pop(words.index(">") + 1)) if ">" in words else None
    if "<" in words:
        text = Path(words.pop(words.index("<") + 1)).read_bytes()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    words = [os.path.expanduser(w) for w in words if w not in "<>"]
    code = main(words)
    out, err = capfd.readouterr()
    if to:
        to.write_text(out)
    return code, out, err


# Output that pages show, by its first words: the command that prints it in Linux 6.12. "…" stands for lines.
SHOWN = {
    "@@ -78,11 +78,19 @@ static inline struct epoll_event": "why include/linux/eventpoll.h:81 --api masked",
    "fs/namei.c: link_path_walk()": "loads fs/namei.c --function link_path_walk",
    "  calls:": "loads fs/namei.c --function link_path_walk",
    "sound/core/rawmidi_compat.c:": "prove sound/core/rawmidi_compat.c --show cold",
    "arch/x86/kernel/sys_ia32.c:157": "check --engine spatch arch/x86/kernel",
}
NOT_COMPARED = {
    "x86-64                        instructions": "is in the message of a patch: tests/deliver",
    "    24.8 %  nd->inode": "needs perf annotate of a kernel: tests/machine",
}


def outputs():
    """The blocks of the pages that are output: diffs, and those without a language and a command."""
    return [
        block
        for page in PAGES
        for language, block in BLOCK.findall(page.read_text(encoding="utf-8"))
        if language in ("", "diff") and not any(c.text in block for c in COMMANDS)
    ]


def test_all_output_is_compared_or_has_a_reason():
    starts = [*SHOWN, *NOT_COMPARED]
    for block in outputs():
        assert any(block.startswith(start) for start in starts), block
    for start in starts:
        assert any(block.startswith(start) for block in outputs()), start


@pytest.mark.parametrize(
    "command",
    [
        # A comparison takes longer than all the others.
        pytest.param(c, marks=[pytest.mark.slow] if c.startswith("prove ") else [])
        for c in sorted(set(SHOWN.values()))
    ],
)
def test_output_is_as_shown(command, linux_tree, builds, capfd, monkeypatch):
    monkeypatch.chdir(linux_tree)
    main([*command.split(), "--cache-dir", str(CACHE)])
    printed = capfd.readouterr().out
    for start in (each for each in SHOWN if SHOWN[each] == command):
        (block,) = (block for block in outputs() if block.startswith(start))
        lines = block.splitlines()
        pattern = "\n".join(".*?" if x.strip() == "…" else re.escape(x) for x in lines)
        assert re.search(pattern, printed, re.DOTALL), printed


def test_settings_and_code_of_pages_are_right(home, capsys, monkeypatch):
    blocks = {
        language: block
        for page in PAGES
        for language, block in BLOCK.findall(page.read_text(encoding="utf-8"))
    }
    json.loads(blocks["json"])
    main(["lint", "--write-baseline", ".hotcocci-known.json"])
    Path(".hotcocci.toml").write_text(blocks["toml"], encoding="utf-8")
    monkeypatch.chdir(home)
    capsys.readouterr()
    assert main(["lint", "linux"]) == 0
    assert "in the baseline" in capsys.readouterr().err
    exec(compile(blocks["python"], "python-api.md", "exec"), {})
    assert (
        "fs/namei.c:15: UA101 3 put_user() to to in name()" in capsys.readouterr().out
    )
