/* SPDX-License-Identifier: GPL-2.0 */
// The functions of include/linux/uaccess.h, the scopes made of them, and where things stand.
#ifndef HOTCOCCI_API_H
#define HOTCOCCI_API_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

#include <vector>

namespace hotcocci {

enum class Role {
  None,
  Begin,
  Masked,
  CanMask,
  End,
  Save,
  Restore,
  Get,
  Put,
  CopyTo,
  CopyFrom,
  Cmpxchg,
  Fetched,
  AccessOk,
};

Role role(const clang::CallExpr *Call);
bool isAccess(Role R);
// The name that the source has for an access.
llvm::StringRef accessor(Role R);

// Whether a variable ends a scope of user access when it goes out of its own.
bool endsScope(const clang::VarDecl *Variable);
// The for loop that declares such a variable; the body of the scope is its body.
const clang::VarDecl *scopeVariable(const clang::Stmt *Loop);

// The statement that a statement or declaration stands directly in, or null.
const clang::Stmt *parent(clang::ASTContext &Context, const clang::Stmt *Of);
// The label that an access jumps to when it faults.
const clang::LabelDecl *faultLabel(clang::ASTContext &Context, const clang::CallExpr *Access);

// Whether a called function is inlined whatever the build: always_inline, or the compiler's own.
bool alwaysInlined(const clang::FunctionDecl *Function);

// Whether a call is written in the body of a macro of some header: what the macro's user cannot
// change, "current" above all.
bool ofHeaderMacro(const clang::ASTContext &Context, const clang::CallExpr *Call);

// All statements below one, itself included, without what is never evaluated.
std::vector<const clang::Stmt *> below(const clang::Stmt *Root);
template <typename Kind> std::vector<const Kind *> allOf(const clang::Stmt *Root) {
  std::vector<const Kind *> Found;
  for (const clang::Stmt *S : below(Root))
    if (const auto *K = llvm::dyn_cast<Kind>(S))
      Found.push_back(K);
  return Found;
}

} // namespace hotcocci

#endif
