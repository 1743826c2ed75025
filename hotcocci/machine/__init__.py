# SPDX-License-Identifier: GPL-2.0
"""Analyze user access in the machine code of one object, along every path."""
