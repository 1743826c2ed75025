/* SPDX-License-Identifier: GPL-2.0 */
// UW12: an asm goto must not leave the scope of a __cleanup variable.
#include "Checks.h"

#include "clang/AST/Attr.h"

using namespace clang;

namespace hotcocci {

// Whether the tree's accessor jumps to its caller's label by asm goto.
static bool jumpsByAsm(ASTContext &Context, llvm::StringRef Probe) {
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *Function = dyn_cast<FunctionDecl>(D);
    if (!Function || !Function->getIdentifier() || Function->getName() != Probe ||
        !Function->doesThisDeclarationHaveABody())
      continue;
    for (const GCCAsmStmt *Asm : allOf<GCCAsmStmt>(Function->getBody()))
      for (const AddrLabelExpr *Label : Asm->labels())
        if (!Label->getLabel()->isGnuLocal())
          return true;
  }
  return false;
}

static llvm::StringRef probe(Role R) {
  switch (R) {
  case Role::Get:
    return "__hotcocci_probe_get";
  case Role::Put:
    return "__hotcocci_probe_put";
  case Role::CopyTo:
    return "__hotcocci_probe_copy_to";
  case Role::CopyFrom:
    return "__hotcocci_probe_copy_from";
  default:
    return "__hotcocci_probe_cmpxchg";
  }
}

// The __cleanup variables in scope at a statement.
static std::set<const VarDecl *> alive(ASTContext &Context, const Stmt *At) {
  std::set<const VarDecl *> Found;
  auto Take = [&](const Stmt *S) {
    if (const auto *Declared = dyn_cast_or_null<DeclStmt>(S))
      for (const Decl *D : Declared->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(D); Variable && Variable->hasAttr<CleanupAttr>())
          Found.insert(Variable);
  };
  for (const Stmt *S = At, *Above; (Above = parent(Context, S)); S = Above) {
    if (const auto *Block = dyn_cast<CompoundStmt>(Above)) {
      for (const Stmt *Sibling : Block->body()) {
        if (Sibling == S)
          break;
        Take(Sibling);
      }
    } else if (const auto *Loop = dyn_cast<ForStmt>(Above); Loop && Loop->getInit() != S) {
      Take(Loop->getInit());
    }
  }
  return Found;
}

void CleanupCheck::look(ASTContext &Context, const FunctionDecl *Function) {
  // A tree whose unsafe_get_user() jumps to the caller's label by asm goto has no scopes of its
  // own: any found were added by the test fixtures.
  bool Wrapped = !jumpsByAsm(Context, probe(Role::Get));
  for (const CallExpr *Access : allOf<CallExpr>(Function->getBody())) {
    Role R = role(Access);
    if (!isAccess(R))
      continue;
    const LabelDecl *Label = faultLabel(Context, Access);
    if (!Label || !Label->getStmt())
      continue;
    std::set<const VarDecl *> Here = alive(Context, Access);
    std::set<const VarDecl *> There = alive(Context, Label->getStmt());
    for (const VarDecl *Variable : Here) {
      if (There.count(Variable) || (endsScope(Variable) && !Wrapped))
        continue;
      if (!jumpsByAsm(Context, probe(R)))
        continue;
      report("UW12", Access,
             (accessor(R) + " jumps to '" + Label->getName() + "' by asm goto, out of the scope of '" +
              Variable->getName() + "'")
                 .str());
      diag(Variable->getLocation(), "'%0' is cleaned up at the end of this scope",
           DiagnosticIDs::Note)
          << Variable->getName();
      break;
    }
  }
}

} // namespace hotcocci
