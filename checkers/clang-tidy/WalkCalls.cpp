/* SPDX-License-Identifier: GPL-2.0 */
#include "Walker.h"

#include "Api.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace hotcocci {

// Limits for following helpers: nesting depth, and times per call of one called in a window.
static constexpr unsigned Depth = 3;
static constexpr unsigned Entries = 4;
// MAX_ERRNO of include/linux/err.h
static constexpr int MaxErrno = 4095;
// Outcomes of a helper that opens windows.
static constexpr unsigned Ways = 8;

void Walker::call(const CallExpr *E, State &S) {
  Role R = role(E);
  switch (R) {
  case Role::Begin:
    return begin(E, S);
  case Role::Masked:
    return masked(E, S);
  case Role::End:
    return end(E, S);
  case Role::Save:
    return save(E, S);
  case Role::Restore:
    return restore(E, S);
  case Role::AccessOk:
    S.Results[E] = Eval.unknown(E->getType());
    // Inside a window, this comes too late: UW22.
    for (auto [Id, F] : Eval.value(E->getArg(0), S).Terms)
      if (S.Checked.insert(Id).second)
        S.Asked[Id] = *S.Results[E].symbol();
    S.Ranges.push_back({Eval.value(E->getArg(0), S), Eval.value(E->getArg(1), S)});
    return;
  case Role::Fetched: {
    const auto *Cast = dyn_cast_or_null<CastExpr>(parent(Context, E));
    Symbol Content;
    Content.Kind = SymbolKind::Fetched;
    if (Cast)
      Eval.bound(Content, Cast->getType());
    fetched(Content, S);
    S.Results[E] = Eval.symbol(std::move(Content));
    if (S.Reading)
      S.Read.push_back({S.Reading->first, *S.Results[E].symbol(), Cast ? Cast->getType() : QualType()});
    S.Reading.reset();
    return;
  }
  case Role::None:
    // Like stac(), it may open what an asm then accesses.
    if (!E->getBuiltinCallee())
      S.Closed.clear();
    if (S.Far != Reached::Nothing && !E->getBuiltinCallee())
      S.Since.insert(made(E, S));
    if (!opens(E) || !opener(E, S))
      helper(E, S);
    return;
  default:
    break;
  }
  S.Results[E] = Eval.unknown(E->getType());
  if (isAccess(R))
    access(E, S);
}

// The size of a begin, if it is a number that the function never changes and takes as an index of the same pointer,
// to more than bytes; or null.
static const VarDecl *counting(const CallExpr *E, const FunctionDecl *Function) {
  const VarDecl *Of = Evaluator::variable(E->getArg(0)), *Number = Evaluator::variable(E->getArg(1));
  if (!Of || !Number || !Number->hasLocalStorage() || !Number->getType()->isIntegerType())
    return nullptr;
  bool Counts = false;
  for (const Expr *Part : allOf<Expr>(Function->getBody())) {
    const auto *Unary = dyn_cast<UnaryOperator>(Part);
    if (Unary && (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf) && Evaluator::variable(Unary->getSubExpr()) == Number)
      return nullptr;
    const auto *Binary = dyn_cast<BinaryOperator>(Part);
    if (Binary && Binary->isAssignmentOp() && Evaluator::variable(Binary->getLHS()) == Number)
      return nullptr;
    const auto *Element = dyn_cast<ArraySubscriptExpr>(Part);
    const bool Added = Binary && Binary->getOpcode() == BO_Add && Binary->getLHS()->getType()->isPointerType();
    const Expr *Base = Added ? Binary->getLHS() : Element ? Element->getBase() : nullptr;
    // A cast may make bytes of it.
    if (!Base || Evaluator::variable(Base) != Of || Evaluator::variable(Added ? Binary->getRHS() : Element->getIdx()) != Number)
      continue;
    const QualType Pointee = Base->getType()->getPointeeType();
    Counts |= !Pointee->isVoidType() && !Pointee->isIncompleteType() && Function->getASTContext().getTypeSizeInChars(Pointee).getQuantity() > 1;
  }
  return Counts ? Number : nullptr;
}

