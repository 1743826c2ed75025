/* SPDX-License-Identifier: GPL-2.0 */
// What becomes of faults (UW26), of values that were fetched twice (UW27), and of saved states (UW02).
#include "Walker.h"

#include "Api.h"

#include "llvm/ADT/SetOperations.h"

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
  const Expr *Given = E->getArg(0);
  const Value State = Eval.value(Given, S);
  if (S.Saved.empty()) {
    // What a caller saved comes as a parameter.
    auto Calls = allOf<CallExpr>(Function->getBody());
    auto Save = llvm::find_if(Calls, [](const CallExpr *Call) { return role(Call) == Role::Save; });
    if (State.isConstant() && Save != Calls.end())
      say("UW02", E, *Save, "restores a state that was not saved on this path");
    return;
  }
  const SymbolId Last = S.Saved.back();
  S.Saved.pop_back();
  const CallExpr *Before = Eval.Known[Last].Call;
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
  for (const Fetch &Before : S.Read)
    if (same(Before.Place, S.Reading->first))
      Content.Before = Before.Content;
}

// Notes what copy_from_user() fetches again.
void Walker::copied(const CallExpr *E, State &S) {
  const Value To = Eval.value(E->getArg(0), S), Bytes = Eval.value(E->getArg(2), S);
  for (const Fetch &Before : S.Read) {
    const Value Offset = plus(Before.Place, Eval.value(E->getArg(1), S), -1);
    if (!Offset.isConstant() || !Bytes.isConstant() || Offset.Constant < 0 || Offset.Constant >= Bytes.Constant || Before.Type.isNull())
      continue;
    Symbol Content;
    Content.Kind = SymbolKind::Fetched;
    Content.Call = E;
    Content.Before = Before.Content;
    Eval.bound(Content, Before.Type);
    Eval.store(plus(To, Offset), Before.Type, nullptr, Eval.symbol(std::move(Content)), S);
  }
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

// Notes what a helper tells of its accesses, and whether that is overwritten unread.
void Walker::overwritten(const Stmt *Done, State &S) {
  if (const auto *Read = dyn_cast<ImplicitCastExpr>(Done); Read && Read->getCastKind() == CK_LValueToRValue)
    S.Unread.erase(Evaluator::variable(Read->getSubExpr()));
  const auto *Store = dyn_cast<BinaryOperator>(Done);
  const VarDecl *Target = Store && Store->isAssignmentOp() ? Evaluator::variable(Store->getLHS()) : nullptr;
  if (!Target || !Target->hasLocalStorage())
    return;
  auto Before = S.Unread.find(Target);
  if (Before != S.Unread.end()) {
    if (Store->getOpcode() == BO_Assign)
      say("UW26", Before->second.Access, Before->second.Begin,
          "a fault is lost: " + Target->getName().str() + " is set again before it is tested");
    S.Unread.erase(Before);
  }
  const auto *Call = dyn_cast<CallExpr>(Store->getRHS()->IgnoreParenImpCasts());
  if (Call && Store->getOpcode() == BO_Assign && !S.Windows.empty() && tells(Call))
    S.Unread[Target] = {Call, S.Windows.back().Begin};
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

// A call and what it is given.
std::string Walker::made(const CallExpr *E, State &S) {
  std::string Text = std::to_string(uintptr_t(E));
  for (const Expr *Argument : E->arguments())
    if (Argument->getType()->isScalarType())
      Text += "," + key(Eval.value(Argument, S));
  return Text;
}

void Walker::returned(const State &S) {
  for (SymbolId Id : S.Used) {
    const Symbol &Again = Eval.Known[Id];
    if (S.Limited.count(*Again.Before) && !S.Tested.count(Id) && !Eval.judged(Id))
      say("UW27", Again.Call, Result.Inside.at(Eval.Known[*Again.Before].Call).Begin,
          "fetches again what was tested before, and this value is used without a test");
  }
  const auto &Value = S.Returned;
  if (S.ReturnedBy && !(Value->isConstant() && Value->Constant == 0))
    Told.insert(S.ReturnedBy);
  const bool Truth = Function->getReturnType()->isBooleanType();
  if (S.Far == Reached::Faulted && Value && Value->isConstant() && Value->Constant < 0)
    Result.Fault = S.Fault.Begin;
  if (Value && Value->isConstant() && Value->Constant == Truth) {
    if (S.Far != Reached::Faulted && S.Far != Reached::Refused)
      (S.Far == Reached::Opened ? Good : Shared).insert(S.ReturnedAt);
    else if (S.Far == Reached::Faulted)
      Alone.push_back({S.ReturnedAt, S.Fault, S.Since});
  }
  if (S.Far == Reached::Refused) {
    Refused = true;
    Ignored |= !Value || !Value->isConstant() || (Truth ? Value->Constant != 0 : Value->Constant >= 0);
  } else if (Value && (!Value->isConstant() || Value->Constant == Truth)) {
    // Any other number may count what was done so far.
    if (S.Far == Reached::Opened) {
      Successes.insert(key(*Value));
      Usual.insert(S.Since.begin(), S.Since.end());
    }
    // Who writes "return 0" for both means it; what a helper told of it is handed on.
    const bool HandedOn = llvm::any_of(Value->Terms, [&](const auto &Term) { return Eval.Known[Term.first].Call == S.Fault.Access; });
    if (S.Far == Reached::Faulted && S.ReturnedBy && !HandedOn)
      Faults.insert({{S.Fault.Access, key(*Value)}, {S.Fault.Begin, S.ReturnedBy, S.Since}});
  }
}

void Walker::ignored() {
  const bool Truth = Function->getReturnType()->isBooleanType();
  if (!Truth && !Function->getReturnType()->isSignedIntegerType())
    return;
  // A statement of its own for faults, which returns the same.
  for (const auto &[Return, Fault, Since] : Alone)
    if (!Good.empty() && !Good.count(Return) && !Shared.count(Return) && llvm::set_is_subset(Since, Usual))
      say("UW26", Fault.Access, Fault.Begin, std::string("returns ") + (Truth ? "true" : "0") + " on a fault, as on success");
  const std::string Zero = key(constant(0));
  for (const auto &[Fault, How] : Faults) {
    const auto &[Begin, Variable, Since] = How;
    const bool Nothing = Fault.second == Zero;
    // A call that only a fault leads to may do something about it.
    if (!llvm::set_is_subset(Since, Usual))
      continue;
    if (Successes.count(Fault.second) && ((Refused && !Ignored) || (Nothing && !Told.count(Variable))))
      say("UW26", Fault.first, Begin,
          "returns " + Variable->getName().str() + " on a fault, which is " +
              (Truth ? "true" : Nothing ? "0" : "the same") + " as on success");
  }
}

} // namespace hotcocci
