/* SPDX-License-Identifier: GPL-2.0 */
// All paths through a function, as far as its windows are concerned.
#ifndef HOTCOCCI_WALK_H
#define HOTCOCCI_WALK_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <map>
#include <string>
#include <vector>

namespace hotcocci {

// Something that is wrong on at least one path.
struct Violation {
  llvm::StringRef Rule;
  const clang::Stmt *At;
  // Where the window was opened, or the scope.
  const clang::CallExpr *Begin;
  std::string Message;
  // Where it stands: the function walked through, or one that it calls in its window.
  const clang::FunctionDecl *Function;
};

// Something that is carried out on some path with a window open.
struct InWindow {
  const clang::CallExpr *Begin;
  // Where it stands, which is no more than a part of the walk in a helper.
  const clang::FunctionDecl *Function;
};

struct Walk {
  std::vector<Violation> Violations;
  std::map<const clang::Stmt *, InWindow> Inside;
};

// The walk through a function with a body. The last one is kept: every check asks for it.
const Walk &walk(clang::ASTContext &Context, const clang::FunctionDecl *Function);
// To be called for each new file: its functions may stand where those of another one stood.
void forgetWalk();

} // namespace hotcocci

#endif
