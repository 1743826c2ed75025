# SPDX-License-Identifier: GPL-2.0
"""Parse the output of ``perf data convert --to-json``: all samples, with call chains.

It has neither events nor periods (perf 6.1): every sample counts the same.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from hotcocci.engines.perf.profile import Profile, profile
from hotcocci.engines.perf.script import Place, owners
from hotcocci.errors import UserError

VERSION = '"linux-perf-json-version"'


def read(lines: Iterable[str]) -> Profile:
    """Sum up the samples into a profile. Raises UserError if there are none, or the JSON is cut off."""
    try:
        samples = json.loads("".join(lines))["samples"]
        chains = [sample.get("callchain", ()) for sample in samples]
        counted = Counter(
            owners([_place(frame) for frame in chain]) for chain in chains
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            "this is not all that 'perf data convert --to-json' writes: convert it again"
        ) from error
    if not counted.total():
        raise UserError("this recording has no samples: record a longer profile")
    return profile(counted.items(), counted.total())


def _place(frame: dict[str, str]) -> Place:
    """A frame; without a symbol, perf leaves the object out as well."""
    address = frame["ip"].removeprefix("0x")
    return Place(address, frame.get("symbol", "[unknown]"), frame.get("dso"))
