# SPDX-License-Identifier: GPL-2.0
"""Right rewrites broken on purpose, by a seed, for ../proof_mutants.py."""
