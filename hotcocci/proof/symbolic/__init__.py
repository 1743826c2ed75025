# SPDX-License-Identifier: GPL-2.0
"""Equivalence of two object codes for all inputs, by symbolic execution.

Needs pyvex and z3-solver, which `run.py --setup prove` installs.
"""
