/* SPDX-License-Identifier: GPL-2.0 */
// UW26 and UW27, and UW02 for saved states: what becomes of faults, of values, and of states.
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

void FaultCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW26");
}

void FetchCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW27");
}

} // namespace hotcocci
