/* SPDX-License-Identifier: GPL-2.0 */
#include "Walk.h"

#include "Api.h"
#include "Evaluator.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Analysis/CFG.h"

#include <queue>

using namespace clang;

namespace hotcocci {

// The guard page above user space: a masked access may start in it.
static constexpr int64_t GuardPage = 4096;
// Limits: how often one path takes an undecided branch, blocks per path, blocks per function.
// Anything beyond is not checked.
static constexpr unsigned Rounds = 3;
static constexpr unsigned PathBlocks = 4000;
static constexpr unsigned AllBlocks = 60000;
// Limits for following helpers called in a window: nesting depth, and times per call.
static constexpr unsigned Depth = 3;
static constexpr unsigned Entries = 4;

namespace {

class Walker {
public:
  Walker(ASTContext &Context, const FunctionDecl *Function, Symbols &Known, Walk &Result,
         unsigned Deep = 0)
      : Context(Context), Function(Function), Result(Result), Eval(Context, Function, Known),
        Deep(Deep) {}

  void run(State Start);

private:
  struct Job {
    const CFGBlock *Block;
    State S;
  };

  ASTContext &Context;
  const FunctionDecl *Function;
  Walk &Result;
  Evaluator Eval;
  const unsigned Deep;
  std::map<const CallExpr *, unsigned> Entered;
  // Least visited blocks come first, so that all are reached before the limit.
  std::multimap<unsigned, Job> Jobs;
  std::map<unsigned, unsigned> Visits;

