// SPDX-License-Identifier: GPL-2.0-only
/// A function that runs often loads through one pointer after the other, or keeps
/// a small number in a local that each use has to mask. What a local can hold is
/// loaded once; an unsigned local as wide as a register needs no masking.
///
// Confidence: Low
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://lore.kernel.org/lkml/BANLkTi=FwE9mR2t=jxu_4BdmiN8fTWsZGw@mail.gmail.com/
// Comments: SmPL finds the functions that are likely to be hot, and their statements; the
// Python module of the checkout this file lies in reads the chains of members and the
// types from the headers. Nothing is said of other functions. All rewrites need
// -D tier=prepared, as they are only worth their while where they save something.
// Options: --no-includes
// Keywords: current, cred, umode_t, pointer chasing

virtual patch
virtual context
virtual org
virtual report

@initialize:python@
@@
import os, sys
words = open("/proc/self/cmdline").read().split("\0")
script = [w for w in words if w.endswith(".cocci")][0]
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(script))))
from hotcocci.c import seen
from hotcocci.rewrite.loads import chain_session

@script:python@
everywhere << virtual.everywhere = "";
@@
chain_session.begin(everywhere)

// The statements of every such function; its expressions and types are read from the text.

@line@
statement S;
position s : script:python() { chain_session.hot(s) };
iterator name scoped_guard, scoped_cond_guard, scoped_class;
@@
S@s

@script:python@
s << line.s;
@@
chain_session.note(s[0])

// The file is through. hotcocci takes the facts and decides itself.

@script:python depends on ever line@
facts << virtual.facts = "";
@@
chain_session.noted()
if facts:
    seen.hand_over(cocci.files(), facts)