void Walker::begin(const CallExpr *E, State &S) {
  Symbol Opened;
  Opened.Kind = SymbolKind::Begun;
  Opened.Call = E;
  Value V = Eval.symbol(Opened);
  S.Results[E] = V;
  Window W;
  W.Begin = E;
  W.Base = Eval.value(E->getArg(0), S);
  W.Size = Eval.value(E->getArg(1), S);
  for (auto [Id, F] : W.Size->Terms)
    if (const Symbol &Number = Eval.Known[Id]; Number.Elements && F % Number.Divisor) {
      say("UW05", E, E,
          "checks as many bytes as there are elements of " + std::to_string(Number.Divisor) +
              " bytes between two pointers");
      W.Size.reset();
      break;
    }
  // A range in the kernel is never allowed, except under set_fs(), which is gone.
  for (SymbolId Id : Eval.Known.pointers(W.Base))
    if (const Symbol &Object = Eval.Known[Id]; Object.Kind == SymbolKind::Address && Object.Variable)
      say("UW05", E, E, "checks the address of " + Object.Variable->getName().str() + ", which is not in user memory");
  W.Counts = counting(E, Function);
  for (const Cell &C : S.Disturbed)
    if (W.Base.Terms.count(*C.Content.symbol()))
      W.Past.insert(*C.Content.symbol());
  // A size that is only constant because of this path's branches is a special case, such as an
  // empty list, that other conditions may rule out. "if (size != 8) return" makes it the only one.
  auto Most = W.Size ? S.Known.most(Eval.Known, *W.Size) : std::nullopt;
  if (Most && !W.Size->isConstant() && Most == S.Known.least(Eval.Known, *W.Size) &&
      (*Most == 0 || !S.Capped.count(W.Size->Terms.begin()->first)))
    W.Size.reset();
  if (W.Size && W.Size->Wraps && W.Size->Terms.size() == 1 && Eval.Known[W.Size->Terms.begin()->first].Fails)
    W.Failed = E->getArg(1)->IgnoreParenImpCasts()->getType()->isUnsignedIntegerType() &&
               S.Known.least(Eval.Known, *W.Size).value_or(-1) < 0;
  if (const auto *Of = dyn_cast<UnaryExprOrTypeTraitExpr>(E->getArg(1)->IgnoreParenImpCasts());
      Of && Of->getKind() == UETT_SizeOf && !Of->isArgumentType())
    if (const auto *Object = dyn_cast<UnaryOperator>(Of->getArgumentExpr()->IgnoreParens());
        Object && Object->getOpcode() == UO_Deref) {
      Value Measured = Eval.value(Object->getSubExpr(), S);
      const Value Apart = plus(Measured, W.Base, -1);
      if (related(Measured, W.Base) && Apart.Terms.size() == 1 && unlimited(Apart.Terms.begin()->first, S))
        W.Measured = Measured;
    }
  S.Begun[*V.symbol()] = W;
}

// What a function returned, and the windows that it returned with or that its result decides.
static std::string outcome(const State &Left) {
  std::string Text = Left.Returned ? key(*Left.Returned) : "";
  auto Add = [&](const Window &W) {
    Text += " " + key(W.Base) + (W.Size ? "," + key(*W.Size) : "") + "," + key(W.Origin);
  };
  for (const Window &W : Left.Windows)
    Add(W);
  for (const auto &[Id, W] : Left.Begun)
    Add(W);
  return Text;
}

// Follows a function that opens a window for its caller, once for each outcome. False if there are too
// many.
bool Walker::opener(const CallExpr *E, State &S) {
  if (Deep == Depth)
    return false;
  const FunctionDecl *Body = E->getDirectCallee()->getDefinition();
  State Inner = S;
  Inner.Windows.clear();
  Inner.Begun.clear();
  std::vector<State> Left;
  enter(E, Body, Inner, &Left);
  std::map<std::string, std::vector<State *>> Outcomes;
  for (State &Way : Left)
    Outcomes[outcome(Way)].push_back(&Way);
  if (Outcomes.empty() || Outcomes.size() > Ways)
    return false;
  const bool Calls = llvm::any_of(allOf<CallExpr>(Body->getBody()), [](const CallExpr *Call) {
    return role(Call) == Role::None && !(Call->getDirectCallee() && Call->getDirectCallee()->getBuiltinID());
  });
  std::vector<State> After;
  for (auto &[Text, Same] : Outcomes) {
    State Next = S;
    // What it stored and tested is known if there is one way to this outcome.
    if (Same.size() == 1) {
      Next.Memory = Same[0]->Memory;
      Next.Versions = Same[0]->Versions;
      Next.Known = Same[0]->Known;
      Next.Capped = Same[0]->Capped;
    }
    if (Same.size() > 1 || Calls)
      Eval.disturb(Next);
    for (Window &W : Same[0]->Windows) {
      W.Begin = E;
      open(std::move(W), Next);
    }
    for (auto &[Id, W] : Same[0]->Begun) {
      W.Begin = E;
      Next.Begun[Id] = std::move(W);
    }
    Next.Results[E] = Same[0]->Returned.value_or(constant(0));
    After.push_back(std::move(Next));
  }
  S = std::move(After.back());
  After.pop_back();
  Forks = std::move(After);
  return true;
}

