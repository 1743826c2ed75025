/* SPDX-License-Identifier: GPL-2.0 */
// UW19: an eight-byte read does not link on 32-bit ARM in older trees.
#include "Checks.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace hotcocci {

// Whether a condition depends on the word size or the architecture.
static bool tellsWidth(llvm::StringRef Condition) {
  for (llvm::StringRef Word : {"64BIT", "BITS_PER_LONG", "CONFIG_COMPAT", "X86_64", "CONFIG_X86",
                               "CONFIG_ARM", "CONFIG_PPC", "CONFIG_S390", "CONFIG_RISCV"})
    if (Condition.contains(Word))
      return true;
  return false;
}

namespace {

// Records the ranges of preprocessor conditions on the word size: this compilation only sees the
// branch for a 64-bit kernel.
class Conditions : public PPCallbacks {
public:
  Conditions(const SourceManager &Sources, std::vector<SourceRange> &Guarded)
      : Sources(Sources), Guarded(Guarded) {}

  void If(SourceLocation At, SourceRange Condition, ConditionValueKind) override {
    open(At, tellsWidth(Lexer::getSourceText(CharSourceRange::getTokenRange(Condition), Sources,
                                             LangOptions())));
  }
  void Ifdef(SourceLocation At, const Token &Name, const MacroDefinition &) override {
    open(At, tellsWidth(Name.getIdentifierInfo()->getName()));
  }
  void Ifndef(SourceLocation At, const Token &Name, const MacroDefinition &) override {
    open(At, tellsWidth(Name.getIdentifierInfo()->getName()));
  }
  void Endif(SourceLocation At, SourceLocation) override {
    auto [From, Tells] = Open.back();
    Open.pop_back();
    if (Tells)
      Guarded.push_back({From, At});
  }

private:
  const SourceManager &Sources;
  std::vector<SourceRange> &Guarded;
  std::vector<std::pair<SourceLocation, bool>> Open;

  void open(SourceLocation At, bool Tells) { Open.push_back({At, Tells}); }
};

} // namespace

WidthCheck::WidthCheck(llvm::StringRef Name, tidy::ClangTidyContext *Context)
    : FunctionCheck(Name, Context), EightBytes(Options.get("EightBytes", true)) {}

void WidthCheck::storeOptions(tidy::ClangTidyOptions::OptionMap &Map) {
  Options.store(Map, "EightBytes", EightBytes);
}

void WidthCheck::registerPPCallbacks(const SourceManager &Sources, Preprocessor *PP,
                                     Preprocessor *) {
  Guarded.clear();
  if (!EightBytes)
    PP->addPPCallbacks(std::make_unique<Conditions>(Sources, Guarded));
}

void WidthCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  if (EightBytes)
    return;
  const SourceManager &Sources = Context.getSourceManager();
  for (const CallExpr *Access : allOf<CallExpr>(Function->getBody())) {
    if (role(Access) != Role::Get)
      continue;
    const Expr *At = Access->getArg(0)->IgnoreParenImpCasts();
    if (!At->getType()->isPointerType())
      continue;
    const auto *Type = At->getType()->getPointeeType()->getAs<BuiltinType>();
    // A long is only eight bytes wide on 64-bit.
    if (!Type || (Type->getKind() != BuiltinType::LongLong && Type->getKind() != BuiltinType::ULongLong))
      continue;
    SourceLocation Where = Sources.getExpansionLoc(Access->getBeginLoc());
    // Architecture code knows what its own accessors support.
    bool Hidden = Sources.getFilename(Where).contains("/arch/");
    for (SourceRange Range : Guarded)
      Hidden |= Sources.isWrittenInSameFile(Where, Range.getBegin()) &&
                Sources.getFileOffset(Range.getBegin()) < Sources.getFileOffset(Where) &&
                Sources.getFileOffset(Where) < Sources.getFileOffset(Range.getEnd());
    for (const Stmt *S = Access; S && !Hidden; S = parent(Context, S))
      if (const auto *If = dyn_cast<IfStmt>(S))
        Hidden = tellsWidth(Lexer::getSourceText(
            Sources.getExpansionRange(If->getCond()->getSourceRange()), Sources,
            Context.getLangOpts()));
    if (!Hidden)
      report("UW19", Access,
             "reads eight bytes at once, but 32-bit ARM has no such accessor in this tree");
  }
}

} // namespace hotcocci
