/* SPDX-License-Identifier: GPL-2.0 */
#include "Walk.h"

#include "Api.h"
#include "Walker.h"

using namespace clang;

namespace hotcocci {

// Limits: how often one path takes an undecided branch, how often if it is not that of a loop and always
// went the same way, blocks per path, blocks per function.
// Anything beyond is not checked.
static constexpr unsigned Rounds = 3;
static constexpr unsigned Straight = 64;
static constexpr unsigned PathBlocks = 4000;
static constexpr unsigned AllBlocks = 60000;
// A loop that has more rounds left than this cannot be walked to its end.
static constexpr int64_t Long = 1000;

void Walker::say(llvm::StringRef Rule, const Stmt *At, const CallExpr *Begin,
                 std::string Message) {
  for (const Violation &Before : Result.Violations)
    if (Before.Rule == Rule && Before.At == At)
      return;
  Result.Violations.push_back({Rule, At, Begin, std::move(Message), At == From ? Outermost : Function});
}

void Walker::run(State Start, std::vector<State> *Out) {
  Exits = Out;
  CFG::BuildOptions Options;
  // Include calls of __cleanup functions at the end of a scope.
  Options.AddImplicitDtors = true;
  Options.setAlwaysAdd(Stmt::CallExprClass)
      .setAlwaysAdd(Stmt::BinaryOperatorClass)
      .setAlwaysAdd(Stmt::CompoundAssignOperatorClass)
      .setAlwaysAdd(Stmt::UnaryOperatorClass)
      .setAlwaysAdd(Stmt::ImplicitCastExprClass);
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
    for (unsigned I = Next.From; I < Next.Block->size(); ++I) {
      element((*Next.Block)[I], Next.S);
      for (State &Other : Forks)
        Jobs.emplace(Visits[Next.Block->getBlockID()], Job{Next.Block, std::move(Other), I + 1});
      Forks.clear();
    }
    if (Next.Block == &Graph->getExit()) {
      if (!Deep)
        returned(Next.S);
      // A helper leaves its caller's window open.
      if (Exits)
        Exits->push_back(std::move(Next.S));
      else if (!Deep)
        leave(Next.S);
    } else
      follow(Next.Block, Next.S);
  }
  ignored();
}

bool Walker::bind(const CallExpr *E, State &S) {
  bool Any = false;
  for (unsigned I = 0; I < std::min(E->getNumArgs(), Function->getNumParams()); ++I) {
    Expr::EvalResult Constant;
    const ParmVarDecl *Parameter = Function->getParamDecl(I);
    if (!E->getArg(I)->getType()->isIntegerType())
      continue;
    if (!E->getArg(I)->EvaluateAsInt(Constant, Context)) {
      // The caller may limit it further than this function does.
      Eval.judge(Eval.content(Parameter, S), true);
      continue;
    }
    Eval.bind(Parameter, Eval.value(E->getArg(I), S), S);
    Any = true;
  }
  return Any;
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
      const Window W = std::move(Found->second);
      S.Begun.erase(Found);
      if (Eval.Decided->Opened) {
        // No range has a negative size.
        if (W.Size && role(W.Begin) == Role::Begin &&
            W.Begin->getArg(1)->IgnoreParenImpCasts()->getType()->isSignedIntegerType() &&
            !S.Known.add(Eval.Known, times(*W.Size, -1), Relation::AtMost))
          return false;
        open(W, S);
      } else {
        S.Far = Reached::Refused;
      }
    }
  }
  return true;
}

// Whether a branch is that of a loop, or of a part of its condition.
static bool isOfLoop(const Stmt *Branch, ASTContext &Context) {
  const auto *Part = dyn_cast_or_null<BinaryOperator>(Branch);
  while (Part && Part->isLogicalOp()) {
    Branch = parent(Context, Part);
    if (const auto *Loop = dyn_cast_or_null<ForStmt>(Branch); Loop && Loop->getCond() != Part)
      return false;
    Part = dyn_cast_or_null<BinaryOperator>(Branch);
  }
  return isa_and_nonnull<ForStmt, WhileStmt, DoStmt>(Branch);
}

// Notes which way a branch went; where it decides the whole condition of a ?: alone, nothing else branches for that.
static void note(ASTContext &Context, const Expr *Branch, bool Truth, State &S) {
  S.Truths[Branch] = Truth;
  const auto *Part = dyn_cast<BinaryOperator>(Branch);
  while (Part && Part->isLogicalOp() && (Part->getOpcode() == BO_LOr) == Truth) {
    const Stmt *Above = parent(Context, Part);
    while (isa_and_nonnull<ParenExpr>(Above))
      Above = parent(Context, Above);
    const auto *Choice = dyn_cast_or_null<ConditionalOperator>(Above);
    if (Choice && Choice->getCond()->IgnoreParens() == Part)
      S.Truths[Choice] = Truth;
    const Expr *Inner = Part;
    Part = dyn_cast_or_null<BinaryOperator>(Above);
    if (Part && Part->isLogicalOp() && Part->getLHS()->IgnoreParens() == Inner)
      S.Truths[Part] = Truth;
  }
}

