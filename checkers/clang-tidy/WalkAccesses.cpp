/* SPDX-License-Identifier: GPL-2.0 */
#include "Walker.h"

#include "Api.h"

using namespace clang;

namespace hotcocci {

// The guard page above user space: a masked access may start in it.
static constexpr int64_t GuardPage = 4096;

static std::string count(int64_t Bytes) {
  return std::to_string(Bytes) + (Bytes == 1 ? " byte" : " bytes");
}

bool Walker::related(const Value &A, const Value &B) {
  Value Distance = plus(A, B, -1);
  if (Distance.isConstant())
    return true;
  for (auto [Id, F] : A.Terms)
    if (B.Terms.count(Id))
      return true;
  return false;
}

void Walker::access(const CallExpr *E, State &S) {
  // A begin may have been missed or not tested yet: no window, no report.
  if (S.Windows.empty())
    return;
  Window &W = S.Windows.back();
  Value At = Eval.value(E->getArg(0), S);
  Value Size = Eval.value(E->getArg(1), S);
  if (related(At, W.Base)) {
    place(E, W, At, Size, S);
    W.Used = true;
    return;
  }
  stray(E, W, At, S);
}

// Memory operands of the function's own asm statements count as accesses if they are based on the
// window's pointer.
void Walker::assembler(const GCCAsmStmt *Asm, State &S) {
  auto Operand = [&](const Expr *E, llvm::StringRef Constraint) {
    if (S.Windows.empty() || !Constraint.contains('m') || !E->isLValue() ||
        E->getType()->isIncompleteType())
      return;
    Window &W = S.Windows.back();
    Value At = Eval.place(E, S);
    if (!related(At, W.Base))
      return;
    place(Asm, W, At, constant(Context.getTypeSizeInChars(E->getType()).getQuantity()), S);
    W.Used = true;
  };
  for (unsigned I = 0; I < Asm->getNumInputs(); ++I)
    Operand(Asm->getInputExpr(I), Asm->getInputConstraint(I));
  for (unsigned I = 0; I < Asm->getNumOutputs(); ++I) {
    Operand(Asm->getOutputExpr(I), Asm->getOutputConstraint(I));
    Eval.forget(Asm->getOutputExpr(I), S);
  }
}

void Walker::place(const Stmt *E, Window &W, const Value &At, const Value &Size, State &S) {
  Value Offset = plus(At, W.Base, -1);
  if (W.Masked) {
    bool Far = Offset.isConstant() && Offset.Constant >= W.Reach + GuardPage;
    if (Offset.isConstant() && Offset.Constant < 0) {
      say("UW15", E, W.Begin, "begins " + count(-Offset.Constant) + " before the masked pointer");
    } else if (Far && W.Reach >= 0) {
      say("UW15", E, W.Begin,
          "begins " + count(Offset.Constant) +
              " after the masked pointer, past the guard page that the first access must hit");
    }
    if (Offset.isConstant() && Size.isConstant()) {
      if (W.Reach >= 0)
        W.Reach = std::max(W.Reach, Offset.Constant + Size.Constant);
    } else {
      W.Reach = -1;
    }
    return;
  }
  if (!W.Size)
    return;
  bool Checked = false;
  for (auto [Id, F] : At.Terms)
    Checked |= S.Checked.count(Id) > 0;
  Pending P{E, W.Begin, Offset, plus(plus(*W.Size, Offset, -1), Size, -1), Checked};
  S.Accesses.push_back(P);
  settle(S);
}

// The least that a sum can be if what rounding leaves out decides it.
Value Walker::rounded(const Value &V, const State &S) {
  if (V.Terms.size() == 1 && V.Terms.begin()->second > 0) {
    auto [Id, F] = *V.Terms.begin();
    // A loop that went on because of what its bound was rounded up by.
    for (SymbolId Rest = 0; Rest < Eval.Known.size(); ++Rest) {
      const Symbol &Left = Eval.Known[Rest];
      if (!Left.Remainder || Eval.tested(Left))
        continue;
      int64_t Added = Left.Operand.Constant;
      bool Up = (Added & *Left.High) == *Left.High;
      if (!Up || plus(Left.Operand, constant(Added), -1).symbol() != Id)
        continue;
      Value Down;
      Down.Terms = {{Id, 1}, {Rest, -1}};
      auto Edge = S.Known.least(Eval.Known, Down);
      Value Number;
      Number.Terms[Id] = 1;
      auto Own = S.Known.least(Eval.Known, Number);
      if (Edge && *Edge > -*Left.High)
        return constant(V.Constant + F * std::max({*Edge, Own.value_or(0), int64_t(0)}));
    }
  }
  return cut(V, S);
}

// The least that a sum can be for any remainder in it.
Value Walker::cut(const Value &V, const State &S) {
  Value Least = V;
  for (auto [Id, F] : V.Terms) {
    if (!Eval.Known[Id].Remainder || Eval.tested(Eval.Known[Id]))
      continue;
    Value One;
    One.Terms[Id] = 1;
    auto Edge = F > 0 ? S.Known.least(Eval.Known, One) : S.Known.most(Eval.Known, One);
    if (Edge)
      Least = plus(plus(Least, One, -F), constant(*Edge * F));
  }
  return Least;
}

// The least that a sum can be if one number decides it that only a constant limits; nothing if that is
// not so.
std::optional<int64_t> Walker::limited(const Value &V, const State &S) {
  if (V.Terms.size() != 1)
    return std::nullopt;
  auto [Id, F] = *V.Terms.begin();
  const Symbol &Number = Eval.Known[Id];
  // Of a quotient, what was divided.
  SymbolId Decisive = Number.Divisor && Number.Operand.Terms.size() == 1
                          ? Number.Operand.Terms.begin()->first
                          : Id;
  if (F > 0 || Eval.judged(Decisive) || (!Number.Limited && !S.Capped.count(Decisive)))
    return std::nullopt;
  Value One;
  One.Terms[Id] = 1;
  auto Most = S.Known.most(Eval.Known, One);
  if (Number.Limited || Number.Divisor)
    if (auto Whole = S.Known.most(Eval.Known, Number.Operand); Whole && Most)
      Most = std::min(*Most, Number.Limited ? *Whole : *Whole / Number.Divisor);
  if (!Most || *Most > INT32_MAX / -F)
    return std::nullopt;
  return V.Constant + *Most * F;
}

// The unsigned parameter that a sum is a negative multiple of, which no test limits: unless it is 0,
// the sum is below 0.
const VarDecl *Walker::unless(const Value &V, const State &S) {
  if (V.Terms.size() != 1 || V.Constant || V.Terms.begin()->second > 0)
    return nullptr;
  auto [Id, F] = *V.Terms.begin();
  const Symbol &Number = Eval.Known[Id];
  Value One;
  One.Terms[Id] = 1;
  const bool Zero = S.Known.most(Eval.Known, One) == 0;
  return Number.Kind == SymbolKind::Entry && Number.Low == 0 && !Zero ? Number.Variable : nullptr;
}

// Reports the accesses that are now known to be out of range.
void Walker::settle(State &S) {
  for (auto P = S.Accesses.begin(); P != S.Accesses.end();) {
    auto Offset = S.Known.most(Eval.Known, P->Offset);
    auto Start = P->Checked ? Offset : S.Known.most(Eval.Known, cut(P->Offset, S));
    // What is known of quotients is known of their multiples.
    auto [Whole, Factor] = Eval.whole(P->Left);
    auto Bytes = [Factor = Factor](std::optional<int64_t> Most) {
      if (Most && *Most < 0)
        Most = -((-*Most + Factor - 1) / Factor);
      return Most;
    };
    auto Left = Bytes(S.Known.most(Eval.Known, Whole));
    auto Worst = Bytes(S.Known.most(Eval.Known, rounded(Whole, S)));
    auto Limit = limited(P->Left, S);
    if (Offset && *Offset < 0)
      say("UW05", P->Access, P->Begin, "begins " + count(-*Offset) + " before the range that was checked");
    else if (Start && *Start < 0)
      say("UW05", P->Access, P->Begin,
          "was rounded after the range was checked, and may begin " + count(-*Start) + " before it");
    else if (Left && *Left < 0)
      say("UW05", P->Access, P->Begin, "reaches " + count(-*Left) + " past the range that was checked");
    else if (Worst && *Worst < 0)
      say("UW05", P->Access, P->Begin,
          "was rounded after the range was checked, and may reach " + count(-*Worst) + " past it");
    else if (Limit && *Limit < 0)
      say("UW05", P->Access, P->Begin,
          "may reach " + count(-*Limit) + " past the range that was checked");
    else if (const VarDecl *Before = P->Checked ? nullptr : unless(P->Offset, S))
      say("UW05", P->Access, P->Begin,
          "begins before the range that was checked, unless " + Before->getName().str() + " is 0");
    else if (const VarDecl *Past = unless(P->Left, S))
      say("UW05", P->Access, P->Begin,
          "reaches past the range that was checked, unless " + Past->getName().str() + " is 0");
    bool Settled = (Start && *Start < 0) || (Worst && *Worst < 0) || (Limit && *Limit < 0) ||
                   (P->Offset.isConstant() && P->Left.isConstant());
    P = Settled ? S.Accesses.erase(P) : P + 1;
  }
}

void Walker::stray(const CallExpr *E, Window &W, const Value &At, State &S) {
  if (W.Masked) {
    bool SamePlace = plus(At, W.Origin, -1).isConstant();
    if (SamePlace || (W.Outer && At.Through.count(W.Outer))) {
      W.Used = true;
      // If the masked pointer was dropped, the begin has no effect: UW01.
      bool Kept = false;
      for (const Cell &C : S.Memory)
        Kept |= C.Content.Terms.count(*W.Base.symbol()) > 0;
      if (W.Scope)
        say("UW14", E, W.Begin,
            "uses a pointer from before the scope, which is not masked");
      else if (Kept)
        say("UW14", E, W.Begin, "bypasses the masked pointer and uses the original one");
      return;
    }
    if (related(At, W.Origin)) {
      W.Used = true;
      return;
    }
  }
  std::set<SymbolId> Ours = Eval.Known.pointers(At);
  if (Ours.size() == 1 && Eval.Known[*Ours.begin()].Kind == SymbolKind::Fetched &&
      !S.Checked.count(*Ours.begin())) {
    W.Strayed = true;
    say("UW05", E, W.Begin, "uses an unchecked pointer that was read from user memory");
    return;
  }
  std::set<SymbolId> Theirs = Eval.Known.pointers(W.Masked ? W.Origin : W.Base);
  if (Ours.size() != 1 || Theirs.size() != 1 || S.Checked.count(*Ours.begin())) {
    W.Strayed = true;
    return;
  }
  const Symbol &Our = Eval.Known[*Ours.begin()];
  const Symbol &Their = Eval.Known[*Theirs.begin()];
  auto Named = [](const Symbol &S) {
    return S.Kind == SymbolKind::Entry || (S.Kind == SymbolKind::Load && S.Member);
  };
  if (!Named(Our) || !Named(Their) || (Our.Member && Our.Member == Their.Member)) {
    W.Strayed = true;
    return;
  }
  // A pointer in a kernel structure may have been checked when it was stored, and a scope may rely
  // on that.
  bool Certain = Our.Kind == SymbolKind::Entry ? !checkedByCallers()
                                               : Their.Kind == SymbolKind::Load && !W.Scope;
  if (Certain) {
    say("UW05", E, W.Begin, "uses another pointer than the one whose range was checked");
    return;
  }
  if (Our.Kind == SymbolKind::Entry)
    W.Strayed = true;
  S.Foreigners.push_back({E, W.Begin});
}

// Whether a caller of this static function calls access_ok() itself.
bool Walker::checkedByCallers() const {
  if (Function->isExternallyVisible())
    return false;
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *Caller = dyn_cast<FunctionDecl>(D);
    if (!Caller || !Caller->doesThisDeclarationHaveABody() || Caller == Function)
      continue;
    bool Calls = false, Checks = false;
    for (const CallExpr *Call : allOf<CallExpr>(Caller->getBody())) {
      Calls |= Call->getDirectCallee() &&
               Call->getDirectCallee()->getCanonicalDecl() == Function->getCanonicalDecl();
      Checks |= role(Call) == Role::AccessOk;
    }
    if (Calls && Checks)
      return true;
  }
  return false;
}

} // namespace hotcocci
