/* SPDX-License-Identifier: GPL-2.0 */
// The state at one point of one path: memory, facts, and open windows.
#ifndef HOTCOCCI_STATE_H
#define HOTCOCCI_STATE_H

#include "Value.h"

#include "clang/AST/Stmt.h"

namespace hotcocci {

// The contents of a location in memory. Its address is that of a variable plus an offset, or any
// other sum.
struct Cell {
  Value Place;
  uint64_t Size;
  Value Content;
  const clang::FieldDecl *Member;
  // Only read through this pointer, so that no store through another one is taken to change it.
  bool Constant = false;
};

struct Window {
  const clang::CallExpr *Begin;
  // [Base, Base + Size) was checked; a masked window has no size.
  Value Base;
  std::optional<Value> Size;
  // If the size is sizeof(*p) and Base is p and a number: p.
  std::optional<Value> Measured;
  // The parts of Base that a call before the begin may have changed where they were read.
  std::set<SymbolId> Past;
  // Whether the size is a multiple of what may be an error number, cut to 32 bits.
  bool Failed = false;
  // If the size is a number of elements, its variable.
  const clang::VarDecl *Counts = nullptr;
  // If masked: the original pointer. Outer is the variable passed to the begin.
  bool Masked = false;
  Value Origin;
  const clang::VarDecl *Outer = nullptr;
  // In a scope, the variable whose cleanup ends it.
  const clang::VarDecl *Scope = nullptr;
  // Used: there was an access through the window's pointer. Strayed: there was one that may belong
  // to another pointer. Reach: how far accesses to a masked pointer reached, -1 if unknown.
  bool Used = false;
  bool Strayed = false;
  int64_t Reach = 0;
};

// An access whose offset in the window may be narrowed by a later branch.
struct Pending {
  const clang::Stmt *Access;
  const clang::CallExpr *Begin;
  // Offset of the access, and bytes of the range left after it.
  Value Offset, Left;
  // Whether access_ok() or an earlier window checked a part of the address, too.
  bool Checked;
  // Whether it is of as many bytes as a number has.
  bool Sized;
};

// An access through a pointer unrelated to the window's.
struct Foreign {
  const clang::CallExpr *Access;
  const clang::CallExpr *Begin;
};

// What was read from a place of user memory, and as what type.
struct Fetch {
  Value Place;
  SymbolId Content;
  clang::QualType Type;
};

// How far a path is with the last window: its begin failed, it was opened, or an access in it faulted.
enum class Reached { Nothing, Refused, Opened, Faulted };

struct State {
  std::vector<Cell> Memory;
  // What was there before a call that may have changed it, and what was read since, with what it was.
  std::vector<Cell> Disturbed;
  std::map<SymbolId, SymbolId> Again;
  // How far the pointer or number in the condition of the loop around this point is from its end, which the loop goes to as well.
  std::optional<Value> Edge;
  // The variables whose address was taken.
  std::set<const clang::VarDecl *> Addressed;
  // How often a variable was changed to an unknown value.
  std::map<const clang::VarDecl *, unsigned> Versions;
  // The values of expressions with side effects, and of conditions.
  std::map<const clang::Expr *, Value> Results;
  std::map<const clang::Expr *, bool> Truths;
  Facts Known;
  // Windows whose begin was not tested yet.
  std::map<SymbolId, Window> Begun;
  std::vector<Window> Windows;
  // Those that were closed before.
  std::vector<Window> Closed;
  std::vector<Pending> Accesses;
  std::vector<Foreign> Foreigners;
  // Pointers checked earlier.
  std::set<SymbolId> Checked;
  // Those of them that only access_ok() checked, and its result.
  std::map<SymbolId, SymbolId> Asked;
  // What access_ok() and earlier windows checked: base, and size if it is known.
  std::vector<std::pair<Value, std::optional<Value>>> Ranges;
  // Numbers with an upper bound from a comparison with a constant.
  std::set<SymbolId> Capped;
  // Those with a lower bound from one.
  std::set<SymbolId> Floored;
  // Those that the loops around this point go to.
  std::set<SymbolId> Driving;
  // Those that a loop went to before.
  std::set<SymbolId> Ended;
  // The variables in the conditions of these loops.
  std::set<const clang::VarDecl *> Control;
  // Where each access of a window was last.
  std::map<const clang::Stmt *, Value> Places;
  // What the variables in the loops' conditions were then.
  std::map<std::pair<const clang::Stmt *, const clang::VarDecl *>, Value> Turns;
  // The variables that copy_from_user() filled, and nothing has changed since.
  std::set<const clang::VarDecl *> Copied;
  // The scope that a fault left, if no window was opened since.
  const clang::CallExpr *FaultedScope = nullptr;
  // How far the path is, until something else is stored, and the last access that faulted.
  Reached Far = Reached::Nothing;
  // The calls since then, with what they were given.
  std::set<std::string> Since;
  Foreign Fault = {nullptr, nullptr};
  // The variables that were declared without a value, and which of their versions has none.
  std::map<const clang::VarDecl *, unsigned> Unset;
  // Where unsafe_get_user() is reading, and what it read at each place of the window.
  std::optional<std::pair<Value, const clang::CallExpr *>> Reading;
  std::vector<Fetch> Read;
  // The numbers that a branch which is not a loop's tested, and those that it found not too large.
  std::set<SymbolId> Tested, Limited;
  // Those of the latter that were tested as parts of a sum that may have wrapped, and whether that was compared
  // with another number.
  std::map<SymbolId, bool> Summed;
  // Those of them that were used since.
  std::set<SymbolId> Used;
  // The variables that have what a helper told of its accesses, which nothing has read yet.
  std::map<const clang::VarDecl *, Foreign> Unread;
  // The results of user_access_save() that were not restored yet.
  std::vector<SymbolId> Saved;
  // What a function returns, and the variable that has it, if it is one.
  std::optional<Value> Returned;
  const clang::VarDecl *ReturnedBy = nullptr;
  const clang::ReturnStmt *ReturnedAt = nullptr;
  // Undecided branches taken at each block, those in one direction, and blocks visited.
  std::map<unsigned, unsigned> Taken;
  std::map<std::pair<unsigned, bool>, unsigned> Same;
  unsigned Steps = 0;
};

} // namespace hotcocci

#endif
