/* SPDX-License-Identifier: GPL-2.0 */
// UW07: functions called in a window must be __always_inline; "static inline" is only a hint.
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

// Whether the call, or a macro that it comes from, is reported under another rule.
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

void HelperCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  const Walk &Seen = walk(Context, Function);
  for (auto [Done, Where] : Seen.Inside) {
    Current = Where.Function;
    const auto *Call = dyn_cast<CallExpr>(Done);
    // access_ok() in a window is UW22.
    if (!Call || role(Call) == Role::AccessOk)
      continue;
    const FunctionDecl *Callee = Call->getDirectCallee();
    // noinline functions are always called: UW06, and UW11 in an argument.
    if (!Callee || Callee->isExternallyVisible() || alwaysInlined(Callee) ||
        Callee->hasAttr<NoInlineAttr>() || otherwiseWrong(Context, Call) ||
        ofHeaderMacro(Context, Call))
      continue;
    report("UW07", Call,
           (Callee->getName() + "() is called in the window and might not be inlined").str());
    opened(Where.Begin);
    if (const FunctionDecl *Body = Callee->getDefinition())
      diag(Body->getLocation(), "%0() is not __always_inline", DiagnosticIDs::Note)
          << Callee->getName();
  }
}

} // namespace hotcocci
