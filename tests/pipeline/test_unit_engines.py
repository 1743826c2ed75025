# SPDX-License-Identifier: GPL-2.0
"""The kernels that the engines examine a file for."""

from dataclasses import replace

import pytest

from hotcocci.findings import CLANG_TIDY, OBJECTS, SMATCH, Report
from hotcocci.pipeline import unit_engines
from hotcocci.pipeline.run import running
from hotcocci.pipeline.settings import Settings

HEADER, READER = "arch/arm64/include/asm/own.h", "fs/a.c"
FILES = {
    HEADER: "static inline int own(void) { return 1; }\n",
    READER: "#include <asm/own.h>\n\nint f(void) { return own(); }\n",
}


def reported(unit, _):
    name = unit.build.target.name
    return (Report("UW05", unit.command.file, 1, "f", name, OBJECTS),), ()


@pytest.mark.parametrize(
    "file, names", [(HEADER, ["arm64", "x86-64"]), (READER, ["x86-64"])]
)
@pytest.mark.parametrize("engine", [OBJECTS, SMATCH])
def test_a_header_is_examined_for_its_own_architecture(
    small_kernel, tmp_path, monkeypatch, engine, file, names
):
    stub = replace(unit_engines.ENGINES[engine], look=reported)
    monkeypatch.setitem(unit_engines.ENGINES, engine, stub)
    tree = small_kernel(FILES)
    settings = Settings(jobs=1, cache_dir=tmp_path / "cache")
    with running(tree, settings) as run:
        found, skipped = unit_engines.unit_reports(
            run, {file: FILES[file]}, {engine: b"key"}
        )
    assert not skipped
    assert sorted(report.message for report in found) == names


def test_all_kernels_of_an_architecture_have_code_that_the_plugin_examines():
    engine = unit_engines.ENGINES[CLANG_TIDY]
    names = [t.name for t in engine.targets("arch/x86/kernel/a.c")]
    assert engine.every and names == ["x86-64-clang", "i386-clang"]
