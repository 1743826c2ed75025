/* SPDX-License-Identifier: GPL-2.0 */
// What the checks share: one function at a time, and how a violation is put.
#ifndef HOTCOCCI_CHECKS_H
#define HOTCOCCI_CHECKS_H

#include "Api.h"
#include "Walk.h"

#include "clang-tidy/ClangTidyCheck.h"

namespace hotcocci {

// A check that looks at each function that has a body and calls an accessor.
class FunctionCheck : public clang::tidy::ClangTidyCheck {
public:
  using ClangTidyCheck::ClangTidyCheck;
  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &Result) override;
  void onStartOfTranslationUnit() override;

protected:
  virtual void look(clang::ASTContext &Context, const clang::FunctionDecl *Function) = 0;

  // "RULE in function(): what", where the source has it, macros expanded.
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

class HelperCheck : public FunctionCheck {
public:
  HelperCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context);
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Options) override;

private:
  void look(clang::ASTContext &Context, const clang::FunctionDecl *Function) override;
  bool otherwiseWrong(const clang::ASTContext &Context, const clang::CallExpr *Call) const;

  // What is no helper, but wrong in a window for another reason: UW09, UW10.
  const llvm::StringRef Others;
  llvm::SmallVector<llvm::StringRef> Names;
};

// UW19 needs to know where preprocessor conditions stand, and what the tree offers.
class WidthCheck : public FunctionCheck {
public:
  WidthCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context);
  void registerPPCallbacks(const clang::SourceManager &Sources, clang::Preprocessor *PP,
                           clang::Preprocessor *ModuleExpander) override;
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Options) override;

private:
  void look(clang::ASTContext &Context, const clang::FunctionDecl *Function) override;

  // Whether code for every architecture may read eight bytes at once.
  const bool EightBytes;
  // The lines of conditions that 32-bit kernels do not fulfil.
  std::vector<clang::SourceRange> Guarded;
};

} // namespace hotcocci

#endif
