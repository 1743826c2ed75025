// SPDX-License-Identifier: GPL-2.0-only
/// A function that runs often loads through one pointer after the other. What a
/// local can hold is loaded once.
///
// Confidence: Low
// Copyright: (C) 2026 the hotcocci developers. GPLv2.
// URL: https://lore.kernel.org/lkml/BANLkTi=FwE9mR2t=jxu_4BdmiN8fTWsZGw@mail.gmail.com/
// Comments: SmPL matches the statements of functions listed as hot; Python modules read the
// chains of members and the types from the headers, and print the patch of "hotcocci patch".
// All rewrites need -D tier=prepared, as they are only worth it where they save something.
// No keyword can be inferred: hot functions are known by name and file, and most files
// contain one of the 543 names. Name a folder with M=; hotcocci parses only listed files.
// Options: --no-includes
// Keywords: current, cred, pointer chasing

virtual patch
virtual context
virtual org
virtual report

// The package is in the checkout that this script is in, or is linked from.

@initialize:python@
@@
import os, sys
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(cocci.cocci_file))))
from hotcocci.c.matches import Matches
from hotcocci.rewrite.candidates import is_hot_place
from hotcocci.rules.coccicheck import Results, results, rewrites, show
matches = Matches()

@script:python@
everywhere << virtual.everywhere = "";
@@
all_functions = bool(everywhere)

// The statements of hot functions; their expressions and types are read from the text.

@line@
statement S;
position s : script:python() { all_functions or is_hot_place(s[0]) };
iterator name scoped_guard, scoped_cond_guard, scoped_class;
@@
S@s

@script:python@
s << line.s;
@@
matches.note_function(s[0])

// The files are done. hotcocci takes the facts and decides itself; coccicheck prints what
// needs no preparation, and with -D tier=prepared the rest.

@script:python depends on ever line@
facts << virtual.facts = "";
tier << virtual.tier = "safe";
churn << virtual.churn = "";
@@
found = Results()
if facts:
    matches.hand_over(cocci.files(), facts)
else:
    from hotcocci.proof.offer import offers
    found = results(matches, cocci.files(), rewrites(cocci.cocci_file, tier, offers(bool(churn))))
matches = Matches()

@script:python depends on ever line && report@
@@
for place, message in found.reports:
    coccilib.report.print_report(place, message)

@script:python depends on ever line && org@
@@
for place, message in found.reports:
    coccilib.org.print_todo(place, message)

@script:python depends on ever line && patch@
@@
show(found.patch)

@script:python depends on ever line && context@
@@
show(found.context)
