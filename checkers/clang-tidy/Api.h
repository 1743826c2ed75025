/* SPDX-License-Identifier: GPL-2.0 */
// Recognize the functions of include/linux/uaccess.h and scopes, and navigate the AST.
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
// Whether a function of this file or its headers begins windows, and neither uses nor ends them.
bool opens(const clang::CallExpr *Call);
bool isAccess(Role R);
// The name of an accessor in the source, with "()".
llvm::StringRef accessor(Role R);

// Whether the cleanup of a variable ends a user access scope.
bool endsScope(const clang::VarDecl *Variable);
// The variable of that kind that a for loop declares, or null; the loop's body is the scope's.
const clang::VarDecl *scopeVariable(const clang::Stmt *Loop);

// The closest statement that contains a statement, or null.
const clang::Stmt *parent(clang::ASTContext &Context, const clang::Stmt *Of);
// Whether nothing takes the result of a call: it is a statement of its own, and not cast to void.
bool isDropped(clang::ASTContext &Context, const clang::CallExpr *Call);
// The label that an access jumps to on a fault, or null.
const clang::LabelDecl *faultLabel(clang::ASTContext &Context, const clang::CallExpr *Access);

// Whether a function is inlined in every build, is a builtin, or never reaches the object code.
bool alwaysInlined(const clang::FunctionDecl *Function);

// Whether a call comes from a macro body in another file, such as "current": the user of the macro
// cannot change it.
bool ofHeaderMacro(const clang::ASTContext &Context, const clang::CallExpr *Call);

// The calls to a static function, and the functions that make them.
std::vector<std::pair<const clang::CallExpr *, const clang::FunctionDecl *>>
callsOf(const clang::ASTContext &Context, const clang::FunctionDecl *Function);

// A statement and all its descendants, except operands that are never evaluated.
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
