/* SPDX-License-Identifier: GPL-2.0 */
// UW14 to UW17: violations specific to scopes and masked pointers.
#include "Checks.h"

#include "clang/Lex/Lexer.h"

using namespace clang;

namespace hotcocci {

void AliasCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW14");
}

void FirstAccessCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  violations(Context, Function, "UW15");
}

// The for loop of the innermost scope around a statement, or null.
static const ForStmt *scopeAround(ASTContext &Context, const Stmt *At) {
  for (const Stmt *S = At, *Above; (Above = parent(Context, S)); S = Above)
    if (const auto *Loop = dyn_cast<ForStmt>(Above); Loop && Loop->getBody() == S && scopeVariable(Loop))
      return Loop;
  return nullptr;
}

static bool contains(ASTContext &Context, const Stmt *Outer, const Stmt *Inner) {
  for (const Stmt *S = Inner; S; S = parent(Context, S))
    if (S == Outer)
      return true;
  return false;
}

// UW16
void ScopeLabelCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  for (const Violation &V : walk(Context, Function).Violations)
    if (V.Rule == "UW16") {
      {
        auto Diagnostic = report("UW16", V.At, V.Message);
        const SourceManager &Sources = Context.getSourceManager();
        CharSourceRange Statement = Sources.getExpansionRange(V.At->getSourceRange());
        SourceLocation After = Lexer::findLocationAfterToken(
            Statement.getEnd(), tok::semi, Sources, Context.getLangOpts(), true);
        if (After.isValid())
          Diagnostic << FixItHint::CreateRemoval(
              CharSourceRange::getCharRange(Statement.getBegin(), After));
      }
      note(V.Begin, "the scope closes its own window on every exit");
    }
  for (const CallExpr *Call : allOf<CallExpr>(Function->getBody())) {
    if (!isAccess(role(Call)))
      continue;
    const LabelDecl *Label = faultLabel(Context, Call);
    const ForStmt *Scope = scopeAround(Context, Call);
    if (!Scope || !Label || !Label->getStmt() ||
        !contains(Context, Scope->getBody(), Label->getStmt()))
      continue;
    report("UW16", Call, ("fault label '" + Label->getName() + "' is inside the scope").str());
    note(Scope, "the scope begins here");
  }
  // The scope's own label inside its body.
  for (const ForStmt *Scope : allOf<ForStmt>(Function->getBody())) {
    if (!scopeVariable(Scope))
      continue;
    const Stmt *Opening = parent(Context, Scope);
    for (const GotoStmt *Jump : allOf<GotoStmt>(Opening))
      if (!contains(Context, Scope->getBody(), Jump) && Jump->getLabel()->getStmt() &&
          contains(Context, Scope->getBody(), Jump->getLabel()->getStmt())) {
        report("UW16", Scope,
               ("the scope's label '" + Jump->getLabel()->getName() + "' is inside it").str());
        break;
      }
  }
}

// The statement that a break or continue leaves, or null.
static const Stmt *left(ASTContext &Context, const Stmt *From, bool Break) {
  for (const Stmt *S = parent(Context, From); S; S = parent(Context, S))
    if (isa<ForStmt, WhileStmt, DoStmt>(S) || (Break && isa<SwitchStmt>(S)))
      return S;
  return nullptr;
}

// Whether a loop is the "do { } while (0)" of a macro.
static bool runsOnce(ASTContext &Context, const Stmt *Loop) {
  const auto *Do = dyn_cast<DoStmt>(Loop);
  Expr::EvalResult Condition;
  return Do && Do->getCond()->EvaluateAsInt(Condition, Context) && Condition.Val.getInt() == 0;
}

// UW17
void ScopeLoopCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  for (const Stmt *S : below(Function->getBody())) {
    bool Break = isa<BreakStmt>(S);
    if (!Break && !isa<ContinueStmt>(S))
      continue;
    const Stmt *Scope = left(Context, S, Break);
    if (!Scope || !scopeVariable(Scope))
      continue;
    // The scope is the innermost loop of its macro: skip the others.
    const SourceManager &Sources = Context.getSourceManager();
    SourceLocation Macro = Sources.getExpansionLoc(Scope->getBeginLoc());
    const Stmt *Around = left(Context, Scope, Break);
    while (Around && ((isa<ForStmt>(Around) && Around->getBeginLoc().isMacroID() &&
                       Sources.getExpansionLoc(Around->getBeginLoc()) == Macro) ||
                      runsOnce(Context, Around)))
      Around = left(Context, Around, Break);
    if (!Around)
      continue;
    report("UW17", S,
           Break ? "break leaves only the user access scope, not the enclosing statement"
                 : "continue leaves only the user access scope, and the code after it still runs");
    note(Scope, "the scope begins here");
    note(Around, "the enclosing statement begins here");
  }
}

} // namespace hotcocci
