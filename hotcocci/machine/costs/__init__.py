# SPDX-License-Identifier: GPL-2.0
"""Model the cycles of a path of machine code on processors that are not at hand."""
