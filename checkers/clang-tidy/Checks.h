/* SPDX-License-Identifier: GPL-2.0 */
// Base class of the checks: visits one function at a time and reports violations.
#ifndef HOTCOCCI_CHECKS_H
#define HOTCOCCI_CHECKS_H

#include "Api.h"
#include "Walk.h"

#include "clang-tidy/ClangTidyCheck.h"

namespace hotcocci {

// A check of each function definition that uses a window.
class FunctionCheck : public clang::tidy::ClangTidyCheck {
public:
  using ClangTidyCheck::ClangTidyCheck;
  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &Result) override;
  void onStartOfTranslationUnit() override;

protected:
  virtual void look(clang::ASTContext &Context, const clang::FunctionDecl *Function) = 0;

  // Reports "RULE in function(): what" at the outermost expansion position.
  clang::DiagnosticBuilder report(llvm::StringRef Rule, const clang::Stmt *At, llvm::StringRef What);
  void opened(const clang::CallExpr *Begin);
  void note(const clang::Stmt *At, llvm::StringRef What);
  void violations(clang::ASTContext &Context, const clang::FunctionDecl *Function,
                  llvm::StringRef Rule);

  const clang::FunctionDecl *Current = nullptr;

private:
  std::set<const clang::FunctionDecl *> Seen;
  std::set<std::pair<std::string, clang::SourceLocation>> Said;
};

#define HOTCOCCI_CHECK(NAME)                                                                      \
  class NAME : public FunctionCheck {                                                             \
    using FunctionCheck::FunctionCheck;                                                           \
    void look(clang::ASTContext &Context, const clang::FunctionDecl *Function) override;          \
  }

HOTCOCCI_CHECK(RangeCheck);
HOTCOCCI_CHECK(AggregateCheck);
HOTCOCCI_CHECK(ArgumentCheck);
HOTCOCCI_CHECK(CleanupCheck);
HOTCOCCI_CHECK(AliasCheck);
HOTCOCCI_CHECK(FirstAccessCheck);
HOTCOCCI_CHECK(ScopeLabelCheck);
HOTCOCCI_CHECK(ScopeLoopCheck);
HOTCOCCI_CHECK(PlainCheck);
HOTCOCCI_CHECK(SavedCheck);
HOTCOCCI_CHECK(DirectionCheck);
HOTCOCCI_CHECK(FaultCheck);
HOTCOCCI_CHECK(FetchCheck);

class HelperCheck : public FunctionCheck {
public:
  HelperCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context);
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Options) override;

private:
  void look(clang::ASTContext &Context, const clang::FunctionDecl *Function) override;
  bool otherwiseWrong(const clang::ASTContext &Context, const clang::CallExpr *Call) const;

  // Functions reported under other rules: UW09, UW10.
  const llvm::StringRef Others;
  llvm::SmallVector<llvm::StringRef> Names;
};

// UW19 needs the preprocessor conditions, and what the tree supports.
class WidthCheck : public FunctionCheck {
public:
  WidthCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context);
  void registerPPCallbacks(const clang::SourceManager &Sources, clang::Preprocessor *PP,
                           clang::Preprocessor *ModuleExpander) override;
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Options) override;

private:
  void look(clang::ASTContext &Context, const clang::FunctionDecl *Function) override;

  // Whether generic code may read eight bytes at once in this tree.
  const bool EightBytes;
  // The ranges of preprocessor conditions on the word size or architecture.
  std::vector<clang::SourceRange> Guarded;
};

} // namespace hotcocci

#endif