void Walker::follow(const CFGBlock *Block, State &S) {
  const Stmt *Terminator = Block->getTerminatorStmt();
  unsigned Id = Block->getBlockID();
  if (const auto *Switch = dyn_cast_or_null<SwitchStmt>(Terminator)) {
    if (++S.Taken[Id] > Rounds)
      return;
    Value On = Eval.value(Switch->getCond(), S);
    Eval.test(On);
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
  const bool Loop = isOfLoop(Terminator, Context);
  std::vector<std::pair<bool, State>> Ways;
  for (bool Truth : {true, false}) {
    State Taken = S;
    if (const auto *E = dyn_cast_or_null<Expr>(Terminator))
      note(Context, E, Truth, Taken);
    if (!branch(On, Truth, Taken))
      continue;
    // while (n) is not meant to go on below 0.
    if (Loop && Truth && !Fault && left(Condition, On) && !branch(Eval.compare(times(On, -1), Relation::Below), true, Taken))
      continue;
    if (const auto *Choice = dyn_cast_or_null<ConditionalOperator>(Terminator))
      choose(Choice, On, S, Taken);
    Ways.emplace_back(Truth, std::move(Taken));
  }
  const bool Undecided = Ways.size() > 1 && !Fault;
  for (auto &[Truth, Taken] : Ways) {
    const CFGBlock *To = (Truth ? Block->succ_begin() : Block->succ_begin() + 1)->getReachableBlock();
    if (Undecided) {
      unsigned Same = Taken.Same[{Id, Truth}]++, Times = Taken.Taken[Id]++;
      if (Times >= ((Loop && !counted(On, S)) || Same != Times ? Rounds : Straight))
        continue;
    } else if (Loop && Truth) {
      hurry(Terminator, Id, Taken);
    }
    if (!To)
      continue;
    // The number of iterations of a loop tells how far its accesses went. Other branches come too
    // late for earlier accesses.
    if (Loop) {
      settle(Taken);
      Taken.Edge = Truth ? edge(Condition, On) : std::nullopt;
      auto Number = compared(On);
      // A loop that goes to a truncated size does not go to the number itself.
      const bool Wraps = Number && Eval.Known[*On.symbol()].Operand.Wraps && !fits(*Number, S);
      // while (n--) compares with 0.
      if (!Number && On.Terms.size() == 1)
        Number = On.Terms.begin()->first;
      if (Number && Truth && !Wraps) {
        Taken.Driving.insert(*Number);
        for (const DeclRefExpr *Name : allOf<DeclRefExpr>(Condition))
          Taken.Control.insert(Evaluator::variable(Name));
      } else if (Number && Taken.Driving.erase(*Number))
        Taken.Ended.insert(*Number);
    } else if (!Fault) {
      cap(On, Condition, Truth, S, Taken);
      test(On, Truth, Taken);
      sum(On, Truth, S, Taken);
    }
    if (const CallExpr *Told = told(On, Truth); Told && !Taken.Windows.empty()) {
      Taken.Far = Reached::Faulted;
      Taken.Since.clear();
      Taken.Fault = {Told, Taken.Windows.back().Begin};
    }
    if (Truth && Fault && !Taken.Windows.empty()) {
      Taken.Far = Reached::Faulted;
      Taken.Since.clear();
      Taken.Fault = {Fault, Taken.Windows.back().Begin};
      if (Taken.Windows.back().Scope)
        Taken.FaultedScope = Taken.Windows.back().Begin;
    }
    add(To, std::move(Taken));
  }
}

// Whether a condition is what is left of a number itself.
bool Walker::left(const Expr *Condition, const Value &On) const {
  return Condition->IgnoreParenImpCasts()->getType()->isIntegerType() && On.Terms.size() == 1 && On.Terms.begin()->second > 0 && On.Constant < 0;
}

// A long loop goes on with its last round, if only the index makes that another than this one.
void Walker::hurry(const Stmt *Loop, unsigned Id, State &S) {
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *Condition = For ? dyn_cast_or_null<BinaryOperator>(For->getCond()) : nullptr;
  const auto *Step = For ? dyn_cast_or_null<UnaryOperator>(For->getInc()) : nullptr;
  const VarDecl *Index = Condition ? Evaluator::variable(Condition->getLHS()) : nullptr;
  // The first accesses of a masked window have to follow each other.
  const bool Masked = llvm::any_of(S.Windows, [](const Window &W) { return W.Masked; });
  if (!Index || Masked || Condition->getOpcode() != BO_LT || !Step || !Step->isIncrementOp() || Evaluator::variable(Step->getSubExpr()) != Index)
    return;
  const Value Left = plus(Eval.value(Condition->getRHS(), S), Eval.value(Condition->getLHS(), S), -1);
  // The first round is walked: it may begin before the range.
  if (!Left.isConstant() || Left.Constant <= Long || ++S.Taken[Id] == 1)
    return;
  const bool Moves = llvm::any_of(allOf<Expr>(For->getBody()), [](const Expr *E) {
    if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      return Unary->isIncrementDecrementOp();
    const auto *Store = dyn_cast<BinaryOperator>(E);
    const VarDecl *Target = Store && Store->isAssignmentOp() ? Evaluator::variable(Store->getLHS()) : nullptr;
    return Target && (Store->isCompoundAssignmentOp() ||
                      llvm::any_of(allOf<DeclRefExpr>(Store->getRHS()), [&](const DeclRefExpr *Name) { return Name->getDecl() == Target; }));
  });
  if (Moves)
    return;
  const Expr *At = Condition->getLHS()->IgnoreParenImpCasts();
  Eval.store(Eval.place(At, S), At->getType(), nullptr, plus(Eval.value(Condition->getRHS(), S), constant(-1)), S);
  S.Places.clear();
}

// Where max() and the like choose between what they compare, equal ones are the same choice: either
// way, they are taken to differ.
void Walker::choose(const ConditionalOperator *E, const Value &Condition, const State &Before,
                    State &After) {
  State Arms = Before;
  Value Apart = plus(Eval.value(E->getTrueExpr(), Arms), Eval.value(E->getFalseExpr(), Arms), -1);
  auto Id = Condition.symbol();
  if (!Id || Eval.Known[*Id].Kind != SymbolKind::Compare)
    return;
  const std::string Compared = key(Eval.Known[*Id].Operand);
  Facts Known = After.Known;
  if ((Compared == key(Apart) || Compared == key(times(Apart, -1))) &&
      !After.Known.add(Eval.Known, Apart, Relation::NonZero))
    After.Known = Known;
}

// The number that a condition compares with a constant, if it is such a one.
std::optional<SymbolId> Walker::compared(const Value &Condition) {
  auto Id = Condition.symbol();
  if (!Id || Eval.Known[*Id].Kind != SymbolKind::Compare || Eval.Known[*Id].Operand.Terms.size() != 1)
    return std::nullopt;
  return Eval.Known[*Id].Operand.Terms.begin()->first;
}

// How far a pointer or number is from the one that a condition lets it be at most.
std::optional<Value> Walker::edge(const Expr *Condition, const Value &On) const {
  const auto *Compared = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  while (Compared && Compared->getOpcode() == BO_LAnd)
    Compared = dyn_cast<BinaryOperator>(Compared->getRHS()->IgnoreParenImpCasts());
  auto Id = On.symbol();
  if (!Compared || (Compared->getOpcode() != BO_LE && Compared->getOpcode() != BO_GE) ||
      !Id || Eval.Known[*Id].Kind != SymbolKind::Compare)
    return std::nullopt;
  return Eval.Known[*Id].Operand;
}

// Whether a power of two has room in 32 bits.
bool Walker::fits(SymbolId Id, const State &S) const {
  const Symbol &Power = Eval.Known[Id];
  return Power.Shifted && S.Known.most(Eval.Known, Power.Operand).value_or(32) < 32;
}

// Whether a condition compares something with a constant that is written there.
static bool namesConstant(const Expr *Condition, const ASTContext &Context) {
  return llvm::any_of(allOf<BinaryOperator>(Condition), [&](const BinaryOperator *E) {
    Expr::EvalResult Ignored;
    return E->isRelationalOp() && (E->getLHS()->EvaluateAsInt(Ignored, Context) ||
                                   E->getRHS()->EvaluateAsInt(Ignored, Context));
  });
}

// Notes a number that a branch compared with a constant, if that gave it a bound, or would have given it
// a lower one that it did not have.
void Walker::cap(const Value &Condition, const Expr *Written, bool Truth, const State &Before, State &After) {
  auto Number = compared(Condition);
  if (!Number)
    return;
  Value One;
  One.Terms[*Number] = 1;
  auto Most = After.Known.most(Eval.Known, One);
  if (Most && Most != Before.Known.most(Eval.Known, One))
    After.Capped.insert(*Number);
  const Symbol &Compared = Eval.Known[*Condition.symbol()];
  const bool Ordered = Compared.How == Relation::Below || Compared.How == Relation::AtMost;
  const bool Lower = (Compared.Operand.Terms.begin()->second < 0) == Truth;
  // Whether there is any is no test of how many.
  auto Least = After.Known.least(Eval.Known, One);
  if (Ordered && Lower && Least && *Least > 1 && namesConstant(Written, Context))
    After.Floored.insert(*Number);
}

// Notes the numbers of a sum in 32 bits that a branch found not too large, if it may have wrapped.
void Walker::sum(const Value &Condition, bool Truth, const State &Before, State &After) const {
  auto Id = Condition.symbol();
  if (!Id || Eval.Known[*Id].Kind != SymbolKind::Compare || !Eval.Known[*Id].Operand.Carries)
    return;
  const Symbol &Compared = Eval.Known[*Id];
  const Value &Of = Compared.Operand;
  Value Sum;
  for (auto [Number, F] : Of.Terms)
    if ((F > 0) == Truth)
      Sum.Terms[Number] = std::abs(F);
  const bool Ordered = Compared.How == Relation::Below || Compared.How == Relation::AtMost;
  if (!Ordered || Sum.Terms.size() < 2 || Before.Known.most(Eval.Known, Sum).value_or(INT64_MAX) <= UINT32_MAX)
    return;
  for (auto [Number, F] : Sum.Terms)
    After.Summed[Number] = Sum.Terms.size() < Of.Terms.size();
}

// The helper that returned an error number, if a branch tests for that and goes the way of one.
const CallExpr *Walker::told(const Value &Condition, bool Truth) const {
  auto Id = Condition.symbol();
  auto How = Relation::NonZero;
  if (Id && Eval.Known[*Id].Kind == SymbolKind::Compare) {
    How = Eval.Known[*Id].How;
    Id = Eval.Known[*Id].Operand.symbol();
  }
  const bool Error = How == Relation::Zero ? !Truth : Truth && (How == Relation::NonZero || How == Relation::Below);
  return Error && Id && Eval.Known[*Id].Kind == SymbolKind::Unknown ? Eval.Known[*Id].Call : nullptr;
}

// Whether a loop ends, at the latest, where a number reaches the constant that alone limits it, or where
// one of user memory ends it, which may be large.
bool Walker::counted(const Value &Condition, const State &S) {
  auto Number = compared(Condition);
  return Number && !Eval.judged(*Number) &&
         (S.Capped.count(*Number) || Eval.Known[*Number].Kind == SymbolKind::Fetched);
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
  if (!S.Windows.empty()) {
    Result.Inside.emplace(Done, InWindow{S.Windows.back().Begin, Function});
    plain(Done, S);
  }
  if (const VarDecl *Variable = Evaluator::taken(Done))
    S.Addressed.insert(Variable);
  used(Done, S);
  overwritten(Done, S);
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
  } else if (const auto *Return = dyn_cast<ReturnStmt>(Done)) {
    if (const Expr *Result = Return->getRetValue()) {
      S.Returned = Eval.value(Result, S);
      S.ReturnedBy = Evaluator::variable(Result);
      S.ReturnedAt = Return;
    }
  } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(Done)) {
    assembler(Asm, S);
  }
}

