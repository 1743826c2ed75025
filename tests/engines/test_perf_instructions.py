# SPDX-License-Identifier: GPL-2.0
"""The instructions that perf annotate lists, with their shares."""

from pathlib import Path

import pytest

from hotcocci.engines.perf_annotate import annotated
from hotcocci.errors import UserError

TEXTS = Path(__file__).parent / "perf_texts"
HEADING = " Percent |\tSource code & Disassembly of vmlinux for {} ({} samples, percent: local period)\n"
BODY = """\
         : 5    ffffffff81000010 <f>:
   25.00 :   ffffffff81000010:       mov    0x8(%rdi),%rax
   75.00 :   ffffffff81000014:       {}
"""


def test_shares_and_lines():
    (walk,) = annotated(TEXTS / "chain_lines.txt")
    assert (walk.name, walk.start, len(walk.rows)) == ("walk", 0x1270, 13)
    row = walk.rows[0x128C]
    assert (row.text, row.line) == ("add 0x18(%rcx),%rdx", ("chain.c", 11))
    assert row.share == pytest.approx(61.89, abs=0.1)
    assert (walk.rows[0x1280].share, walk.rows[0x1280].line) == (0, None)
    # With numbers of samples, and the bytes of instructions
    (raw,) = annotated(TEXTS / "chain_raw.txt")
    texts, others = ({at: r.text for at, r in w.rows.items()} for w in (walk, raw))
    assert texts == others
    assert raw.rows[0x128C].share == pytest.approx(61.89, abs=0.1)


def test_columns_of_a_group_and_comments(tmp_path):
    file = tmp_path / "annotate.txt"
    file.write_text(
        HEADING.format("cycles", 8)
        + "   40.00    1.00 :   ffffffff81000010: mov 0x10(%rip),%rcx  # ffffffff8 <a>\n"
        + "   60.00   99.00 :   ffffffff81000017: movq 0x318(%rax), %rax\n"
    )
    (found,) = annotated(file)
    assert [(row.share, row.text) for row in found.rows.values()] == [
        (40.0, "mov 0x10(%rip),%rcx"),
        (60.0, "movq 0x318(%rax), %rax"),
    ]
    assert (found.name, found.start) == ("", 0xFFFFFFFF81000010)


def test_unlikely_parts_are_left_out(tmp_path):
    file = tmp_path / "annotate.txt"
    cold = BODY.replace("<f>", "<f.cold>")
    texts = [HEADING.format("cycles", 8) + body.format("ret") for body in (cold, BODY)]
    file.write_text("".join(texts))
    assert [each.name for each in annotated(file)] == ["f"]
    file.write_text(texts[0])
    with pytest.raises(UserError, match="no instructions"):
        annotated(file)
