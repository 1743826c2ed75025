/* SPDX-License-Identifier: GPL-2.0 */
// What becomes of faults (UW26), of values that were fetched twice (UW27), and of saved states (UW02).
#include "Walker.h"

#include "Api.h"

using namespace clang;

namespace hotcocci {

void Walker::save(const CallExpr *E, State &S) {
  S.Windows.clear();
  Symbol State;
  State.Kind = SymbolKind::Saved;
  State.Call = E;
  S.Results[E] = Eval.symbol(std::move(State));
  S.Saved.push_back(*S.Results[E].symbol());
}

void Walker::restore(const CallExpr *E, State &S) {
  if (S.Saved.empty())
    return;
  const SymbolId Last = S.Saved.back();
  S.Saved.pop_back();
  const CallExpr *Before = Eval.Known[Last].Call;
  const Expr *Given = E->getArg(0);
  const Value State = Eval.value(Given, S);
  if (Context.getTypeSize(Given->IgnoreParenImpCasts()->getType()) < Context.getTypeSize(Given->getType())) {
    say("UW02", E, Before, "restores the low bits only of the state that was saved");
    return;
  }
  auto Id = State.symbol();
  // A call may have changed a variable whose address it has.
  const bool Unclear = Id ? Eval.Known[*Id].Kind == SymbolKind::Load ||
                                (Eval.Known[*Id].Kind == SymbolKind::Unknown && Eval.Known[*Id].Variable)
                          : !State.isConstant();
  if (Id != Last && !Unclear)
    say("UW02", E, Before, "restores another state than the one that was saved last");
}

// Notes what was read from the same place before.
void Walker::fetched(Symbol &Content, const State &S) const {
  if (!S.Reading)
    return;
  Content.Call = S.Reading->second;
  for (const auto &[Place, Id] : S.Read)
    if (same(Place, S.Reading->first))
      Content.Before = Id;
}

// Notes the numbers that a sum is computed from.
void Walker::tested(const Value &V, State &S) const {
  for (auto [Id, F] : V.Terms)
    if (S.Tested.insert(Id).second)
      tested(Eval.Known[Id].Operand, S);
}

// Notes what a branch tests.
void Walker::test(const Value &Condition, bool Truth, State &S) const {
  tested(Condition, S);
  auto Id = Condition.symbol();
  if (!Id || Eval.Known[*Id].Kind != SymbolKind::Compare)
    return;
  const Symbol &Compared = Eval.Known[*Id];
  const bool Ordered = Compared.How == Relation::Below || Compared.How == Relation::AtMost;
  for (auto [Number, F] : Compared.Operand.Terms)
    if (Ordered && (F > 0) == Truth)
      S.Limited.insert(Number);
}

// What is done with what an expression reads, or null.
static const Stmt *taking(ASTContext &Context, const Stmt *E) {
  const Stmt *Above = parent(Context, E);
  while (isa_and_nonnull<ImplicitCastExpr, ParenExpr>(Above))
    Above = parent(Context, Above);
  return Above;
}

// Whether only some bits of it are taken.
static bool isMasked(ASTContext &Context, const Stmt *E) {
  const auto *Taken = dyn_cast_or_null<BinaryOperator>(taking(Context, E));
  return Taken && (Taken->getOpcode() == BO_And || Taken->getOpcode() == BO_Rem);
}

// Follows values to where they are read or stored.
void Walker::used(const Stmt *Done, State &S) {
  const auto *Read = dyn_cast<ImplicitCastExpr>(Done);
  if (Read && Read->getCastKind() == CK_LValueToRValue && (S.Fault.Access || !S.Read.empty())) {
    const Value Content = Eval.value(Read, S);
    for (auto [Id, F] : Content.Terms) {
      const Symbol &Number = Eval.Known[Id];
      const auto *Cast = dyn_cast_or_null<CastExpr>(taking(Context, Read));
      const bool Dropped = Cast && Cast->getCastKind() == CK_ToVoid;
      if (Number.Kind == SymbolKind::Unset && S.Fault.Access && !Dropped)
        say("UW26", Read, S.Fault.Begin,
            Number.Variable->getName().str() + " is used although the access that sets it may have faulted");
      if (Number.Before && Number.Call)
        (isMasked(Context, Read) ? S.Tested : S.Used).insert(Id);
    }
  }
  const auto *Store = dyn_cast<BinaryOperator>(Done);
  if (!Store || !Store->isAssignmentOp() || Eval.local(Eval.place(Store->getLHS(), S)))
    return;
  if (S.Far == Reached::Faulted)
    S.Far = Reached::Nothing;
  for (auto [Id, F] : Eval.value(Store->getRHS(), S).Terms)
    if (Eval.Known[Id].Before && Eval.Known[Id].Call)
      S.Used.insert(Id);
}

void Walker::returned(const State &S) {
  for (SymbolId Id : S.Used) {
    const Symbol &Again = Eval.Known[Id];
    if (S.Limited.count(*Again.Before) && !S.Tested.count(Id) && !Eval.judged(Id))
      say("UW27", Again.Call, Result.Inside.at(Again.Call).Begin,
          "fetches again what was tested before, and this value is used without a test");
  }
  const auto &Told = S.Returned;
  if (S.Far == Reached::Refused) {
    Refused = true;
    Ignored |= !Told || !Told->isConstant() || Told->Constant >= 0;
  } else if (Told && Told->isConstant() && Told->Constant == 0) {
    Succeeded |= S.Far == Reached::Opened;
    // Who writes "return 0" means it.
    if (S.Far == Reached::Faulted && S.ReturnedBy)
      Zero.insert({S.Fault.Access, {S.Fault.Begin, S.ReturnedBy}});
  }
}

// Whether a variable has what it is declared with for good.
bool Walker::isFixed(const VarDecl *Variable) const {
  return llvm::none_of(below(Function->getBody()), [&](const Stmt *S) {
    const auto *Unary = dyn_cast<UnaryOperator>(S);
    const auto *Binary = dyn_cast<BinaryOperator>(S);
    const bool Changes = Unary && (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf);
    const Expr *Target = Changes ? Unary->getSubExpr() : Binary && Binary->isAssignmentOp() ? Binary->getLHS() : nullptr;
    return Target && Evaluator::variable(Target) == Variable;
  });
}

void Walker::ignored() {
  if (!Succeeded || !Function->getReturnType()->isSignedIntegerType())
    return;
  for (auto [Access, How] : Zero)
    if (auto [Begin, Variable] = How; (Refused && !Ignored) || isFixed(Variable))
      say("UW26", Access, Begin, "returns " + Variable->getName().str() + " on a fault, which is 0 as on success");
}

} // namespace hotcocci
