/* SPDX-License-Identifier: GPL-2.0 */
// UW07: what is called in a window is __always_inline; "static inline" is only a wish.
#include "Checks.h"

#include "clang/Lex/Lexer.h"

using namespace clang;

namespace hotcocci {

HelperCheck::HelperCheck(llvm::StringRef Name, tidy::ClangTidyContext *Context)
    : FunctionCheck(Name, Context), Others(Options.get("Others", "")) {
  Others.split(Names, ';', -1, false);
}

void HelperCheck::storeOptions(tidy::ClangTidyOptions::OptionMap &Map) {
  Options.store(Map, "Others", Others);
}

// Whether the call is one of the others, or a part of a macro that is.
bool HelperCheck::otherwiseWrong(const ASTContext &Context, const CallExpr *Call) const {
  if (llvm::is_contained(Names, Call->getDirectCallee()->getName()))
    return true;
  const SourceManager &Sources = Context.getSourceManager();
  for (SourceLocation At = Call->getBeginLoc(); At.isMacroID();
       At = Sources.getImmediateMacroCallerLoc(At))
    if (llvm::is_contained(Names,
                           Lexer::getImmediateMacroName(At, Sources, Context.getLangOpts())))
      return true;
  return false;
}

// Whether a call stands in an argument of an access.
static bool inArgument(ASTContext &Context, const CallExpr *Call) {
  for (const Stmt *S = parent(Context, Call); S; S = parent(Context, S))
    if (const auto *Access = dyn_cast<CallExpr>(S); Access && isAccess(role(Access)))
      return true;
  return false;
}

void HelperCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  const Walk &Seen = walk(Context, Function);
  for (auto [Done, Where] : Seen.Inside) {
    Current = Where.Function;
    const auto *Call = dyn_cast<CallExpr>(Done);
    // access_ok() in a window is UW22, and a call in an argument of an access UW11.
    if (!Call || role(Call) == Role::AccessOk || inArgument(Context, Call))
      continue;
    const FunctionDecl *Callee = Call->getDirectCallee();
    // noinline is a call for certain, and that is UW06.
    if (!Callee || Callee->isExternallyVisible() || alwaysInlined(Callee) ||
        Callee->hasAttr<NoInlineAttr>() || otherwiseWrong(Context, Call) ||
        ofHeaderMacro(Context, Call))
      continue;
    report("UW07", Call,
           (Callee->getName() + "() runs in the window and need not be inlined").str());
    opened(Where.Begin);
    if (const FunctionDecl *Body = Callee->getDefinition())
      diag(Body->getLocation(), "%0() is not __always_inline", DiagnosticIDs::Note)
          << Callee->getName();
  }
}

} // namespace hotcocci