void Walker::masked(const CallExpr *E, State &S) {
  Symbol Safe;
  Safe.Kind = SymbolKind::Masked;
  Safe.Pointer = true;
  Window W;
  W.Begin = E;
  W.Masked = true;
  W.Origin = Eval.value(E->getArg(0), S);
  W.Base = Eval.symbol(Safe);
  W.Outer = Evaluator::variable(E->getArg(0));
  S.Results[E] = W.Base;
  open(W, S);
}

void Walker::checked(const Value &Base, const std::optional<Value> &Size, State &S) {
  for (SymbolId Id : Eval.Known.pointers(Base)) {
    S.Checked.insert(Id);
    S.Asked.erase(Id);
  }
  S.Ranges.push_back({Base, Size});
}

void Walker::open(Window W, State &S) {
  for (const Window &Before : S.Windows)
    checked(Before.Base, Before.Size, S);
  S.FaultedScope = nullptr;
  S.Far = Reached::Opened;
  S.Since.clear();
  S.Windows.push_back(std::move(W));
}

void Walker::close(State &S) {
  if (S.Windows.empty())
    return;
  Window W = S.Windows.back();
  S.Windows.pop_back();
  S.Closed.push_back(W);
  S.Accesses.clear();
  // No access used the window's pointer: it was opened on the wrong one.
  if (!W.Used && !W.Strayed)
    for (const Foreign &F : S.Foreigners)
      if (F.Begin == W.Begin)
        say("UW05", F.Access, F.Begin, "uses another pointer than the one whose range was checked");
  checked(W.Masked ? W.Origin : W.Base, W.Size, S);
}

void Walker::end(const CallExpr *E, State &S) {
  if (S.Windows.empty() && S.FaultedScope)
    say("UW16", E, S.FaultedScope, "ends a window that its scope already closed on the fault");
  close(S);
}

void Walker::leave(State &S) {
  while (!S.Windows.empty())
    close(S);
}

// Whether a function returns error numbers, as its body tells.
static bool fails(const FunctionDecl *Callee) {
  const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
  auto Error = [&](const Expr *E) {
    Expr::EvalResult Number;
    return E && E->EvaluateAsInt(Number, Body->getASTContext()) && Number.Val.getInt().isSigned() &&
           Number.Val.getInt() < 0 && Number.Val.getInt() >= -MaxErrno;
  };
  return Body && llvm::any_of(allOf<ReturnStmt>(Body->getBody()), [&](const ReturnStmt *Return) {
    const auto *Choice = Return->getRetValue() ? dyn_cast<ConditionalOperator>(Return->getRetValue()->IgnoreParenImpCasts()) : nullptr;
    return Error(Return->getRetValue()) || (Choice && (Error(Choice->getTrueExpr()) || Error(Choice->getFalseExpr())));
  });
}

// Whether a function may limit a number that it is given: no check of the kernel's object does, nor memcpy(),
// nor what prints it.
static bool mayLimit(const CallExpr *E) {
  const QualType Called = E->getCallee()->getType();
  const auto *Type = Called->isFunctionPointerType() ? Called->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  const FunctionDecl *Callee = E->getDirectCallee();
  const llvm::StringRef Name = Callee && Callee->getIdentifier() ? Callee->getName() : "";
  return !(Type && Type->isVariadic()) && !(Callee && Callee->getBuiltinID()) &&
         !Name.ends_with("check_object_size") && !Name.starts_with("fortify_");
}

// What a function counts the bits of its argument for.
static Counted countedBy(const FunctionDecl *Callee) {
  llvm::StringRef Name = Callee && Callee->getIdentifier() ? Callee->getName() : "";
  for (llvm::StringRef Before : {"__builtin_", "__arch_", "__sw_", "variable"})
    if (Name.consume_front(Before))
      break;
  return llvm::StringSwitch<Counted>(Name)
      .Cases("popcount", "popcountl", "popcountll", "hweight32", "hweight64", "hweight_long", Counted::Set)
      .Cases("ctz", "ctzl", "ctzll", "__ffs", "generic___ffs", "__ffs64", Counted::Below)
      .Default(Counted::Nothing);
}

