# SPDX-License-Identifier: GPL-2.0
"""What the machine code of a path costs in cycles, on processors that are not at hand."""