  void add(const CFGBlock *Block, State S);
  void follow(const CFGBlock *Block, State &S);
  void element(const CFGElement &E, State &S);
  void call(const CallExpr *E, State &S);
  void begin(const CallExpr *E, State &S);
  void masked(const CallExpr *E, State &S);
  void end(const CallExpr *E, State &S);
  void access(const CallExpr *E, State &S);
  void assembler(const GCCAsmStmt *Asm, State &S);
  void helper(const CallExpr *E, State &S);
  bool enter(const CallExpr *E, const State &S);
  void place(const Stmt *E, Window &W, const Value &At, const Value &Size, State &S);
  void stray(const CallExpr *E, Window &W, const Value &At, State &S);
  void open(Window W, State &S);
  void close(State &S);
  void settle(State &S);
  void leave(State &S);
  bool branch(const Value &Condition, bool Truth, State &S);
  void say(llvm::StringRef Rule, const Stmt *At, const CallExpr *Begin, std::string Message);
  bool related(const Value &A, const Value &B);
  bool checkedByCallers() const;
  std::string count(int64_t Bytes) const {
    return std::to_string(Bytes) + (Bytes == 1 ? " byte" : " bytes");
  }
};

void Walker::say(llvm::StringRef Rule, const Stmt *At, const CallExpr *Begin,
                 std::string Message) {
  for (const Violation &Before : Result.Violations)
    if (Before.Rule == Rule && Before.At == At)
      return;
  Result.Violations.push_back({Rule, At, Begin, std::move(Message), Function});
}

void Walker::run(State Start) {
  CFG::BuildOptions Options;
  // Include calls of __cleanup functions at the end of a scope.
  Options.AddImplicitDtors = true;
  Options.setAlwaysAdd(Stmt::CallExprClass)
      .setAlwaysAdd(Stmt::BinaryOperatorClass)
      .setAlwaysAdd(Stmt::CompoundAssignOperatorClass)
      .setAlwaysAdd(Stmt::UnaryOperatorClass);
  std::unique_ptr<CFG> Graph =
      CFG::buildCFG(Function, Function->getBody(), &Context, Options);
  if (!Graph)
    return;
  add(&Graph->getEntry(), std::move(Start));
  for (unsigned Blocks = 0; !Jobs.empty() && Blocks < AllBlocks; ++Blocks) {
    auto First = Jobs.begin();
    Job Next = std::move(First->second);
    Jobs.erase(First);
    ++Visits[Next.Block->getBlockID()];
    for (const CFGElement &E : *Next.Block)
      element(E, Next.S);
    if (Next.Block == &Graph->getExit()) {
      // A helper leaves its caller's window open.
      if (!Deep)
        leave(Next.S);
    } else
      follow(Next.Block, Next.S);
  }
}

void Walker::add(const CFGBlock *Block, State S) {
  if (Block && ++S.Steps < PathBlocks)
    Jobs.emplace(Visits[Block->getBlockID()], Job{Block, std::move(S)});
}

bool Walker::branch(const Value &Condition, bool Truth, State &S) {
  Eval.Decided.reset();
  if (!Eval.assume(Condition, Truth, S))
    return false;
  if (Eval.Decided) {
    auto Found = S.Begun.find(Eval.Decided->Begun);
    if (Found != S.Begun.end()) {
      if (Eval.Decided->Opened)
        open(Found->second, S);
      S.Begun.erase(Found);
    }
  }
  return true;
}

void Walker::follow(const CFGBlock *Block, State &S) {
  const Stmt *Terminator = Block->getTerminatorStmt();
  unsigned Id = Block->getBlockID();
  if (const auto *Switch = dyn_cast_or_null<SwitchStmt>(Terminator)) {
    if (++S.Taken[Id] > Rounds)
      return;
    Value On = Eval.value(Switch->getCond(), S);
    State Otherwise = S;
    bool Rest = true;
    for (const CFGBlock::AdjacentBlock &To : Block->succs()) {
      if (!To.getReachableBlock())
        continue;
      const auto *Case = dyn_cast_or_null<CaseStmt>(To->getLabel());
      if (!Case)
        continue;
      Value At = Eval.value(Case->getLHS(), S);
      State Taken = S;
      if (Case->getRHS()) {
        Value Last = Eval.value(Case->getRHS(), S);
        if (Taken.Known.add(Eval.Known, plus(At, On, -1), Relation::AtMost) &&
            Taken.Known.add(Eval.Known, plus(On, Last, -1), Relation::AtMost))
          add(To, std::move(Taken));
        continue;
      }
      if (Taken.Known.add(Eval.Known, plus(On, At, -1), Relation::Zero))
        add(To, std::move(Taken));
      Rest = Rest && Otherwise.Known.add(Eval.Known, plus(On, At, -1), Relation::NonZero);
    }
    for (const CFGBlock::AdjacentBlock &To : Block->succs())
      if (Rest && To.getReachableBlock() && !isa_and_nonnull<CaseStmt>(To->getLabel()))
        add(To, Otherwise);
    return;
  }
  const auto *Condition =
      Block->succ_size() == 2 ? dyn_cast_or_null<Expr>(Block->getTerminatorCondition()) : nullptr;
  if (!Condition) {
    for (const CFGBlock::AdjacentBlock &To : Block->succs())
      add(To.getReachableBlock(), S);
    return;
  }
  Value On = Eval.value(Condition, S);
  // An access whose result is true on a fault, which leaves any loop around it.
  const auto *Fault = dyn_cast<CallExpr>(Condition->IgnoreParenImpCasts());
  if (Fault && !isAccess(role(Fault)))
    Fault = nullptr;
  if (!On.isConstant() && !Fault && ++S.Taken[Id] > Rounds)
    return;
  for (bool Truth : {true, false}) {
    const CFGBlock *To = (Truth ? Block->succ_begin() : Block->succ_begin() + 1)->getReachableBlock();
    if (!To)
      continue;
    State Taken = S;
    if (const auto *E = dyn_cast_or_null<Expr>(Terminator))
      Taken.Truths[E] = Truth;
    if (!branch(On, Truth, Taken))
      continue;
    // The number of iterations of a loop tells how far its accesses went. Other branches come too
    // late for earlier accesses.
    if (isa_and_nonnull<ForStmt, WhileStmt, DoStmt>(Terminator))
      settle(Taken);
    if (Truth && Fault && !Taken.Windows.empty() &&
        Taken.Windows.back().Scope)
      Taken.FaultedScope = Taken.Windows.back().Begin;
    add(To, std::move(Taken));
  }
}

void Walker::element(const CFGElement &E, State &S) {
  if (auto Cleanup = E.getAs<CFGCleanupFunction>()) {
    if (endsScope(Cleanup->getVarDecl()))
      close(S);
    else
      Eval.disturb(S);
    return;
  }
  auto Holder = E.getAs<CFGStmt>();
  if (!Holder)
    return;
  const Stmt *Done = Holder->getStmt();
  if (!S.Windows.empty())
    Result.Inside.emplace(Done, InWindow{S.Windows.back().Begin, Function});
  if (const auto *Called = dyn_cast<CallExpr>(Done)) {
    call(Called, S);
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(Done)) {
    if (Binary->isAssignmentOp())
      Eval.assign(Binary, S);
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(Done)) {
    if (Unary->isIncrementDecrementOp())
      Eval.step(Unary, S);
  } else if (const auto *Declared = dyn_cast<DeclStmt>(Done)) {
    for (const Decl *D : Declared->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D)) {
        Eval.declare(Variable, S);
        if (endsScope(Variable) && !S.Windows.empty())
          S.Windows.back().Scope = Variable;
      }
  } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(Done)) {
    assembler(Asm, S);
  }
}

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
    S.Windows.clear();
    break;
  case Role::AccessOk:
    // Inside a window, this comes too late: UW22.
    for (SymbolId Id : Eval.Known.pointers(Eval.value(E->getArg(0), S)))
      S.Checked.insert(Id);
    break;
  case Role::Fetched: {
    const auto *Cast = dyn_cast_or_null<CastExpr>(parent(Context, E));
    Symbol Content;
    Content.Pointer = Cast && Cast->getType()->isPointerType();
    Content.Kind = Content.Pointer ? SymbolKind::Fetched : SymbolKind::Unknown;
    S.Results[E] = Eval.symbol(std::move(Content));
    return;
  }
  case Role::None:
    return helper(E, S);
  default:
    break;
  }
  S.Results[E] = Eval.unknown(E->getType());
  if (isAccess(R))
    access(E, S);
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
  // A size that is only constant because of this path's branches is a special case, such as an
  // empty list, that other conditions may rule out.
  if (!W.Size->isConstant() && S.Known.most(Eval.Known, *W.Size) &&
      S.Known.most(Eval.Known, *W.Size) == S.Known.least(Eval.Known, *W.Size))
    W.Size.reset();
  W.Outer = Evaluator::variable(E->getArg(0));
  S.Begun[*V.symbol()] = W;
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