// Whether a routine that may be called in a window copies as many bytes as its third argument says, after those that
// tools/objtool/check.c allows.
static bool copies(const FunctionDecl *Callee) {
  return llvm::StringSwitch<bool>(Callee && Callee->getIdentifier() ? Callee->getName() : "")
      .Cases("csum_partial_copy_generic", "copy_to_nontemporal", "__copy_user_nocache", true)
      .Cases("copy_mc_fragile", "copy_mc_enhanced_fast_string", "copy_mc_generic", true)
      .Default(false);
}

// The name of a begin in the source.
static llvm::StringRef written(const ASTContext &Context, const CallExpr *Begin) {
  return Lexer::getImmediateMacroName(Begin->getBeginLoc(), Context.getSourceManager(), Context.getLangOpts());
}

// Whether a function, and what it calls, stores nothing but its own variables.
bool Walker::isQuiet(const FunctionDecl *Callee, unsigned Deep) {
  const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
  if (!Body || !Deep)
    return false;
  auto [Known, New] = Result.Quiet.try_emplace(Body, false);
  if (!New)
    return Known->second;
  auto Own = [](const Expr *Target) {
    const VarDecl *Variable = Evaluator::variable(Target);
    return Variable && Variable->hasLocalStorage();
  };
  const bool Quiet = llvm::all_of(below(Body->getBody()), [&](const Stmt *Part) {
    if (const auto *Binary = dyn_cast<BinaryOperator>(Part))
      return !Binary->isAssignmentOp() || Own(Binary->getLHS());
    if (const auto *Unary = dyn_cast<UnaryOperator>(Part))
      return !Unary->isIncrementDecrementOp() || Own(Unary->getSubExpr());
    const auto *Call = dyn_cast<CallExpr>(Part);
    const FunctionDecl *Inner = Call ? Call->getDirectCallee() : nullptr;
    const bool Plain = Inner && Inner->getBuiltinID() &&
                       llvm::none_of(Call->arguments(), [](const Expr *Argument) { return Argument->getType()->isPointerType(); });
    return Call ? role(Call) == Role::None && (Plain || isQuiet(Inner, Deep - 1)) : !isa<AsmStmt, AtomicExpr>(Part);
  });
  return Result.Quiet[Body] = Quiet;
}

