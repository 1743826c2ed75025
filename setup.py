# SPDX-License-Identifier: GPL-2.0
"""Put cocci/, checkers/ and docs/rules/ into the package, which setup.cfg cannot say; the rest is there."""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["hotcocci*"]),
        "hotcocci.cocci",
        "hotcocci.checkers",
        "hotcocci.docs.rules",
    ],
    package_dir={
        "hotcocci.cocci": "cocci",
        "hotcocci.checkers": "checkers",
        "hotcocci.docs.rules": "docs/rules",
    },
)
