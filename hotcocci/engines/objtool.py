# SPDX-License-Identifier: GPL-2.0
"""objtool --uaccess on one object: calls, returns and nesting inside open windows.

It sees no access outside a window and no range, and it stops at the first problem of
a path; tools/objtool/Documentation/objtool.txt explains its messages.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from hotcocci.tree.build import Build
from hotcocci.tree.process import Outcome, run

TIMEOUT = 120.0
# "x.o: warning: objtool: f+0x12: ...", since 6.15 also "x.o: error: objtool: ...".
SAID = re.compile(r"^.*?(?:warning|error): objtool: (?P<text>.*)$")
OFFSET = re.compile(r"\+0x[0-9a-f]+")


class ObjtoolError(Exception):
    """objtool could not read the object; the message is what it said."""


def warnings(build: Build, object_file: Path) -> list[str]:
    """What objtool says about an object, "function: complaint" each.

    Offsets into functions are left out, as they differ between two versions of a file.
    Raises ObjtoolError if objtool fails without a warning.
    """
    with tempfile.TemporaryDirectory(prefix="hotcocci-objtool-") as folder:
        # It rewrites what it checks, and refuses an object that it has rewritten.
        copy = Path(folder) / "copy.o"
        shutil.copyfile(object_file, copy)
        program = build.out / "tools/objtool/objtool"
        outcome = run([str(program), *build.objtool, str(copy)], build.out, TIMEOUT)
    return _complaints(outcome)


def _complaints(outcome: Outcome) -> list[str]:
    found = [SAID.match(line) for line in (outcome.err + outcome.out).splitlines()]
    said = [OFFSET.sub("", match["text"]).strip() for match in found if match]
    if outcome.status != 0 and not said:
        why = "took too long" if outcome.status is None else outcome.err.strip()
        raise ObjtoolError(why or f"ended with status {outcome.status}")
    return said
