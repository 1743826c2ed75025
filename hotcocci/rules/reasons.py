# SPDX-License-Identifier: GPL-2.0
"""The closed list of reasons why a finding is reported and not rewritten."""

from __future__ import annotations

REASONS = {
    "no-gain-arch": "On this architecture beginning a window is only access_ok(): a window would save nothing.",
    "below-min-run": "There are fewer accesses than --min-run asks for: opening a window costs more than it saves.",
    "failed-proof": "The rewrite was made, and one of the checks before it is printed spoke against it.",
}
