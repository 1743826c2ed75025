/* SPDX-License-Identifier: GPL-2.0 */
// UW05: begin(p, size) checks [p, p + size); nothing else may be accessed. UW21: and that not without
// an accessor, as a fault then has no label.
#include "Checks.h"

#include "clang/Lex/Lexer.h"

using namespace clang;

namespace hotcocci {

// The operand of sizeof(p) in begin(p, sizeof(p)), which should be sizeof(*p), or null.
static const Expr *pointerForPointee(ASTContext &Context, const CallExpr *Begin) {
  if (role(Begin) != Role::Begin)
    return nullptr;
  const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(Begin->getArg(1)->IgnoreParenImpCasts());
  if (!Size || Size->getKind() != UETT_SizeOf || Size->isArgumentType())
    return nullptr;
  const Expr *Measured = Size->getArgumentExpr()->IgnoreParens();
  const auto *Of = dyn_cast<DeclRefExpr>(Measured);
  const auto *Begun = dyn_cast<DeclRefExpr>(Begin->getArg(0)->IgnoreParenImpCasts());
  if (!Of || !Begun || Of->getDecl() != Begun->getDecl() || !Of->getType()->isPointerType() ||
      Of->getType()->getPointeeType()->isIncompleteType())
    return nullptr;
  return Measured;
}

// Calls Found if a member's address is cast to a pointer to a smaller type and the value is as wide
// as the member: the upper bytes keep their old contents. A cast to a wider type is common where
// padding follows.
static void narrowed(ASTContext &Context, const CallExpr *Access,
                   llvm::function_ref<void(uint64_t Stored, uint64_t Named)> Found) {
  Role R = role(Access);
  if (R != Role::Put)
    return;
  const Expr *At = Access->getArg(0)->IgnoreParenImpCasts();
  const auto *Cast = dyn_cast<CStyleCastExpr>(At);
  const auto *Address =
      Cast ? dyn_cast<UnaryOperator>(Cast->getSubExpr()->IgnoreParenCasts()) : nullptr;
  if (!Address || Address->getOpcode() != UO_AddrOf || !Cast->getType()->isPointerType())
    return;
  const Expr *Object = Address->getSubExpr()->IgnoreParens();
  QualType Accessed = Cast->getType()->getPointeeType();
  QualType Value = Access->getArg(2)->IgnoreParenImpCasts()->getType();
  if (!isa<MemberExpr>(Object) || !Object->getType()->isIntegralOrEnumerationType() ||
      !Accessed->isIntegralOrEnumerationType() || !Value->isIntegralOrEnumerationType())
    return;
  Expr::EvalResult Constant;
  if (Access->getArg(2)->EvaluateAsInt(Constant, Context))
    return;
  uint64_t Stored = Context.getTypeSizeInChars(Accessed).getQuantity();
  uint64_t Named = Context.getTypeSizeInChars(Object->getType()).getQuantity();
  uint64_t Given = Context.getTypeSizeInChars(Value).getQuantity();
  if (Stored < Named && Given == Named)
    Found(Stored, Named);
}

void RangeCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  for (const Violation &V : walk(Context, Function).Violations) {
    if (V.Rule != "UW05")
      continue;
    Current = V.Function;
    {
      auto Diagnostic = report("UW05", V.At, V.Message);
      const Expr *Measured = pointerForPointee(Context, V.Begin);
      // Only fix an argument written at the begin, not one that comes from another macro.
      const SourceManager &Sources = Context.getSourceManager();
      if (Measured && Sources.getFileLoc(Measured->getBeginLoc()) ==
                          Sources.getSpellingLoc(Measured->getBeginLoc()))
        Diagnostic << FixItHint::CreateInsertion(Sources.getSpellingLoc(Measured->getBeginLoc()),
                                                 "*");
    }
    opened(V.Begin);
  }
  Current = Function;
  for (const CallExpr *Access : allOf<CallExpr>(Function->getBody()))
    if (isAccess(role(Access)))
      narrowed(Context, Access, [&](uint64_t Stored, uint64_t Named) {
        report("UW05", Access,
               "stores only " + std::to_string(Stored) + " of the " + std::to_string(Named) +
                   " bytes of the member and the value");
      });
}

void PlainCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW21");
}

} // namespace hotcocci