void Walker::open(Window W, State &S) {
  for (const Window &Before : S.Windows)
    for (SymbolId Id : Eval.Known.pointers(Before.Base))
      S.Checked.insert(Id);
  S.FaultedScope = nullptr;
  S.Windows.push_back(std::move(W));
}

void Walker::close(State &S) {
  if (S.Windows.empty())
    return;
  Window W = S.Windows.back();
  S.Windows.pop_back();
  S.Accesses.clear();
  // No access used the window's pointer: it was opened on the wrong one.
  if (!W.Used && !W.Strayed)
    for (const Foreign &F : S.Foreigners)
      if (F.Begin == W.Begin)
        say("UW05", F.Access, F.Begin, "uses another pointer than the one whose range was checked");
  for (SymbolId Id : Eval.Known.pointers(W.Masked ? W.Origin : W.Base))
    S.Checked.insert(Id);
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

// A call to a function outside the API, which is followed if possible.
void Walker::helper(const CallExpr *E, State &S) {
  const FunctionDecl *Callee = E->getDirectCallee();
  unsigned Builtin = Callee ? Callee->getBuiltinID() : 0;
  if (Builtin == Builtin::BI__builtin_expect || Builtin == Builtin::BI__builtin_expect_with_probability) {
    S.Results[E] = Eval.value(E->getArg(0), S);
    return;
  }
  bool Seen = enter(E, S);
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
  if (!Builtin)
    Eval.disturb(S);
  S.Results[E] = Eval.unknown(E->getType());
}

// Follows a function of this file that accesses user memory in its caller's window, with the
// arguments of this call. False if the call cannot be followed.
bool Walker::enter(const CallExpr *E, const State &S) {
  const FunctionDecl *Callee = E->getDirectCallee();
  const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
  if (!Body || S.Windows.empty() || Deep == Depth || Body->isExternallyVisible() ||
      Body->getNumParams() != E->getNumArgs() || Body == Function)
    return false;
  bool Accesses = false;
  for (const CallExpr *Call : allOf<CallExpr>(Body->getBody())) {
    Role R = role(Call);
    Accesses |= isAccess(R);
    // A function that opens or ends windows is checked on its own.
    if (R == Role::Begin || R == Role::Masked || R == Role::End || R == Role::Save)
      return false;
  }
  if (!Accesses)
    return false;
  if (++Entered[E] > Entries)
    return true;
  State Inner = S;
  Walker Callees(Context, Body, Eval.Known, Result, Deep + 1);
  for (unsigned I = 0; I < E->getNumArgs(); ++I)
    if (E->getArg(I)->getType()->isScalarType())
      Callees.Eval.bind(Body->getParamDecl(I), Eval.value(E->getArg(I), Inner), Inner);
  Inner.Taken.clear();
  Inner.Steps = 0;
  Callees.run(std::move(Inner));
  return true;
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
  Pending P{E, W.Begin, Offset, plus(plus(*W.Size, Offset, -1), Size, -1)};
  S.Accesses.push_back(P);
  settle(S);
}

// Reports the accesses that are now known to be out of range.
void Walker::settle(State &S) {
  for (auto P = S.Accesses.begin(); P != S.Accesses.end();) {
    auto Offset = S.Known.most(Eval.Known, P->Offset);
    auto Left = S.Known.most(Eval.Known, P->Left);
    if (Offset && *Offset < 0)
      say("UW05", P->Access, P->Begin, "begins " + count(-*Offset) + " before the range that was checked");
    else if (Left && *Left < 0)
      say("UW05", P->Access, P->Begin, "reaches " + count(-*Left) + " past the range that was checked");
    bool Settled = (Offset && *Offset < 0) || (Left && *Left < 0) ||
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
        say("UW05", E, W.Begin, "bypasses the masked pointer and uses the original one");
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

} // namespace

static const FunctionDecl *Last = nullptr;
static Walk Kept;

void forgetWalk() { Last = nullptr; }

const Walk &walk(ASTContext &Context, const FunctionDecl *Function) {
  if (Last == Function)
    return Kept;
  Last = Function;
  Kept = Walk();
  for (const CallExpr *Call : allOf<CallExpr>(Function->getBody()))
    if (role(Call) == Role::Begin || role(Call) == Role::Masked) {
      Symbols Known;
      Walker(Context, Function, Known, Kept).run(State());
      break;
    }
  return Kept;
}

} // namespace hotcocci
