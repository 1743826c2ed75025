/* SPDX-License-Identifier: GPL-2.0 */
// UW08: assigning, initialising or declaring a structure in a window may emit a call to memcpy()
// or memset().
#include "Checks.h"

using namespace clang;

namespace hotcocci {

// Whether a structure or array exceeds a pair of registers; smaller ones never become a call.
static bool large(ASTContext &Context, QualType Type) {
  return (Type->isRecordType() || Type->isConstantArrayType()) && !Type->isIncompleteType() &&
         Context.getTypeSize(Type) > 2 * Context.getTypeSize(Context.LongTy);
}

void AggregateCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  for (auto [Done, Where] : walk(Context, Function).Inside) {
    Current = Where.Function;
    if (const auto *Assignment = dyn_cast<BinaryOperator>(Done);
        Assignment && Assignment->getOpcode() == BO_Assign &&
        large(Context, Assignment->getType())) {
      report("UW08", Assignment, "assigning a whole structure may become a call to memcpy()");
      opened(Where.Begin);
    }
    const auto *Declared = dyn_cast<DeclStmt>(Done);
    if (!Declared)
      continue;
    for (const Decl *D : Declared->decls()) {
      const auto *Variable = dyn_cast<VarDecl>(D);
      if (!Variable || !Variable->hasLocalStorage() || !large(Context, Variable->getType()))
        continue;
      report("UW08", Declared,
             ("'" + Variable->getName() + "' is declared in the window; initialising it may become a call to memset()").str());
      opened(Where.Begin);
    }
  }
}

} // namespace hotcocci
