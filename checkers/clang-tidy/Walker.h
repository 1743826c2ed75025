/* SPDX-License-Identifier: GPL-2.0 */
// Walks the paths through one function, and through helpers called in its windows.
#ifndef HOTCOCCI_WALKER_H
#define HOTCOCCI_WALKER_H

#include "Evaluator.h"
#include "Walk.h"

#include "clang/Analysis/CFG.h"

namespace hotcocci {

class Walker {
public:
  Walker(clang::ASTContext &Context, const clang::FunctionDecl *Function, Symbols &Known,
         Walk &Result, unsigned Deep = 0)
      : Context(Context), Function(Function), Result(Result), Eval(Context, Function, Known),
        Deep(Deep), Outermost(Function) {}

  // If Out is given, the states on return are added to it.
  void run(State Start, std::vector<State> *Out = nullptr);
  // Sets the parameters that a call gives constants to; false if there are none.
  bool bind(const clang::CallExpr *E, State &S);

private:
  struct Job {
    const clang::CFGBlock *Block;
    State S;
    // The element to go on with.
    unsigned From = 0;
  };

  clang::ASTContext &Context;
  const clang::FunctionDecl *Function;
  Walk &Result;
  Evaluator Eval;
  const unsigned Deep;
  std::map<const clang::CallExpr *, unsigned> Entered;
  // In a helper, the call that led to it from the outermost function.
  const clang::CallExpr *From = nullptr;
  const clang::FunctionDecl *Outermost;
  std::vector<State> *Exits = nullptr;
  // The other states that an element may lead to.
  std::vector<State> Forks;
  // Least visited blocks come first, so that all are reached before the limit.
  std::multimap<unsigned, Job> Jobs;
  std::map<unsigned, unsigned> Visits;
  // Whether a begin that failed always returned an error; what windows without a fault returned; and the faults
  // that returned what may be the same, with the begin and the variable returned.
  bool Refused = false, Ignored = false;
  std::set<std::string> Successes;
  // The variables that had anything but 0 when they were returned.
  std::set<const clang::VarDecl *> Told;
  std::map<std::pair<const clang::CallExpr *, std::string>,
           std::tuple<const clang::CallExpr *, const clang::VarDecl *, std::set<std::string>>> Faults;
  // The statements that return 0, or true, after a window without a fault, or anywhere else, and those after one.
  std::set<const clang::ReturnStmt *> Good, Shared;
  std::vector<std::tuple<const clang::ReturnStmt *, Foreign, std::set<std::string>>> Alone;
  // The calls after windows without a fault.
  std::set<std::string> Usual;

