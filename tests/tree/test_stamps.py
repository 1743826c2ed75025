# SPDX-License-Identifier: GPL-2.0
"""A stamp changes with a file and with nothing else."""

import os
import time

import pytest

from hotcocci.tree import source
from hotcocci.tree.source import SETTLED_NS, content, stamp


@pytest.mark.parametrize("settled", [0, SETTLED_NS])
@pytest.mark.parametrize("stamp", [stamp, content])
def test_every_way_to_change_a_file(tmp_path, stamp, settled, monkeypatch):
    monkeypatch.setattr(source, "SETTLED_NS", settled)
    file = tmp_path / "a.h"
    seen = [stamp(str(file))]
    file.write_text("one")
    seen.append(stamp(str(file)))
    assert stamp(str(file)) == seen[-1]
    times = file.stat()
    # The same size and time.
    file.write_text("two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    seen.append(stamp(str(file)))
    other = tmp_path / "b.h"
    other.write_text("six")
    other.replace(file)
    seen.append(stamp(str(file)))
    assert len({*seen}) == 4
    file.unlink()
    assert stamp(str(file)) == seen[0]


@pytest.mark.parametrize("age", [0, SETTLED_NS])
def test_a_file_written_twice_within_the_resolution_of_its_times(
    tmp_path, monkeypatch, age
):
    written = time.time_ns() - age
    monkeypatch.setattr(source, "times_of", lambda _: (written, written, 3))
    file = tmp_path / "a.h"
    seen = set()
    for text in ("one", "two"):
        file.write_text(text)
        seen.add(content(str(file)))
    # An older one cannot be written without another time.
    assert len(seen) == (1 if age else 2)


@pytest.mark.parametrize("stamp", [stamp, content])
def test_the_names_in_a_folder(tmp_path, stamp):
    for folder in ("tree", "overlay"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.h").write_text("")
    before = stamp(f"{tmp_path}/tree/")
    assert before == stamp(f"{tmp_path}/overlay/")
    (tmp_path / "tree/a.h").write_text("more")
    assert stamp(f"{tmp_path}/tree/") == before
    (tmp_path / "tree/b.h").write_text("")
    assert stamp(f"{tmp_path}/tree/") != before


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (b"int a; /* x */\n", b"int a;\n\n", True),
        (b"#define A \\\n\t1\n", b"#define A \t1\n", True),
        (b"int a; // x\nint b;\n", b"int a; // x \\\nint b;\n", False),
        (b"#define A \\\n\nint b;\n", b"#define A \\\nint b;\n", False),
        (b'char a[] = "/* x */";\n', b'char a[] = "";\n', False),
        (b'char a[] = "\\"//";\n', b'char a[] = "\\"";\n', False),
        (b"char a = '\"'; /* \" */ char b;\n", b"char a = '\"'; char b;\n", False),
        (b"char a = '\"'; /* \" */ char b;\n", b"char a = '\"';   char b;\n", True),
        (b"int a; /* don't **/\n", b"int a;\n", True),
    ],
)
def test_what_a_compiler_reads(one, other, same):
    assert (source.code_of(one) == source.code_of(other)) is same
