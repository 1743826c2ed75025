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

bool Walker::related(const Value &A, const Value &B) const {
  Value Distance = plus(A, B, -1);
  if (Distance.isConstant())
    return true;
  // Two objects may be indexed by one number.
  const bool Pointers = !Eval.Known.pointers(A).empty() && !Eval.Known.pointers(B).empty();
  for (auto [Id, F] : A.Terms)
    if (B.Terms.count(Id) && (!Pointers || Eval.Known[Id].Pointer))
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
  // The next window masks the same pointer again.
  const Value Where = W.Masked && related(At, W.Base) ? plus(plus(At, W.Base, -1), W.Origin) : At;
  if (role(E) != Role::Get)
    // A store nearby leaves what was read elsewhere as it was.
    llvm::erase_if(S.Read, [&](const Fetch &Before) {
      const Value Apart = plus(Before.Place, Where, -1);
      const int64_t Bytes = Before.Type.isNull() ? 0 : Context.getTypeSizeInChars(Before.Type).getQuantity();
      return !Apart.isConstant() || !Size.isConstant() || !Bytes || (Apart.Constant < Size.Constant && -Apart.Constant < Bytes);
    });
  else
    S.Reading = {Where, E};
  if (related(At, W.Base)) {
    place(E, W, At, Size, S);
    W.Used = true;
    return;
  }
  stray(E, W, At, S);
}

