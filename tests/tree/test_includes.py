# SPDX-License-Identifier: GPL-2.0
"""Finding files: those that include one, and those that define given functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.includes import defining, units

SmallTree = Callable[[dict[str, str]], Path]


def test_users_through_a_header_and_through_another_c_file(
    small_tree: SmallTree,
) -> None:
    tree = small_tree(
        {
            "lib/part.c": "",
            "lib/parts.h": '#include "part.c"\n',
            "lib/user.c": '#include "parts.h"\n',
            "lib/outer.c": '#include "user.c"\n',
        }
    )
    assert units(tree, "lib/part.c", "x86") == (
        "lib/part.c",
        "lib/outer.c",
        "lib/user.c",
    )


def test_the_nearest_users_of_a_header(small_tree: SmallTree) -> None:
    users = ["net/a.c", "net/core/a.c", "net/core/b.c", "fs/z.c", "arch/arm/a.c"]
    tree = small_tree({file: "#include <net/x.h>\n" for file in users})
    (tree / "include/net").mkdir()
    (tree / "include/net/x.h").write_text("")
    assert units(tree, "include/net/x.h", "x86") == (
        "fs/z.c",
        "net/a.c",
        "net/core/a.c",
    )
    (tree / "net/core/y.h").write_text("")
    (tree / "net/core/c.c").write_text('#include "y.h"\n')
    assert units(tree, "net/core/y.h", "x86") == ("net/core/c.c",)


def test_of_equally_near_users_the_one_that_calls_its_functions(
    small_tree: SmallTree,
) -> None:
    plain = '#include "x.h"\n'
    files = {f"fs/{name}.c": plain for name in "abcd"}
    tree = small_tree({**files, "fs/e.c": plain + "int e(void) { return used(); }\n"})
    (tree / "fs/x.h").write_text("static inline int used(void)\n{\n\treturn 0;\n}\n")
    assert units(tree, "fs/x.h", "x86") == ("fs/e.c", "fs/a.c", "fs/b.c")


def test_in_a_real_tree(linux_tree: Path) -> None:
    assert units(linux_tree, "sound/core/pcm_compat.c", "x86") == (
        "sound/core/pcm_compat.c",
        "sound/core/pcm_native.c",
    )


def test_a_header_that_only_another_header_includes(small_tree: SmallTree) -> None:
    tree = small_tree(
        {
            "arch/x86/include/asm/futex.h": "",
            "kernel/futex/futex.h": "#include <asm/futex.h>\n",
            "kernel/futex/core.c": '#include "futex.h"\n',
            "arch/arm/kernel/a.c": '#include "../../../kernel/futex/futex.h"\n',
        }
    )
    found = units(tree, "arch/x86/include/asm/futex.h", "x86")
    assert found == ("kernel/futex/core.c",)


TEXTS = {
    "plain.c": "int f(int a)\n{\n}\n",
    "pointer.c": "static struct a *f(int a)\n{\n}\n",
    "next_line.c": "static noinline int\nf(int a)\n{\n}\n",
    "call.c": "SYSCALL_DEFINE2(f, int, a, int, b)\n",
    "used.c": "int g(int a)\n{\n\treturn f(a);\n}\n",
    "longer.c": "int ff(int a)\n{\n}\nint f_g(void);\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_defining(tree: Path) -> None:
    found = defining(tree, sorted(TEXTS), ["f"])
    assert sorted(found) == ["call.c", "next_line.c", "plain.c", "pointer.c"]
    assert defining(tree, ["used.c", "longer.c"], ["g", "ff"]) == ["used.c", "longer.c"]


def test_more_files_than_fit_on_a_command_line(tree: Path) -> None:
    """Several calls of grep, for more bytes than a command line can have."""
    names = [f"{'directory/' * 10}{number}.c" for number in range(30_000)]
    assert len(defining(tree, [*sorted(TEXTS), *names], ["f"])) == 4


def test_no_grep(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="without grep: install it"):
        defining(tree, sorted(TEXTS), ["f"])
