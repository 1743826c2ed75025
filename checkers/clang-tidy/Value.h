/* SPDX-License-Identifier: GPL-2.0 */
// Values of a path through a function: sums of symbols with constant factors, and what the
// branches taken so far say about such sums.
#ifndef HOTCOCCI_VALUE_H
#define HOTCOCCI_VALUE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hotcocci {

using SymbolId = unsigned;

// c + f1 * s1 + f2 * s2 ...; arithmetic is that of a 64-bit machine without overflow.
// Through holds the variables that the value was read from on its way.
struct Value {
  std::map<SymbolId, int64_t> Terms;
  int64_t Constant = 0;
  std::set<const clang::VarDecl *> Through;

  bool isConstant() const { return Terms.empty(); }
  // The symbol, if the value is one and nothing else.
  std::optional<SymbolId> symbol() const;
};

Value constant(int64_t C);
Value plus(const Value &A, const Value &B, int64_t Factor = 1);
Value times(const Value &A, int64_t Factor);
bool same(const Value &A, const Value &B);

enum class SymbolKind {
  Entry,   // what a parameter held when the function was entered
  Address, // where a variable stands
  Load,    // what memory held
  Masked,  // a pointer that masking made safe
  Fetched, // a pointer that was read from user memory
  Begun,   // whether a window was opened
  Compare, // whether a sum is zero, or below zero
  Unknown, // anything else
};

enum class Relation { Zero, NonZero, Below, AtMost };

struct Symbol {
  SymbolKind Kind = SymbolKind::Unknown;
  // Points to something; two such symbols are two objects.
  bool Pointer = false;
  // Bounds that its type gives.
  std::optional<int64_t> Low, High;
  // Entry, Address: the variable. Load: the member, if it was one.
  const clang::VarDecl *Variable = nullptr;
  const clang::FieldDecl *Member = nullptr;
  // Begun: the call.
  const clang::CallExpr *Call = nullptr;
  // Compare: what stands in which relation to zero.
  Value Operand;
  Relation How = Relation::NonZero;
};

class Symbols {
public:
  SymbolId add(Symbol S);
  // A symbol of which there is one for each key: an operation on the same values is the same.
  SymbolId named(const std::string &Key, Symbol S);
  const Symbol &operator[](SymbolId Id) const { return All[Id]; }
  // The pointers in a sum.
  std::set<SymbolId> pointers(const Value &V) const;

private:
  std::vector<Symbol> All;
  std::map<std::string, SymbolId> Names;
};

std::string key(const Value &V);

// What is known of sums on one path.
class Facts {
public:
  // Adds that the sum stands in a relation to zero; false if that contradicts what is known.
  bool add(const Symbols &Known, const Value &V, Relation How);
  std::optional<int64_t> most(const Symbols &Known, const Value &V) const;
  std::optional<int64_t> least(const Symbols &Known, const Value &V) const;

private:
  struct Bounds {
    std::optional<int64_t> Low, High;
    std::set<int64_t> Not;
  };
  std::map<std::string, Bounds> Sums;

  Bounds of(const Symbols &Known, const Value &Unit) const;
};

} // namespace hotcocci

#endif
