# SPDX-License-Identifier: GPL-2.0
"""From paths to findings, rewrites and proofs. Other programs use hotcocci.api."""
