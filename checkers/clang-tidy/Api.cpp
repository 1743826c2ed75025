/* SPDX-License-Identifier: GPL-2.0 */
#include "Api.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace hotcocci {

Role role(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->getIdentifier())
    return Role::None;
  return llvm::StringSwitch<Role>(Callee->getName())
      .Case("__hotcocci_begin", Role::Begin)
      .Case("__hotcocci_masked", Role::Masked)
      .Case("__hotcocci_can_mask", Role::CanMask)
      .Case("__hotcocci_end", Role::End)
      .Case("__hotcocci_save", Role::Save)
      .Case("__hotcocci_restore", Role::Restore)
      .Case("__hotcocci_get", Role::Get)
      .Case("__hotcocci_put", Role::Put)
      .Case("__hotcocci_copy_to", Role::CopyTo)
      .Case("__hotcocci_copy_from", Role::CopyFrom)
      .Case("__hotcocci_cmpxchg", Role::Cmpxchg)
      .Case("__hotcocci_value", Role::Fetched)
      // access_ok() is a macro around __access_ok(), or a function itself.
      .Cases("__access_ok", "access_ok", Role::AccessOk)
      .Default(Role::None);
}

bool opens(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const FunctionDecl *Body = Callee ? Callee->getDefinition() : nullptr;
  if (!Body || Body->isExternallyVisible() || Body->getNumParams() != Call->getNumArgs())
    return false;
  bool Begins = false;
  for (const CallExpr *Inner : allOf<CallExpr>(Body->getBody())) {
    const Role R = role(Inner);
    Begins |= R == Role::Begin || R == Role::Masked;
    if (R == Role::End || R == Role::Save || R == Role::Restore || isAccess(R))
      return false;
  }
  return Begins;
}

bool isAccess(Role R) {
  return R == Role::Get || R == Role::Put || R == Role::CopyTo || R == Role::CopyFrom ||
         R == Role::Cmpxchg;
}

llvm::StringRef accessor(Role R) {
  switch (R) {
  case Role::Get:
    return "unsafe_get_user()";
  case Role::Put:
    return "unsafe_put_user()";
  case Role::CopyTo:
    return "unsafe_copy_to_user()";
  case Role::CopyFrom:
    return "unsafe_copy_from_user()";
  case Role::Cmpxchg:
    return "unsafe_try_cmpxchg_user()";
  default:
    return "";
  }
}

bool endsScope(const VarDecl *Variable) {
  const auto *Cleanup = Variable->getAttr<CleanupAttr>();
  if (!Cleanup || !Cleanup->getFunctionDecl()->getIdentifier())
    return false;
  llvm::StringRef Name = Cleanup->getFunctionDecl()->getName();
  return Name.consume_front("__scoped_user_") &&
         (Name == "read_access_end" || Name == "write_access_end" || Name == "rw_access_end");
}

const VarDecl *scopeVariable(const Stmt *Loop) {
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *Init = For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
  if (!Init || !Init->isSingleDecl())
    return nullptr;
  const auto *Variable = dyn_cast<VarDecl>(Init->getSingleDecl());
  return Variable && endsScope(Variable) ? Variable : nullptr;
}

const Stmt *parent(ASTContext &Context, const Stmt *Of) {
  for (const auto &Node : Context.getParents(*Of)) {
    if (const auto *S = Node.get<Stmt>())
      return S;
    // The parent of a variable's initialiser is the statement that declares the variable.
    if (const auto *D = Node.get<Decl>())
      for (const auto &Above : Context.getParents(*D))
        if (const auto *S = Above.get<Stmt>())
          return S;
  }
  return nullptr;
}

bool isDropped(ASTContext &Context, const CallExpr *Call) {
  const Stmt *Above = parent(Context, Call);
  if (const auto *If = dyn_cast_or_null<IfStmt>(Above))
    return If->getCond() != Call;
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Above);
  const bool Result = Block && Block->body_back() == Call && isa_and_nonnull<StmtExpr>(parent(Context, Block));
  return isa_and_nonnull<CompoundStmt, LabelStmt, CaseStmt, DefaultStmt>(Above) && !Result;
}

const LabelDecl *faultLabel(ASTContext &Context, const CallExpr *Access) {
  for (const Stmt *S = Access; S; S = parent(Context, S))
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      const auto *Jump = dyn_cast<GotoStmt>(If->getThen());
      return Jump ? Jump->getLabel() : nullptr;
    }
  return nullptr;
}

bool alwaysInlined(const FunctionDecl *Function) {
  return Function->hasAttr<AlwaysInlineAttr>() || Function->getBuiltinID() ||
         Function->hasAttr<ErrorAttr>() ||
         (Function->getIdentifier() && Function->getName().starts_with("__hotcocci_"));
}

bool ofHeaderMacro(const ASTContext &Context, const CallExpr *Call) {
  const SourceManager &Sources = Context.getSourceManager();
  SourceLocation At = Call->getBeginLoc();
  return At.isMacroID() && Sources.getFileID(Sources.getSpellingLoc(At)) !=
                               Sources.getFileID(Sources.getExpansionLoc(At));
}

static void collect(const Stmt *S, std::vector<const Stmt *> &Found) {
  if (!S || isa<UnaryExprOrTypeTraitExpr>(S))
    return;
  Found.push_back(S);
  if (const auto *Choose = dyn_cast<ChooseExpr>(S))
    return collect(Choose->getChosenSubExpr(), Found);
  if (const auto *Generic = dyn_cast<GenericSelectionExpr>(S))
    return collect(Generic->getResultExpr(), Found);
  for (const Stmt *Child : S->children())
    collect(Child, Found);
}

std::vector<const Stmt *> below(const Stmt *Root) {
  std::vector<const Stmt *> Found;
  collect(Root, Found);
  return Found;
}

std::vector<std::pair<const CallExpr *, const FunctionDecl *>> callsOf(const ASTContext &Context,
                                                                     const FunctionDecl *Function) {
  std::vector<std::pair<const CallExpr *, const FunctionDecl *>> Found;
  if (Function->isExternallyVisible())
    return Found;
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *Caller = dyn_cast<FunctionDecl>(D);
    if (!Caller || !Caller->doesThisDeclarationHaveABody() || Caller == Function)
      continue;
    for (const CallExpr *Call : allOf<CallExpr>(Caller->getBody()))
      if (Call->getDirectCallee() && Call->getDirectCallee()->getCanonicalDecl() == Function->getCanonicalDecl())
        Found.push_back({Call, Caller});
  }
  return Found;
}

} // namespace hotcocci