// A call to a function outside the API, which is followed if possible.
void Walker::helper(const CallExpr *E, State &S) {
  const FunctionDecl *Callee = E->getDirectCallee();
  unsigned Builtin = Callee ? Callee->getBuiltinID() : 0;
  // The last one only returns its argument, so that it is tested.
  if (Builtin == Builtin::BI__builtin_expect || Builtin == Builtin::BI__builtin_expect_with_probability ||
      (Callee && Callee->getIdentifier() && Callee->getName() == "__must_check_overflow")) {
    S.Results[E] = Eval.value(E->getArg(0), S);
    return;
  }
  if (Callee && Callee->getMemoryFunctionKind())
    for (const Expr *Argument : E->arguments())
      if (Argument->getType()->isPointerType())
        plain(E, Eval.value(Argument, S), (Callee->getName() + "() accesses").str(), S);
  if (Counted Bits = countedBy(Callee); Bits != Counted::Nothing && E->getNumArgs() == 1) {
    S.Results[E] = Eval.bits(Bits, Eval.value(E->getArg(0), S));
    return;
  }
  if (std::optional<Value> Result = computed(E, S)) {
    S.Results[E] = *Result;
    return;
  }
  if (std::optional<Value> Size = Eval.limited(E, S)) {
    S.Results[E] = Builtin ? Eval.unknown(E->getType()) : *Size;
    // Who tests the result goes on only if there is room for it.
    Size->Wraps &= !Builtin;
    if (Builtin)
      Eval.store(Eval.value(E->getArg(2), S), E->getArg(2)->getType()->getPointeeType(), nullptr, *Size, S);
    return;
  }
  // So does a routine out of line that is given the memory of the window, as a number of bytes.
  const bool Routine = Callee && !Callee->hasBody() && !Builtin && E->getType()->isIntegerType() && !E->getType()->isBooleanType() &&
                       llvm::any_of(E->arguments(), [&](const Expr *Argument) {
                         return Argument->getType()->isPointerType() && isOfWindow(Eval.value(Argument, S), S);
                       });
  if (!S.Windows.empty() && copies(Callee))
    for (unsigned I = 0; I < 2; ++I)
      if (Window &W = S.Windows.back(); related(Eval.value(E->getArg(I), S), W.Base)) {
        if (!W.Masked)
          place(E, W, Eval.value(E->getArg(I), S), Eval.value(E->getArg(2), S), S);
        const bool Reads = E->getArg(I)->getType()->getPointeeType().isConstQualified();
        if (written(Context, W.Begin).contains(Reads ? "_write_" : "_read_"))
          say("UW04", E, W.Begin, Callee->getName().str() + "() " + (Reads ? "reads" : "writes") + " in a window for the other direction only");
      }
  if (!S.Windows.empty() && (Routine || tells(E)) && isDropped(Context, E))
    say("UW26", E, S.Windows.back().Begin, "a fault is lost: nothing takes what " + Callee->getName().str() + "() returns");
  if (setter(E, S))
    return;
  bool Seen = enter(E, S);
  for (const Expr *Argument : E->arguments())
    if (mayLimit(E) && Argument->getType()->isIntegralOrEnumerationType())
      Eval.judge(Eval.value(Argument, S), true);
  for (Window &W : S.Windows)
    for (const Expr *Argument : E->arguments()) {
      if (!Argument->getType()->isScalarType())
        continue;
      Value V = Eval.value(Argument, S);
      if (related(V, W.Base) || (W.Masked && related(V, W.Origin)))
        W.Used = true;
      if (Argument->getType()->isPointerType() && !Seen)
        W.Strayed = true;
    }
  if (!Builtin && !isQuiet(Callee, Depth))
    Eval.disturb(S);
  Symbol Given;
  Given.Fails = fails(Callee);
  if (!S.Windows.empty() && tells(E))
    Given.Call = E;
  Given.Length = Callee && Callee->getIdentifier() && Callee->getName().ends_with("strlen") && E->getNumArgs() == 1;
  if (Given.Length)
    Given.Operand = Eval.value(E->getArg(0), S);
  const bool Measured = Callee && Callee->getIdentifier() && Callee->getName() == "strnlen_user";
  Given.Uncut = Builtin == Builtin::BIsnprintf || Builtin == Builtin::BIvsnprintf;
  Eval.bound(Given, E->getType());
  if (Measured) {
    Given.Kind = SymbolKind::Fetched;
    Given.Low = 0;
  }
  S.Results[E] = Eval.symbol(std::move(Given));
  // Of what is longer, it returns one more.
  if (Measured)
    if (const Value Most = Eval.value(E->getArg(1), S); Most.isConstant())
      S.Known.add(Eval.Known, plus(plus(S.Results[E], Most, -1), constant(-1)), Relation::AtMost);
  // What copy_from_user() filled is from user memory, until another function is given it, as to check it.
  for (const Expr *Argument : E->arguments())
    if (const VarDecl *Given = Eval.local(Eval.value(Argument, S)); Given && !Builtin)
      S.Copied.erase(Given);
  if (Callee && Callee->getIdentifier() && Callee->getName() == "copy_from_user") {
    if (const VarDecl *Filled = Eval.filled(Eval.value(E->getArg(0), S), Eval.value(E->getArg(2), S)))
      S.Copied.insert(Filled);
    copied(E, S);
  }
}

// What a function returns that computes it from its arguments alone.
std::optional<Value> Walker::computed(const CallExpr *E, State &S) {
  const FunctionDecl *Callee = E->getDirectCallee();
  const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
  const auto *Only = Body ? dyn_cast<CompoundStmt>(Body->getBody()) : nullptr;
  if (!Only || Only->size() != 1 || Body->isExternallyVisible() || Body->getNumParams() != E->getNumArgs())
    return std::nullopt;
  const auto *Return = dyn_cast<ReturnStmt>(Only->body_front());
  if (!Return || !Return->getRetValue() || !Body->getReturnType()->isScalarType() ||
      Return->getRetValue()->HasSideEffects(Context) || !allOf<CallExpr>(Return).empty() ||
      !allOf<ConditionalOperator>(Return).empty())
    return std::nullopt;
  State Inner = S;
  Evaluator Callees(Context, Body, Eval.Known);
  for (unsigned I = 0; I < E->getNumArgs(); ++I)
    if (E->getArg(I)->getType()->isScalarType())
      Callees.bind(Body->getParamDecl(I), Eval.value(E->getArg(I), S), Inner);
  return Callees.value(Return->getRetValue(), Inner);
}

