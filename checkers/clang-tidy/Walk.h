/* SPDX-License-Identifier: GPL-2.0 */
// Walks the paths through a function and records what happens in its windows.
#ifndef HOTCOCCI_WALK_H
#define HOTCOCCI_WALK_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <map>
#include <string>
#include <vector>

namespace hotcocci {

// A violation on at least one path.
struct Violation {
  llvm::StringRef Rule;
  const clang::Stmt *At;
  // Where the window or scope was opened.
  const clang::CallExpr *Begin;
  std::string Message;
  // The function that contains it: the one walked, or a helper called in its window.
  const clang::FunctionDecl *Function;
};

// A statement executed on some path with a window open.
struct InWindow {
  const clang::CallExpr *Begin;
  // The function that contains it, which may be a helper of the one walked.
  const clang::FunctionDecl *Function;
};

struct Walk {
  std::vector<Violation> Violations;
  std::map<const clang::Stmt *, InWindow> Inside;
  // Whether functions that were called store nothing but their own variables.
  std::map<const clang::FunctionDecl *, bool> Quiet;
  // A window of which a fault made the function return an error number.
  const clang::CallExpr *Fault = nullptr;
};

// The walk through a function with a body. The last result is cached, as every check asks for it.
const Walk &walk(clang::ASTContext &Context, const clang::FunctionDecl *Function);
// Drops the cached walk. Call it for each new file, whose functions may reuse addresses.
void forgetWalk();

} // namespace hotcocci

#endif
