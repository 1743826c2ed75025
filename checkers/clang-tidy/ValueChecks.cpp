/* SPDX-License-Identifier: GPL-2.0 */
// UW26 and UW27, UW02 for saved states, UW04 for routines: what becomes of faults, of values, of states, and of windows.
#include "Checks.h"

using namespace clang;

namespace hotcocci {

void SavedCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  for (const Violation &V : walk(Context, Function).Violations)
    if (V.Rule == "UW02") {
      report("UW02", V.At, V.Message);
      note(V.Begin, "the state is saved here");
    }
}

void DirectionCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW04");
}

void FaultCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW26");
}

void FetchCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW27");
}

} // namespace hotcocci