// Whether a function, or what it calls, accesses user memory; nothing if it opens or ends a window.
static std::optional<bool> accesses(const FunctionDecl *Body, unsigned Deep) {
  bool Found = false;
  for (const CallExpr *Call : allOf<CallExpr>(Body->getBody())) {
    Role R = role(Call);
    if (R == Role::Begin || R == Role::Masked || R == Role::End || R == Role::Save)
      return std::nullopt;
    const FunctionDecl *Inner = Call->getDirectCallee() ? Call->getDirectCallee()->getDefinition() : nullptr;
    Found |= isAccess(R) ||
             (Inner && Deep && !Inner->isExternallyVisible() && accesses(Inner, Deep - 1).value_or(false));
  }
  return Found;
}

// Whether a function returns an error number if an access to user memory faults.
bool Walker::tells(const CallExpr *E) const {
  const FunctionDecl *Body = E->getDirectCallee() ? E->getDirectCallee()->getDefinition() : nullptr;
  return Body && !Body->isExternallyVisible() && fails(Body) && accesses(Body, 0).value_or(false);
}

// The function of this file that a call in a window leads to, or null.
const FunctionDecl *Walker::followed(const CallExpr *E, const State &S) const {
  const FunctionDecl *Callee = E->getDirectCallee();
  const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
  return !Body || S.Windows.empty() || Deep == Depth || Body->isExternallyVisible() ||
                 Body->getNumParams() != E->getNumArgs() || Body == Function
             ? nullptr
             : Body;
}

// Follows a function that is given the address of a pointer to the window, or of a structure that has one,
// as to move it, once for each way through it. False if there are too many.
bool Walker::setter(const CallExpr *E, State &S) {
  const FunctionDecl *Body = followed(E, S);
  if (!Body || !accesses(Body, Depth - Deep) || llvm::none_of(E->arguments(), [&](const Expr *Argument) {
        const Value At = Eval.value(Argument, S);
        const VarDecl *Given = Eval.local(At);
        return (Given && Given->getType()->isPointerType() && isOfWindow(Eval.content(Given, S), S)) ||
               (Argument->getType()->isPointerType() && llvm::any_of(S.Memory, [&](const Cell &C) {
                 return !C.Place.isConstant() && plus(C.Place, At, -1).isConstant() && isOfWindow(C.Content, S);
               }));
      }))
    return false;
  std::vector<State> Left;
  enter(E, Body, S, &Left);
  if (Left.empty() || Left.size() > Ways)
    return false;
  for (State &Way : Left) {
    Way.Taken = S.Taken;
    Way.Same = S.Same;
    Way.Steps = S.Steps;
    Way.Results[E] = Way.Returned.value_or(constant(0));
    Way.Returned = S.Returned;
  }
  S = std::move(Left.back());
  Left.pop_back();
  Forks = std::move(Left);
  return true;
}

// Follows a function of this file that accesses user memory in its caller's window, or is given a
// pointer to it, with the arguments of this call. False if the call cannot be followed.
bool Walker::enter(const CallExpr *E, State &S) {
  const FunctionDecl *Body = followed(E, S);
  if (!Body)
    return false;
  // A function that opens or ends windows is checked on its own.
  const std::optional<bool> Accesses = accesses(Body, Depth - Deep);
  if (!Accesses)
    return false;
  if (!*Accesses && llvm::none_of(E->arguments(), [&](const Expr *Argument) {
        return Argument->getType()->isPointerType() && isOfWindow(Eval.value(Argument, S), S);
      }))
    return false;
  if (++Entered[E] > Entries)
    return true;
  enter(E, Body, S, nullptr);
  return true;
}

// Walks the body of a callee, with the arguments of this call.
void Walker::enter(const CallExpr *E, const FunctionDecl *Body, State Inner, std::vector<State> *Left) {
  Walker Callees(Context, Body, Eval.Known, Result, Deep + 1);
  Callees.From = From ? From : E;
  Callees.Outermost = Outermost;
  for (unsigned I = 0; I < E->getNumArgs(); ++I)
    if (E->getArg(I)->getType()->isScalarType())
      Callees.Eval.bind(Body->getParamDecl(I), Eval.value(E->getArg(I), Inner), Inner);
  Inner.Taken.clear();
  Inner.Same.clear();
  Inner.Steps = 0;
  Callees.run(std::move(Inner), Left);
}

} // namespace hotcocci
