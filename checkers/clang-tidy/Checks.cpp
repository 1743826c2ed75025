/* SPDX-License-Identifier: GPL-2.0 */
#include "Checks.h"

#include "clang/ASTMatchers/ASTMatchers.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace hotcocci {

void FunctionCheck::onStartOfTranslationUnit() {
  Seen.clear();
  Said.clear();
  forgetWalk();
}

void FunctionCheck::registerMatchers(MatchFinder *Finder) {
  Finder->addMatcher(
      callExpr(callee(functionDecl(hasAnyName("__hotcocci_begin", "__hotcocci_masked",
                                              "__hotcocci_end", "__hotcocci_get", "__hotcocci_put",
                                              "__hotcocci_copy_to", "__hotcocci_copy_from",
                                              "__hotcocci_cmpxchg", "__hotcocci_save"))),
               hasAncestor(functionDecl(isDefinition()).bind("function"))),
      this);
}

void FunctionCheck::check(const MatchFinder::MatchResult &Result) {
  const auto *Function = Result.Nodes.getNodeAs<FunctionDecl>("function");
  // What is no valid C has members without a size.
  if (Result.Context->getDiagnostics().hasUncompilableErrorOccurred() || !Seen.insert(Function).second)
    return;
  Current = Function;
  look(*Result.Context, Function);
}

DiagnosticBuilder FunctionCheck::report(StringRef Rule, const Stmt *At, StringRef What) {
  const SourceManager &Sources = Current->getASTContext().getSourceManager();
  return diag(Sources.getExpansionLoc(At->getBeginLoc()), "%0 in %1(): %2")
         << Rule << Current->getName() << What;
}

void FunctionCheck::note(const Stmt *At, StringRef What) {
  const SourceManager &Sources = Current->getASTContext().getSourceManager();
  diag(Sources.getExpansionLoc(At->getBeginLoc()), "%0", DiagnosticIDs::Note) << What;
}

void FunctionCheck::opened(const CallExpr *Begin) { note(Begin, "the window is opened here"); }

void FunctionCheck::violations(ASTContext &Context, const FunctionDecl *Function, StringRef Rule) {
  for (const Violation &V : walk(Context, Function).Violations)
    if (V.Rule == Rule) {
      Current = V.Function;
      report(Rule, V.At, V.Message);
      opened(V.Begin);
    }
}

} // namespace hotcocci
