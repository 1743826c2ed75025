# SPDX-License-Identifier: GPL-2.0
"""Derive how often each function of a tree runs, and why, from who calls whom."""