// Reports the calls of a static function that drop what it returns on a fault.
static void dropped(ASTContext &Context, const FunctionDecl *Function, Walk &Result) {
  if (Result.Fault && !Function->isExternallyVisible())
    for (const auto &[Call, Caller] : callsOf(Context, Function))
      if (isDropped(Context, Call))
        Result.Violations.push_back({"UW26", Call, Result.Fault, Function->getName().str() + "() returns an error number on a fault, which is lost", Caller});
}

// Walks a static function once more for each call that gives it constants, and records what is wrong for
// these alone.
static void called(ASTContext &Context, const FunctionDecl *Function, Walk &Result) {
  if (!Result.Violations.empty())
    return;
  for (const auto &[Call, Caller] : callsOf(Context, Function)) {
    State Start;
    Symbols Known;
    Walk These;
    Walker Walked(Context, Function, Known, These);
    if (!Walked.bind(Call, Start))
      continue;
    Walked.run(std::move(Start));
    for (const Violation &V : These.Violations)
      if (V.Rule == "UW05")
        Result.Violations.push_back({V.Rule, Call, V.Begin, Function->getName().str() + "() " + V.Message + ", with these numbers", Caller});
  }
}

static const FunctionDecl *Last = nullptr;
static Walk Kept;

void forgetWalk() { Last = nullptr; }

const Walk &walk(ASTContext &Context, const FunctionDecl *Function) {
  if (Last == Function)
    return Kept;
  Last = Function;
  Kept = Walk();
  for (const CallExpr *Call : allOf<CallExpr>(Function->getBody()))
    if (Role R = role(Call); R == Role::Begin || R == Role::Masked || R == Role::Save || opens(Call)) {
      Symbols Known;
      Walker(Context, Function, Known, Kept).run(State());
      called(Context, Function, Kept);
      dropped(Context, Function, Kept);
      break;
    }
  return Kept;
}

} // namespace hotcocci
