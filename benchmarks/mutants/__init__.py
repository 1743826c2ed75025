# SPDX-License-Identifier: GPL-2.0
"""Seeded mutations of correct rewrites, for ../proof_mutants.py."""
