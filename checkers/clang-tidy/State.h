/* SPDX-License-Identifier: GPL-2.0 */
// What is known at one point of one path: memory, facts, and the windows that are open.
#ifndef HOTCOCCI_STATE_H
#define HOTCOCCI_STATE_H

#include "Value.h"

#include "clang/AST/Stmt.h"

namespace hotcocci {

// What a place in memory holds. A place is the address of a variable plus an offset, or any
// other sum.
struct Cell {
  Value Place;
  uint64_t Size;
  Value Content;
  const clang::FieldDecl *Member;
};

struct Window {
  const clang::CallExpr *Begin;
  // [Base, Base + Size) was checked; a masked window has no size.
  Value Base;
  std::optional<Value> Size;
  // Masked: the pointer before, and the variable it was in.
  bool Masked = false;
  Value Origin;
  const clang::VarDecl *Outer = nullptr;
  // The variable that ends the scope, in a scope.
  const clang::VarDecl *Scope = nullptr;
  // Whether anything went through the begun pointer, and how far that reached if it is known.
  bool Used = false;
  bool Strayed = false;
  int64_t Reach = 0;
};

// An access whose place in the window is a sum that a later branch may say more about.
struct Pending {
  const clang::Stmt *Access;
  const clang::CallExpr *Begin;
  // Where it begins, and what is left behind it.
  Value Offset, Left;
};

// An access through a pointer that has nothing to do with the one that was begun.
struct Foreign {
  const clang::CallExpr *Access;
  const clang::CallExpr *Begin;
};

struct State {
  std::vector<Cell> Memory;
  // How often a variable was changed in a way that left nothing known.
  std::map<const clang::VarDecl *, unsigned> Versions;
  // What expressions with an effect were worth, and which way conditions went.
  std::map<const clang::Expr *, Value> Results;
  std::map<const clang::Expr *, bool> Truths;
  Facts Known;
  // Of begins whose result was not tested yet.
  std::map<SymbolId, Window> Begun;
  std::vector<Window> Windows;
  std::vector<Pending> Accesses;
  std::vector<Foreign> Foreigners;
  // Pointers that were checked before.
  std::set<SymbolId> Checked;
  // A scope was left because of a fault, and no window was opened since.
  const clang::CallExpr *FaultedScope = nullptr;
  // Undecided branches taken at a block, and blocks gone through.
  std::map<unsigned, unsigned> Taken;
  unsigned Steps = 0;
};

} // namespace hotcocci

#endif