  // Walk.cpp: blocks and branches
  void add(const clang::CFGBlock *Block, State S);
  void follow(const clang::CFGBlock *Block, State &S);
  void element(const clang::CFGElement &E, State &S);
  bool branch(const Value &Condition, bool Truth, State &S);
  bool left(const clang::Expr *Condition, const Value &On) const;
  void hurry(const clang::Stmt *Loop, unsigned Id, State &S);
  void choose(const clang::ConditionalOperator *E, const Value &Condition, const State &Before,
              State &After);
  std::optional<SymbolId> compared(const Value &Condition);
  std::optional<Value> edge(const clang::Expr *Condition, const Value &On) const;
  bool fits(SymbolId Id, const State &S) const;
  bool counted(const Value &Condition, const State &S);
  void sum(const Value &Condition, bool Truth, const State &Before, State &After) const;
  const clang::CallExpr *told(const Value &Condition, bool Truth) const;
  void cap(const Value &Condition, const clang::Expr *Written, bool Truth, const State &Before,
           State &After);
  void say(llvm::StringRef Rule, const clang::Stmt *At, const clang::CallExpr *Begin,
           std::string Message);
  // WalkCalls.cpp: calls, which open and close windows
  void call(const clang::CallExpr *E, State &S);
  void begin(const clang::CallExpr *E, State &S);
  bool opener(const clang::CallExpr *E, State &S);
  void masked(const clang::CallExpr *E, State &S);
  void checked(const Value &Base, const std::optional<Value> &Size, State &S);
  void open(Window W, State &S);
  void close(State &S);
  void end(const clang::CallExpr *E, State &S);
  void leave(State &S);
  bool isQuiet(const clang::FunctionDecl *Callee, unsigned Deep);
  void helper(const clang::CallExpr *E, State &S);
  std::optional<Value> computed(const clang::CallExpr *E, State &S);
  bool setter(const clang::CallExpr *E, State &S);
  const clang::FunctionDecl *followed(const clang::CallExpr *E, const State &S) const;
  bool enter(const clang::CallExpr *E, State &S);
  void enter(const clang::CallExpr *E, const clang::FunctionDecl *Body, State Inner,
             std::vector<State> *Left);
  // WalkValues.cpp: what is done with the values of user memory and with faults
  void save(const clang::CallExpr *E, State &S);
  void restore(const clang::CallExpr *E, State &S);
  void copied(const clang::CallExpr *E, State &S);
  void fetched(Symbol &Content, const State &S) const;
  void tested(const Value &V, State &S) const;
  void test(const Value &Condition, bool Truth, State &S) const;
  void used(const clang::Stmt *Done, State &S);
  void overwritten(const clang::Stmt *Done, State &S);
  bool tells(const clang::CallExpr *E) const;
  std::string made(const clang::CallExpr *E, State &S);
  void returned(const State &S);
  void ignored();
  // WalkAccesses.cpp: accesses, and whether they stay in the window's range
  bool related(const Value &A, const Value &B) const;
  void access(const clang::CallExpr *E, State &S);
  void assembler(const clang::GCCAsmStmt *Asm, State &S);
  void place(const clang::Stmt *E, Window &W, const Value &At, const Value &Size, State &S);
  void settle(State &S);
  void plain(const clang::Stmt *At, const Value &Place, llvm::StringRef How, State &S);
  void plain(const clang::Stmt *Done, State &S);
  bool isOfWindow(const Value &Place, const State &S) const;
  void driven(const Pending &P, const Value &Size, const Value &Checked, State &S);
  bool mayBeFar(SymbolId Id, const State &S) const;
  int64_t each(const Value &Size, const State &S) const;
  bool mayBeMore(SymbolId Id, const State &S) const;
  bool isSystemCall() const;
  bool isCalledByAny() const { return Function->isExternallyVisible() || (Function == Outermost && isSystemCall()); }
  bool isGiven(SymbolId Id) const;
  bool scarce(const Value &V, const State &S) const;
  std::optional<int64_t> remaining(const Pending &P, const State &S);
  int64_t moves(const Pending &P, const State &S) const;
  int64_t turns(const Pending &P, const clang::VarDecl *Index, State &S);
  bool dependsOn(const Value &V, SymbolId Id) const;
  bool wrapped(const Value &V, const State &S) const;
  std::optional<int64_t> startOnly(const Value &Left, const Value &Size, const State &S) const;
  Value rounded(const Value &V, const State &S);
  Value cut(const Value &V, const State &S);
  bool unlimited(SymbolId Id, const State &S) const;
  std::optional<std::pair<const clang::NamedDecl *, int64_t>> unless(const Value &V, const State &S,
                                                                     bool Length);
  bool isAny(SymbolId Id) const;
  std::string origin(SymbolId Id) const;
  std::optional<SymbolId> given(const Value &V, const State &S) const;
  std::optional<std::string> negative(const Value &V, const State &S) const;
  std::optional<int64_t> ended(const Value &V, const State &S) const;
  std::optional<int64_t> unchanged(const Value &V, const State &S) const;
  Value pinned(Value V, const State &S) const;
  bool sources(const Value &V, const State &S, bool Kept, std::set<SymbolId> &Found) const;
  std::optional<int64_t> evaluated(const Value &V, const std::map<SymbolId, int64_t> &Numbers) const;
  std::optional<int64_t> tried(const Value &V, const State &S) const;
  const clang::VarDecl *upTo(const Value &V, const State &S) const;
  bool checked(SymbolId Id, const State &S) const;
  bool outside(const Value &At, const Value &Size, const State &S) const;
  void stray(const clang::CallExpr *E, Window &W, const Value &At, State &S);
  bool checkedByCallers() const;
};

} // namespace hotcocci

#endif
