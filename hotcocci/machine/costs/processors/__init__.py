# SPDX-License-Identifier: GPL-2.0
"""The processors that costs are modelled for, one data file each."""

from __future__ import annotations

from hotcocci.machine.costs.processors.cortex_a72 import CORTEX_A72
from hotcocci.machine.costs.processors.e300 import E300
from hotcocci.machine.costs.processors.graniterapids import GRANITERAPIDS
from hotcocci.machine.costs.processors.icelake import ICELAKE
from hotcocci.machine.costs.processors.mpc8xx import MPC8XX
from hotcocci.machine.costs.processors.neoverse_n1 import NEOVERSE_N1
from hotcocci.machine.costs.processors.neoverse_v2 import NEOVERSE_V2
from hotcocci.machine.costs.processors.power9 import POWER9
from hotcocci.machine.costs.processors.sapphirerapids import SAPPHIRERAPIDS
from hotcocci.machine.costs.processors.skylake import SKYLAKE
from hotcocci.machine.costs.processors.zen2 import ZEN2
from hotcocci.machine.costs.processors.zen3 import ZEN3
from hotcocci.machine.costs.processors.zen4 import ZEN4
from hotcocci.machine.costs.processors.zen5 import ZEN5

PROCESSORS = (
    ZEN2,
    ZEN3,
    ZEN4,
    ZEN5,
    SKYLAKE,
    ICELAKE,
    SAPPHIRERAPIDS,
    GRANITERAPIDS,
    NEOVERSE_N1,
    NEOVERSE_V2,
    CORTEX_A72,
    MPC8XX,
    E300,
    POWER9,
)
