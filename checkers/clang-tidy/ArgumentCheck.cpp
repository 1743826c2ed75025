/* SPDX-License-Identifier: GPL-2.0 */
// UW11: accessor arguments are evaluated in the window, so they may only load and compute.
#include "Checks.h"

#include "clang/Analysis/CFG.h"

using namespace clang;

namespace hotcocci {

// Whether an argument assigns to anything but a variable it declares itself, as macros do.
// p++ is exempt: kernel/compat.c relies on it, although riscv evaluates the pointer twice in 7.2.
static bool assigns(const Expr *Argument) {
  std::set<const Decl *> Own;
  for (const DeclStmt *Declared : allOf<DeclStmt>(Argument))
    Own.insert(Declared->decl_begin(), Declared->decl_end());
  for (const Stmt *Part : below(Argument))
    if (const auto *Assignment = dyn_cast<BinaryOperator>(Part);
        Assignment && Assignment->isAssignmentOp()) {
      const auto *Ref = dyn_cast<DeclRefExpr>(Assignment->getLHS()->IgnoreParenCasts());
      if (!Ref || !Own.count(Ref->getDecl()))
        return true;
    }
  return false;
}

// The calls that a function can reach: not those for sizes that a macro does not support.
static std::set<const Stmt *> reachable(ASTContext &Context, const FunctionDecl *Function) {
  CFG::BuildOptions Options;
  Options.setAlwaysAdd(Stmt::CallExprClass);
  std::unique_ptr<CFG> Graph = CFG::buildCFG(Function, Function->getBody(), &Context, Options);
  std::set<const Stmt *> Found;
  if (!Graph)
    return Found;
  std::set<const CFGBlock *> Seen{&Graph->getEntry()};
  std::vector<const CFGBlock *> Next(Seen.begin(), Seen.end());
  while (!Next.empty()) {
    const CFGBlock *Block = Next.back();
    Next.pop_back();
    for (const CFGElement &E : *Block)
      if (auto Holder = E.getAs<CFGStmt>())
        Found.insert(Holder->getStmt());
    for (const CFGBlock::AdjacentBlock &To : Block->succs())
      if (const CFGBlock *Reached = To.getReachableBlock(); Reached && Seen.insert(Reached).second)
        Next.push_back(Reached);
  }
  return Found;
}

// The first call in an argument to a function that is out of line. Other helpers are UW07.
static const CallExpr *called(const std::set<const Stmt *> &Reached, const Expr *Argument) {
  for (const CallExpr *Call : allOf<CallExpr>(Argument)) {
    if (!Reached.count(Call))
      continue;
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && (alwaysInlined(Callee) || (!Callee->isExternallyVisible() &&
                                             !Callee->hasAttr<NoInlineAttr>())))
      continue;
    return Call;
  }
  return nullptr;
}

void ArgumentCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  const std::set<const Stmt *> Reached = reachable(Context, Function);
  for (const CallExpr *Access : allOf<CallExpr>(Function->getBody())) {
    if (!isAccess(role(Access)))
      continue;
    for (const Expr *Argument : Access->arguments())
      if (const CallExpr *Call = called(Reached, Argument)) {
        const FunctionDecl *Callee = Call->getDirectCallee();
        report("UW11", Access,
               Callee ? (Callee->getName() + "() is called in an argument of " +
                         accessor(role(Access)) + ", inside the window")
                            .str()
                      : "a function pointer is called in an argument, inside the window");
        break;
      }
    if (assigns(Access->getArg(0)))
      report("UW11", Access,
             ("the pointer argument of " + accessor(role(Access)) + " contains an assignment").str());
  }
  // The destination of unsafe_get_user() is an argument too.
  for (const BinaryOperator *Store : allOf<BinaryOperator>(Function->getBody())) {
    if (Store->getOpcode() != BO_Assign)
      continue;
    const auto *Fetched = dyn_cast<CallExpr>(Store->getRHS()->IgnoreParenCasts());
    if (!Fetched || role(Fetched) != Role::Fetched)
      continue;
    if (const CallExpr *Call = called(Reached, Store->getLHS()))
      report("UW11", Store,
             (Call->getDirectCallee() ? Call->getDirectCallee()->getName().str() + "()"
                                      : std::string("a function pointer")) +
                 " is called in an argument of unsafe_get_user(), inside the window");
  }
}

} // namespace hotcocci
