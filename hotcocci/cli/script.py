# SPDX-License-Identifier: GPL-2.0
"""The notes and the end of a semantic patch: facts for hotcocci, or the output of "make coccicheck".

hotcocci starts a script for each few files and only wants facts, so all else is imported when needed.
"""

import os
import sys
from pathlib import Path
from typing import Any

from hotcocci.c.matches import Matches

# The modes of coccicheck
MODES = ("patch", "context", "org", "report")


class Script(Matches):
    """The matches of a script, given the modules ``cocci`` and ``coccilib`` that spatch gives it."""

    def __init__(self, cocci: Any, coccilib: Any) -> None:
        super().__init__()
        self._cocci, self._coccilib = cocci, coccilib

    def call(self, places: Any) -> bool:
        """Record a call, in the constraint of the position of its name."""
        self.note(places[0])
        return True

    def done(self) -> None:
        """Hand over the facts on the files that are done, or print what coccicheck asked for, and forget them."""
        given = _given()
        if "facts" in given:
            self.hand_over(self._cocci.files(), given["facts"])
        else:
            self._print(given)
        self.accesses.clear()

    def _print(self, given: dict[str, str]) -> None:
        from hotcocci.errors import UserError
        from hotcocci.proof.estimate import offers
        from hotcocci.rules import coccicheck
        from hotcocci.rules.entry import WINDOW_SCRIPT

        # It may be called through a link.
        script = Path(self._cocci.cocci_file).resolve()
        judge: coccicheck.Judge = coccicheck.judge_windows
        if script.name != Path(WINDOW_SCRIPT).name:
            offered = offers(bool(given.get("churn")))
            chosen = [given.get(name, "") for name in ("api", "min_run")]
            tier = given.get("tier", "safe")
            judge = coccicheck.rewrites(str(script), tier, offered, *chosen)
        try:
            found = coccicheck.results(self, self._cocci.files(), judge)
        except UserError as error:
            # spatch prints the traceback of an exception, goes on and exits with 0.
            print(f"{script.name}: {error}", file=sys.stderr, flush=True)
            os._exit(2)
        if given.keys().isdisjoint(MODES):
            modes = " or ".join(f"-D {mode}" for mode in MODES)
            print(f"{script.name}: give spatch a mode: {modes}", file=sys.stderr)
        for place, message in found.reports:
            if "report" in given:
                self._coccilib.report.print_report(place, message)
            if "org" in given:
                self._coccilib.org.print_todo(place, message)
        if "patch" in given:
            coccicheck.show(found.patch)
        if "context" in given:
            coccicheck.show(found.context)


def _given() -> dict[str, str]:
    """The values given to spatch with ``-D``, which a script can only ask for with a rule for each."""
    words = Path("/proc/self/cmdline").read_bytes().decode(errors="surrogateescape")
    arguments = words.split("\0")
    defined = [b for a, b in zip(arguments, arguments[1:]) if a == "-D"]
    return {name: value for name, _, value in (each.partition("=") for each in defined)}
