# SPDX-License-Identifier: GPL-2.0
"""Symbolic execution: prove object code equivalent for all inputs.

Needs pyvex and z3-solver, which the `prove` extra installs.
"""
