# SPDX-License-Identifier: GPL-2.0
"""How often each function of a tree runs, and why: derived from who calls whom."""