// Memory operands of the function's own asm statements count as accesses if they are based on the
// window's pointer. Without a label or an exception table entry, nothing handles their faults; a prefetch has none.
void Walker::assembler(const GCCAsmStmt *Asm, State &S) {
  const llvm::StringRef Text = Asm->getAsmString()->getString();
  const bool Plain = !Asm->isAsmGoto() && !Text.trim().empty() && !Text.contains("__ex_table") && !Text.contains("prefetch");
  // Some open it themselves: ASM_STAC of arch/x86/include/asm/smap.h, whose bytes are those of the second.
  if (Text.contains("stac") || Text.contains("0x0f,0x01,0xcb"))
    S.Closed.clear();
  auto Operand = [&](const Expr *E, llvm::StringRef Constraint) {
    if (S.Windows.empty() && Constraint.contains('m') && E->isLValue() && Text.contains("__ex_table"))
      for (const Window &W : S.Closed)
        if (related(Eval.place(E, S), W.Base))
          say("UW21", From ? static_cast<const Stmt *>(From) : Asm, W.Begin, "accesses user memory after its window was closed");
    if (S.Windows.empty() || !Constraint.contains('m') || !E->isLValue() ||
        E->getType()->isIncompleteType())
      return;
    Window &W = S.Windows.back();
    Value At = Eval.place(E, S);
    if (Plain)
      plain(Asm, At, "accesses", S);
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

// Whether no test excludes that a number is past the guard page, if those that it was compared with are
// larger still.
bool Walker::mayBeFar(SymbolId Id, const State &S) const {
  bool Clear = !Eval.given(Id);
  return S.Known.allow([&](const Value &Of) -> std::optional<int64_t> {
    int64_t Sum = Of.Constant;
    for (auto [Number, F] : Of.Terms) {
      if (Eval.Known[Number].Kind != SymbolKind::Entry || Eval.given(Number)) {
        Clear &= Of.Terms.count(Id) == 0;
        return std::nullopt;
      }
      Sum += F * (Number == Id ? 2 : 4) * GuardPage;
    }
    return Sum;
  }) && Clear;
}

void Walker::place(const Stmt *E, Window &W, const Value &At, const Value &Size, State &S) {
  Value Offset = plus(At, W.Base, -1);
  if (auto Number = negative(Size, S))
    say("UW05", E, W.Begin, "copies as many bytes as " + *Number + ", which may be negative");
  if (W.Masked) {
    bool Far = Offset.isConstant() && Offset.Constant >= W.Reach + GuardPage;
    if (Offset.isConstant() && Offset.Constant < 0) {
      say("UW15", E, W.Begin, "begins " + count(-Offset.Constant) + " before the masked pointer");
    } else if (Far && W.Reach >= 0) {
      say("UW15", E, W.Begin,
          "begins " + count(Offset.Constant) +
              " after the masked pointer, past the guard page that the first access must hit");
    }
    // A caller of a static function may limit it.
    if (W.Reach == 0 && isCalledByAny())
      if (auto Distance = unless(times(Offset, -1), S, false);
          Distance && mayBeFar(Offset.Terms.begin()->first, S))
        say("UW15", E, W.Begin,
            "begins " + Distance->first->getName().str() + " after the masked pointer, which nothing limits");
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
  if (W.Counts) {
    say("UW05", E, W.Begin, "may reach past the range that was checked: its size is " + W.Counts->getName().str() + ", which counts elements, not bytes");
    return;
  }
  bool Checked = false;
  for (auto [Id, F] : At.Terms)
    Checked |= S.Checked.count(Id) > 0;
  if (W.Measured && !Checked && plus(At, *W.Measured, -1).isConstant()) {
    say("UW05", E, W.Begin, "is in an object whose size was checked at another address");
    return;
  }
  for (auto [Id, F] : W.Base.Terms) {
    const Symbol &Number = Eval.Known[Id];
    const bool Named = Number.Kind == SymbolKind::Entry || (Number.Kind == SymbolKind::Load && Number.Member);
    if (F < 0 && Named && !Checked && !At.Terms.count(Id) && !dependsOn(*W.Size, Id) && unlimited(Id, S))
      say("UW05", E, W.Begin,
          "may reach past the range that was checked, which begins before the pointer: the size leaves out by how much");
  }
  Pending P{E, W.Begin, Offset, plus(plus(*W.Size, Offset, -1), Size, -1), Checked, !Size.isConstant()};
  if (const VarDecl *Most = upTo(P.Left, S))
    say("UW05", E, W.Begin,
        "is past the range that was checked if " + Most->getName().str() + " is less than the most that it can be");
  // A test of the size in the window that an access would need more of, by less than its own bytes.
  auto Tested = W.Size->symbol();
  auto Least = S.Known.least(Eval.Known, P.Left);
  if (Tested && S.Floored.count(*Tested) && !Eval.judged(*Tested) && !Eval.tested(*W.Size) && Least &&
      *Least < 0 && Size.isConstant() && *Least >= -Size.Constant)
    say("UW05", E, W.Begin, "may reach " + count(-*Least) + " past the range that was checked: its size is tested for less");
  else if (auto Most = Checked ? std::nullopt : startOnly(P.Left, Size, S))
    say("UW05", E, W.Begin, "may reach " + count(*Most) + " past the range that was checked: only where it begins is tested");
  if (!Checked && (wrapped(Offset, S) || wrapped(Size, S)))
    say("UW05", E, W.Begin, "may be anywhere: the sum that was tested may have wrapped in 32 bits");
  driven(P, Size, *W.Size, S);
  if (auto Past = Size.isConstant() ? remaining(P, S) : std::nullopt)
    say("UW05", E, W.Begin, "may reach " + count(-*Past) + " past the range that was checked: the loop before it may leave nothing");
  if (S.Edge && !Checked) {
    Facts Known = S.Known;
    auto Last = Known.most(Eval.Known, plus(P.Left, *S.Edge));
    if (Last && *Last < 0 && S.Known.most(Eval.Known, P.Left).value_or(0) >= 0 && Known.add(Eval.Known, *S.Edge, Relation::Zero))
      say("UW05", E, W.Begin, "reaches past the range that was checked in the last round of the loop, which takes the end of it, too");
  }
  S.Places[E] = Offset;
  for (const VarDecl *Index : S.Control)
    if (Index && Index->hasLocalStorage() && Index->getType()->isIntegerType())
      S.Turns[{E, Index}] = Eval.content(Index, S);
  // Of a loop that moves up, the first and the last access are those that may be out of range.
  auto Alike = [&](const Pending &Of) {
    return Of.Access == P.Access && Of.Begin == P.Begin && Of.Offset.Terms == P.Offset.Terms && Of.Left.Terms == P.Left.Terms;
  };
  auto First = llvm::find_if(S.Accesses, Alike);
  auto Last = First == S.Accesses.end() ? First : std::find_if(std::next(First), S.Accesses.end(), Alike);
  if (Last != S.Accesses.end() && P.Offset.Constant > Last->Offset.Constant && P.Left.Constant < Last->Left.Constant)
    S.Accesses.erase(Last);
  S.Accesses.push_back(P);
  settle(S);
}

// Whether a number of a sum was only limited by a test of a sum that may have wrapped.
bool Walker::wrapped(const Value &V, const State &S) const {
  return llvm::any_of(V.Terms, [&](const auto &Term) {
    const SymbolId Id = Term.first;
    Value One;
    One.Terms[Id] = 1;
    auto Sum = S.Summed.find(Id);
    return Sum != S.Summed.end() && isGiven(Id) && !Eval.given(Id) && !Eval.unwrapped(Id) &&
           S.Known.alone(Eval.Known, Id).value_or(INT64_MAX) >= UINT32_MAX &&
           (!Sum->second || S.Known.most(Eval.Known, One).value_or(INT64_MAX) >= UINT32_MAX);
  });
}

// How far an access may reach past its range if a test of its start alone, not of its bytes, keeps it within that.
std::optional<int64_t> Walker::startOnly(const Value &Left, const Value &Size, const State &S) const {
  auto Least = S.Known.least(Eval.Known, Left);
  if (Left.Terms.size() != 2 || !Size.isConstant() || !Least || *Least >= 0 || *Least <= -Size.Constant || Eval.tested(Left))
    return std::nullopt;
  // Between two pointers to elements is a whole number of them.
  if (llvm::all_of(Left.Terms, [&](const auto &Term) {
        const Symbol &End = Eval.Known[Term.first];
        const QualType Of = End.Variable && End.Kind == SymbolKind::Entry ? End.Variable->getType()->getPointeeType() : QualType();
        return !Of.isNull() && !Of->isVoidType() && !Of->isIncompleteType() && Context.getTypeSizeInChars(Of).getQuantity() >= Size.Constant;
      }))
    return std::nullopt;
  for (const auto &Term : Left.Terms) {
    const SymbolId Id = Term.first;
    const bool Aligned = llvm::any_of(S.Tested, [&](SymbolId Bits) { return Eval.Known[Bits].Limited && dependsOn(Eval.Known[Bits].Operand, Id); });
    if (std::abs(Term.second) != 1 || Eval.Known[Id].Operand.Terms.size() || Aligned || Eval.given(Id) ||
        (Term.second < 0 && (!isGiven(Id) || !S.Limited.count(Id))))
      return std::nullopt;
  }
  return -*Least;
}

bool Walker::dependsOn(const Value &V, SymbolId Id) const {
  return llvm::any_of(V.Terms, [&](const auto &Term) {
    return Term.first == Id || dependsOn(Eval.Known[Term.first].Operand, Id);
  });
}

// Whether SYSCALL_DEFINE() or COMPAT_SYSCALL_DEFINE() has made the outermost function: user space gives its parameters.
bool Walker::isSystemCall() const {
  const llvm::StringRef Name = Outermost->getIdentifier() ? Outermost->getName() : "";
  return Name.starts_with("__do_sys_") || Name.starts_with("__do_compat_sys_");
}

// Whether a number comes from user memory, or from callers: those of a static function may limit it.
bool Walker::isGiven(SymbolId Id) const {
  const SymbolKind Kind = Eval.Known[Id].Kind;
  return Kind == SymbolKind::Fetched || (Kind == SymbolKind::Entry && isCalledByAny());
}

// The sum of what a size is computed from, at the least: no less than a product has for each of its counts.
int64_t Walker::each(const Value &Size, const State &S) const {
  int64_t Sum = Size.Constant;
  for (auto [Id, F] : Size.Terms) {
    Value One;
    One.Terms[Id] = 1;
    const Value &Parts = Eval.Known[Id].Operand;
    Sum += F * (Parts.isConstant() ? S.Known.least(Eval.Known, One).value_or(0) : each(Parts, S));
  }
  return Sum;
}

// Whether no test excludes that a number is large and all others small, if callers, user memory or this
// function's own limit decide how large it is.
bool Walker::mayBeMore(SymbolId Id, const State &S) const {
  auto Edge = [&](SymbolId Number) {
    Value One;
    One.Terms[Number] = 1;
    return Number == Id ? S.Known.most(Eval.Known, One).value_or(INT32_MAX) : S.Known.least(Eval.Known, One).value_or(0);
  };
  return !Eval.given(Id) && ((isGiven(Id) && unlimited(Id, S)) || S.Capped.count(Id)) &&
         S.Known.allow([&](const Value &Of) {
           int64_t Sum = Of.Constant;
           for (auto [Number, F] : Of.Terms)
             Sum += F * Edge(Number);
           return Of.Terms.count(Id) ? std::optional(Sum) : std::nullopt;
         });
}

// Whether a statement runs its body more than once: neither do {} while (0) nor a scope does.
static bool isRepeated(ASTContext &Context, const Stmt *Loop) {
  Expr::EvalResult Again;
  if (const auto *Do = dyn_cast<DoStmt>(Loop))
    return !Do->getCond()->EvaluateAsInt(Again, Context) || Again.Val.getInt() != 0;
  return isa<ForStmt, WhileStmt>(Loop) && !scopeVariable(Loop);
}

// Whether each round of the loop around an access changes a variable, if nothing skips a part of it or leaves it.
static bool everyRound(ASTContext &Context, const Stmt *Access, const VarDecl *Index) {
  const Stmt *Loop = Access;
  while (Loop && !isRepeated(Context, Loop))
    Loop = parent(Context, Loop);
  if (!Loop || !allOf<ContinueStmt>(Loop).empty() || !allOf<BreakStmt>(Loop).empty() || !allOf<LabelStmt>(Loop).empty())
    return false;
  auto Changes = [&](const Stmt *Done) {
    const auto *Unary = dyn_cast_or_null<UnaryOperator>(Done);
    const auto *Binary = dyn_cast_or_null<CompoundAssignOperator>(Done);
    return (Unary && Unary->isIncrementDecrementOp() && Evaluator::variable(Unary->getSubExpr()) == Index) ||
           (Binary && Evaluator::variable(Binary->getLHS()) == Index);
  };
  const auto *For = dyn_cast<ForStmt>(Loop);
  if (For && For->getInc() && llvm::any_of(allOf<Expr>(For->getInc()), Changes))
    return true;
  const Stmt *Body = For ? For->getBody() : isa<WhileStmt>(Loop) ? cast<WhileStmt>(Loop)->getBody() : cast<DoStmt>(Loop)->getBody();
  return isa<CompoundStmt>(Body) && llvm::any_of(Body->children(), Changes);
}

// An access that goes as far as a number which the size of the window does not have, or of which it has
// the low bits only.
void Walker::driven(const Pending &P, const Value &Size, const Value &Checked, State &S) {
  for (auto [Id, F] : Checked.Terms) {
    const Symbol &Low = Eval.Known[Id];
    if (!Low.Cut && (!Low.Limited || Eval.tested(Low.Operand)))
      continue;
    auto Most = S.Known.most(Eval.Known, Low.Operand), Least = S.Known.least(Eval.Known, Low.Operand);
    const bool Whole = plus(plus(P.Left, Checked, -1), Low.Operand, F).isConstant();
    const bool Loops = moves(P, S) && llvm::any_of(S.Driving, [&](SymbolId Number) {
      return Low.Operand.Terms.count(Number) && !Eval.judged(Number);
    });
    if ((!Most || *Most > *Low.High || !Least || *Least < *Low.Low) && (Whole || Loops))
      say("UW05", P.Access, P.Begin, "is past the range that was checked if its size was truncated");
  }
  if (Checked.Wraps && Checked.Terms.size() == 1) {
    const SymbolId Number = Checked.Terms.begin()->first;
    const Symbol &Only = Eval.Known[Number];
    auto Most = S.Known.most(Eval.Known, Checked), Least = S.Known.least(Eval.Known, Checked);
    // 8 << n has room in 32 bits if n is at most 28.
    const bool Shifted = Only.Shifted && Only.Operand.symbol();
    const SymbolId Source = Shifted ? *Only.Operand.symbol() : Number;
    const int64_t Room = 31 - int64_t(llvm::Log2_64(std::max(Checked.Terms.begin()->second, int64_t(1))));
    const bool Large = Shifted ? S.Known.most(Eval.Known, Only.Operand).value_or(32) > Room && !Eval.judged(Source)
                               : Most && *Most > UINT32_MAX;
    const bool Counts = moves(P, S) && S.Driving.count(Number);
    if (isGiven(Source) && Least && *Least >= 0 && Large && !Eval.judged(Number) &&
        (Counts || (P.Left.isConstant() && !Size.Wraps && !P.Offset.Wraps)))
      say("UW05", P.Access, P.Begin, "is past the range that was checked if its size was truncated");
    else if (S.Windows.back().Failed && !Eval.judged(Number) && Counts)
      say("UW05", P.Access, P.Begin, "is past the range that was checked if its count is an error number");
  }
  // A step of the loop that is not in a size made of the loop's count.
  if (auto Before = S.Places.find(P.Access); Before != S.Places.end()) {
    const Value Step = plus(P.Offset, Before->second, -1);
    const SymbolId Pitch = Step.Terms.size() == 1 ? Step.Terms.begin()->first : ~0u;
    if (Pitch != ~0u && mayBeMore(Pitch, S) && S.Known.most(Eval.Known, Step).value_or(INT64_MAX) > each(Checked, S) &&
        !dependsOn(Checked, Pitch) && llvm::any_of(S.Driving, [&](SymbolId Count) { return dependsOn(Checked, Count); }))
      say("UW05", P.Access, P.Begin, "may reach past the range that was checked, whose size leaves out the step of the loop");
  }
  // Where the loop goes by more than the number that it goes to is known to be a multiple of.
  auto Least = S.Known.least(Eval.Known, P.Left);
  const SymbolId Alone = P.Left.Terms.size() == 1 ? P.Left.Terms.begin()->first : ~0u;
  // The loop may go to another quotient of the same sum.
  auto [Whole, Factor] = Eval.whole(P.Left);
  const bool Same = llvm::any_of(S.Driving, [&, Whole = Whole](SymbolId Number) {
    Value One;
    One.Terms[Number] = 1;
    return Number == Alone || (Alone != ~0u && Eval.Known[Number].Divisor && plus(Whole, Eval.whole(One).first, -1).isConstant());
  });
  if (Same && !S.Driving.count(Alone))
    if (auto Sum = S.Known.least(Eval.Known, Whole))
      Least = *Sum / Factor;
  if (isCalledByAny() && Least && *Least < 0 && *Least > -moves(P, S) && Same && !Eval.multiple(Whole, moves(P, S) * Factor) &&
      !Eval.judged(Alone) && !Eval.tested(P.Left))
    say("UW05", P.Access, P.Begin,
        "may reach " + count(-*Least) + " past the range that was checked: its size need not be a multiple of the element");
  // Where a test has found that the loop may go to more than the range is for.
  const int64_t Per = Checked.Terms.size() == 1 ? std::max(Checked.Terms.begin()->second, int64_t(1)) : 1;
  const bool Steps = llvm::any_of(P.Offset.Through, [&](const VarDecl *Index) { return S.Control.count(Index) > 0; }) ||
                     (llvm::any_of(P.Offset.Through, [&](const VarDecl *Moved) { return everyRound(Context, P.Access, Moved); }) &&
                      llvm::any_of(S.Control, [&](const VarDecl *Index) {
                        return turns(P, Index, S) * Per == moves(P, S) && everyRound(Context, P.Access, Index);
                      }));
  if (!Checked.isConstant() && Steps)
    for (SymbolId Number : S.Driving) {
      const auto [Only, Each] = *Checked.Terms.begin();
      Value Apart, One;
      One.Terms[Number] = 1;
      Apart.Terms = {{Number, 1}, {Only, -1}};
      if (Checked.Terms.size() > 1 || Each < 0)
        Apart = plus(One, Checked, -1);
      const auto Fewer = S.Known.least(Eval.Known, Apart), Alike = S.Known.most(Eval.Known, Apart);
      if (!Checked.Terms.count(Number) && Least.value_or(-1) < 0 && Fewer && *Fewer >= 0 && Alike != 0 && moves(P, S))
        say("UW05", P.Access, P.Begin, "may reach past the range that was checked: the loop goes to a number that may be greater");
    }
  for (auto [Number, F] : P.Left.Terms)
    if (auto Before = Eval.Known[Number].Before; Before && F < 0 && dependsOn(Checked, *Before) && unlimited(Number, S))
      say("UW05", P.Access, P.Begin, "may reach past the range that was checked: what its size was computed from is read again");
  for (SymbolId Number : S.Driving)
    if (auto Before = Eval.Known[Number].Before; Before && dependsOn(Checked, *Before) && moves(P, S))
      say("UW05", P.Access, P.Begin, "may reach past the range that was checked: its count is read again in the loop");
    else if (isAny(Number) && unlimited(Number, S) && moves(P, S) && Least.value_or(-1) < 0 && !Checked.isConstant() &&
             !dependsOn(Checked, Number) && !dependsOn(P.Offset, Number))
      say("UW05", P.Access, P.Begin,
          "may reach past the range that was checked: its count is " + origin(Number) + ", and the size is computed from another");
}

// The least that is left of the range after an access, if that is below 0 for some of the numbers that a loop of more
// than one at once may have left, but not for all, and nothing tests which it is.
std::optional<int64_t> Walker::remaining(const Pending &P, const State &S) {
  auto [Whole, Factor] = Eval.whole(P.Left);
  auto Least = S.Known.least(Eval.Known, Whole), Most = S.Known.most(Eval.Known, Whole);
  if (!isCalledByAny() || !Least || *Least >= 0 || !Most || *Most < 0 || Eval.tested(P.Left))
    return std::nullopt;
  for (SymbolId Number : S.Ended) {
    Value One;
    One.Terms[Number] = 1;
    auto Low = S.Known.least(Eval.Known, One), High = S.Known.most(Eval.Known, One);
    const Value &Of = Eval.Known[Number].Operand;
    const bool Depends = llvm::any_of(P.Left.Terms, [&](const auto &Term) {
      return dependsOn(One, Term.first) || dependsOn(Eval.Known[Term.first].Operand, Number) ||
             llvm::any_of(Of.Terms, [&](const auto &Source) { return dependsOn(Eval.Known[Term.first].Operand, Source.first); });
    });
    // All that it may be is a round of the loop, which was gone once.
    if (Depends && Low && High && *Low > 1 && *High > *Low && *High - *Low < 64 && !Eval.judged(Number) && !Eval.tested(One) && !Eval.tested(Of))
      return *Least / Factor;
  }
  return std::nullopt;
}

// How much further an access is in each iteration of a loop; 0 if it is not, or that is not known.
int64_t Walker::moves(const Pending &P, const State &S) const {
  auto Before = S.Places.find(P.Access);
  if (Before == S.Places.end())
    return 0;
  Value Step = plus(P.Offset, Before->second, -1);
  return Step.isConstant() ? std::max(Step.Constant, int64_t(0)) : 0;
}

// By how much a variable was changed since the last time of an access; 0 if that is not known.
int64_t Walker::turns(const Pending &P, const VarDecl *Index, State &S) {
  auto Before = S.Turns.find({P.Access, Index});
  if (Before == S.Turns.end())
    return 0;
  Value Step = plus(Eval.content(Index, S), Before->second, -1);
  return Step.isConstant() ? std::abs(Step.Constant) : 0;
}

// Reports what accesses the memory of a window itself: a fault there has no label to go to.
void Walker::plain(const Stmt *At, const Value &Place, llvm::StringRef How, State &S) {
  if (isOfWindow(Place, S))
    say("UW21", From ? From : At, S.Windows.back().Begin,
        How.str() + " user memory directly: no label handles a fault");
}

// Whether an address is in the memory of the window.
bool Walker::isOfWindow(const Value &Place, const State &S) const {
  if (S.Windows.empty())
    return false;
  const Window &W = S.Windows.back();
  std::set<SymbolId> Theirs = Eval.Known.pointers(W.Base);
  if (W.Masked)
    Theirs.merge(Eval.Known.pointers(W.Origin));
  return llvm::any_of(Eval.Known.pointers(Place), [&](SymbolId Id) { return Theirs.count(Id) > 0; });
}

// The loads and stores of a statement.
void Walker::plain(const Stmt *Done, State &S) {
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Done)) {
    if (Cast->getCastKind() == CK_LValueToRValue)
      plain(Done, Eval.place(Cast->getSubExpr(), S), "reads", S);
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(Done)) {
    if (Binary->isAssignmentOp())
      plain(Done, Eval.place(Binary->getLHS(), S), "writes", S);
  }
}

// Reports the accesses that are now known to be out of range.
void Walker::settle(State &S) {
  for (auto P = S.Accesses.begin(); P != S.Accesses.end();) {
    auto Offset = S.Known.most(Eval.Known, P->Offset);
    auto Start = P->Checked ? Offset : S.Known.most(Eval.Known, cut(P->Offset, S));
    // A mask of a size that is not known leaves out any number.
    const bool Masked = !P->Checked && P->Offset.Constant <= 0 && llvm::any_of(P->Offset.Terms, [&](const auto &Term) {
      const Symbol &Rest = Eval.Known[Term.first];
      const bool Part = llvm::any_of(Rest.Operand.Terms, [&](const auto &Of) { return P->Offset.Terms.count(Of.first); });
      return Term.second < 0 && Rest.Remainder && !Rest.High && !Part && !Eval.tested(Rest.Operand);
    });
    // What is known of quotients is known of their multiples.
    auto [Whole, Factor] = Eval.whole(P->Left);
    auto Bytes = [Factor = Factor](std::optional<int64_t> Most) {
      if (Most && *Most < 0)
        Most = -((-*Most + Factor - 1) / Factor);
      return Most;
    };
    auto Left = Bytes(S.Known.most(Eval.Known, Whole));
    auto Worst = Bytes(S.Known.most(Eval.Known, rounded(Whole, S)));
    // What is known of the sum may not be known of its parts.
    const Value Rest = S.Known.least(Eval.Known, P->Left).value_or(-1) < 0 ? pinned(P->Left, S) : P->Left;
    if (Offset && *Offset < 0)
      say("UW05", P->Access, P->Begin, "begins " + count(-*Offset) + " before the range that was checked");
    else if (Start && *Start < 0)
      say("UW05", P->Access, P->Begin,
          "was rounded after the range was checked, and may begin " + count(-*Start) + " before it");
    else if (Masked)
      say("UW05", P->Access, P->Begin, "was rounded after the range was checked, and may begin before it");
    else if (Left && *Left < 0)
      say("UW05", P->Access, P->Begin, "reaches " + count(-*Left) + " past the range that was checked");
    else if (Worst && *Worst < 0)
      say("UW05", P->Access, P->Begin,
          "was rounded after the range was checked, and may reach " + count(-*Worst) + " past it");
    else if (auto Before = P->Checked ? std::nullopt : unless(P->Offset, S, true))
      say("UW05", P->Access, P->Begin,
          "begins before the range that was checked, unless " + Before->first->getName().str() +
              (Before->second ? " is at most " + std::to_string(Before->second) : " is 0"));
    // With a larger range, callers may limit what is left of it.
    else if (auto Past = unless(Rest, S, P->Sized); Past && !Rest.Constant)
      say("UW05", P->Access, P->Begin,
          "reaches past the range that was checked, unless " + Past->first->getName().str() + " is 0");
    else if (auto Number = P->Checked ? std::nullopt : negative(P->Offset, S))
      say("UW05", P->Access, P->Begin, "may begin before the range that was checked: " + *Number + " may be negative");
    else if (auto Before = P->Checked ? std::nullopt : tried(P->Offset, S))
      say("UW05", P->Access, P->Begin, "may begin " + count(-*Before) + " before the range that was checked");
    else if (auto Past = tried(P->Left, S))
      say("UW05", P->Access, P->Begin, "may reach " + count(-*Past) + " past the range that was checked");
    else if (auto Past = ended(P->Left, S); Past && *Past < 0)
      say("UW05", P->Access, P->Begin, "may reach " + count(-*Past) + " past the range that was checked: the text may be shorter");
    else if (auto Past = unchanged(P->Left, S))
      say("UW05", P->Access, P->Begin,
          "reaches " + count(-*Past) + " past the range that was checked, if no call changes the number that is read again");
    else if (scarce(P->Left, S))
      say("UW05", P->Access, P->Begin,
          "may reach past the range that was checked: nothing tests that the size, " + origin(P->Left.Terms.begin()->first) + ", is large enough");
    else if (auto Any = given(P->Left, S))
      say("UW05", P->Access, P->Begin,
          "may reach past the range that was checked: nothing limits " + origin(*Any));
    bool Settled = (Start && *Start < 0) || Masked || (Worst && *Worst < 0) ||
                   (P->Offset.isConstant() && P->Left.isConstant());
    P = Settled ? S.Accesses.erase(P) : P + 1;
  }
}

// Whether a pointer was checked before the window, and nothing was done as if it were not.
bool Walker::checked(SymbolId Id, const State &S) const {
  auto Asked = S.Asked.find(Id);
  if (Asked == S.Asked.end())
    return S.Checked.count(Id) > 0;
  Value Result;
  Result.Terms[Asked->second] = 1;
  const bool Tested = S.Tested.count(Asked->second) || Eval.judged(Asked->second);
  return S.Known.most(Eval.Known, Result) != 0 && (Tested || S.Known.least(Eval.Known, Result) == 1);
}

// Whether an access is outside of all ranges that were checked for its pointer before the window.
bool Walker::outside(const Value &At, const Value &Size, const State &S) const {
  bool Found = false;
  for (const auto &[Base, Bytes] : S.Ranges) {
    if (!related(At, Base))
      continue;
    if (!Bytes)
      return false;
    const Value Offset = plus(At, Base, -1);
    const Value Past = plus(plus(Offset, Size), *Bytes, -1);
    if (!Offset.isConstant() || !Past.isConstant() || (Offset.Constant >= 0 && Past.Constant <= 0))
      return false;
    Found = true;
  }
  return Found;
}

void Walker::stray(const CallExpr *E, Window &W, const Value &At, State &S) {
  const Value Opened = W.Masked ? W.Origin : W.Base;
  auto HalfOf = [&](const Value &Low, const Value &Whole) {
    return llvm::any_of(Low.Terms, [&](const auto &Term) {
      return Eval.Known[Term.first].Half && related(Eval.Known[Term.first].Operand, Whole);
    });
  };
  if (HalfOf(At, Opened) || HalfOf(Opened, At)) {
    say("UW05", E, W.Begin,
        HalfOf(Opened, At) ? "uses all of an address of which only the low half was checked"
                           : "uses only the low half of the address whose range was checked");
    W.Used = true;
    return;
  }
  if (llvm::any_of(At.Terms, [&](const auto &Term) { return S.Again.count(Term.first) && W.Past.count(S.Again.at(Term.first)); })) {
    say("UW05", E, W.Begin, "reads the pointer again whose range was checked, which a call may have changed");
    W.Used = true;
    return;
  }
  if (W.Masked) {
    bool SamePlace = plus(At, W.Origin, -1).isConstant();
    if (SamePlace || (W.Outer && At.Through.count(W.Outer))) {
      W.Used = true;
      // If the masked pointer was dropped, the begin has no effect: UW01. A helper stores or returns it.
      bool Kept = role(W.Begin) != Role::Masked;
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
  Value Only;
  if (Ours.size() == 1)
    Only.Terms[*Ours.begin()] = 1;
  // No check of NULL, nor of a little after it, tells anything.
  if (Ours.size() == 1 && Eval.Known[*Ours.begin()].Kind == SymbolKind::Fetched &&
      !S.Checked.count(*Ours.begin()) && S.Known.most(Eval.Known, Only) != 0) {
    W.Strayed = true;
    say("UW05", E, W.Begin, "uses an unchecked pointer that was read from user memory");
    return;
  }
  std::set<SymbolId> Theirs = Eval.Known.pointers(W.Masked ? W.Origin : W.Base);
  if (Ours.size() == 1 && outside(At, Eval.value(E->getArg(1), S), S))
    say("UW05", E, W.Begin, "is outside of the range that was checked for its pointer");
  if (Ours.size() != 1 || Theirs.size() != 1 || checked(*Ours.begin(), S)) {
    W.Strayed = true;
    return;
  }
  const Symbol &Our = Eval.Known[*Ours.begin()];
  const Symbol &Their = Eval.Known[*Theirs.begin()];
  auto Named = [](const Symbol &S) {
    return S.Kind == SymbolKind::Entry || (S.Kind == SymbolKind::Load && S.Member);
  };
  if (Our.Before == *Theirs.begin() && Our.Kind == SymbolKind::Load) {
    say("UW05", E, W.Begin, "reads the pointer again whose range was checked, which may be another now");
    W.Used = true;
    return;
  }
  // Of two elements of one array
  const Value Apart = plus(Our.Place, Their.Place, -1);
  const bool Elements = !Our.Place.isConstant() && Apart.isConstant() && Apart.Constant;
  if (!Named(Our) || !Named(Their) || (Our.Member && Our.Member == Their.Member && !Elements)) {
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
  return llvm::any_of(callsOf(Context, Function), [](const auto &Made) {
    auto Calls = allOf<CallExpr>(Made.second->getBody());
    return llvm::any_of(Calls, [](const CallExpr *Call) { return role(Call) == Role::AccessOk; });
  });
}

} // namespace hotcocci
