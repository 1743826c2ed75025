/* SPDX-License-Identifier: GPL-2.0 */
// UW08: assigning, initialising or declaring a structure in a window, or clearing memory in a loop, may
// emit a call to memcpy() or memset().
#include "Checks.h"

using namespace clang;

namespace hotcocci {

// Whether a structure or array exceeds a pair of registers; smaller ones never become a call.
static bool large(ASTContext &Context, QualType Type) {
  return (Type->isRecordType() || Type->isConstantArrayType()) && !Type->isIncompleteType() &&
         Context.getTypeSize(Type) > 2 * Context.getTypeSize(Context.LongTy);
}

// The loop whose only statement an expression is, or null.
static const Stmt *loopOf(ASTContext &Context, const Stmt *Only) {
  const Stmt *Body = Only, *Loop = parent(Context, Only);
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Loop); Block && Block->size() == 1) {
    Body = Block;
    Loop = parent(Context, Block);
  }
  const auto *For = dyn_cast_or_null<ForStmt>(Loop);
  const auto *While = dyn_cast_or_null<WhileStmt>(Loop);
  return (For && For->getBody() == Body) || (While && While->getBody() == Body) ? Loop : nullptr;
}

// Whether a condition compares a variable with a constant.
static bool isCounted(ASTContext &Context, const Stmt *Loop) {
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *Condition = For ? dyn_cast_or_null<BinaryOperator>(For->getCond()) : nullptr;
  Expr::EvalResult Ignored;
  return Condition && Condition->getRHS()->EvaluateAsInt(Ignored, Context);
}

// Whether an assignment sets an element of an array, or what a moving pointer points to, to 0.
static bool clears(ASTContext &Context, const BinaryOperator *E) {
  const Expr *Target = E->getLHS()->IgnoreParens();
  const auto *Deref = dyn_cast<UnaryOperator>(Target);
  Expr::EvalResult Content;
  return E->getOpcode() == BO_Assign && (isa<ArraySubscriptExpr>(Target) || (Deref && Deref->getOpcode() == UO_Deref)) &&
         E->getRHS()->EvaluateAsInt(Content, Context) && Content.Val.getInt() == 0;
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
    if (const auto *Clear = dyn_cast<BinaryOperator>(Done); Clear && clears(Context, Clear))
      if (const Stmt *Loop = loopOf(Context, Clear); Loop && !isCounted(Context, Loop)) {
        report("UW08", Clear, "a loop that only clears memory may become a call to memset()");
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
