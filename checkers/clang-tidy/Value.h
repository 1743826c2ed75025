/* SPDX-License-Identifier: GPL-2.0 */
// Values on a path through a function: sums of symbols with constant factors, and the facts about
// such sums from the branches taken so far.
#ifndef HOTCOCCI_VALUE_H
#define HOTCOCCI_VALUE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace hotcocci {

using SymbolId = unsigned;

// c + f1 * s1 + f2 * s2 ... in 64-bit arithmetic.
// Through holds the variables that the value was read from.
struct Value {
  std::map<SymbolId, int64_t> Terms;
  int64_t Constant = 0;
  std::set<const clang::VarDecl *> Through;
  // Or less, as it was computed in 32 bits and may not fit them.
  bool Wraps = false;
  // The same of a sum.
  bool Carries = false;

  bool isConstant() const { return Terms.empty(); }
  // The symbol, if the value is just one symbol.
  std::optional<SymbolId> symbol() const;
};

Value constant(int64_t C);
Value plus(const Value &A, const Value &B, int64_t Factor = 1);
Value times(const Value &A, int64_t Factor);
bool same(const Value &A, const Value &B);

enum class SymbolKind {
  Entry,   // the value of a parameter on function entry
  Address, // the address of a variable
  Load,    // a value read from memory
  Masked,  // a pointer made safe by masking
  Fetched, // a value read from user memory
  Begun,   // the result of a begin
  Saved,   // the result of user_access_save()
  Unset,   // what a variable has that nothing has set
  Compare, // the result of comparing a sum with zero
  Unknown, // anything else
};

// What is counted: the bits that are set in a number, or those below the first one.
enum class Counted { Nothing, Set, Below };

enum class Relation { Zero, NonZero, Below, AtMost };

struct Symbol {
  SymbolKind Kind = SymbolKind::Unknown;
  // Is a pointer; two such symbols point to two objects.
  bool Pointer = false;
  // What rounding leaves out: any number within its bounds.
  bool Remainder = false;
  // The result of & or % with a constant, which its operand may take to its upper bound.
  bool Limited = false;
  // That of a constant shifted left; the operand is by how much.
  bool Shifted = false;
  // That of %.
  bool Modulo = false;
  // A number of which only the low bits were kept.
  bool Cut = false;
  // The result of a function that returns error numbers as well.
  bool Fails = false;
  // That of strlen().
  bool Length = false;
  // That of snprintf(): the length of a text that may have been cut.
  bool Uncut = false;
  // An address of which only the low half was kept.
  bool Half = false;
  // Bounds from its type.
  std::optional<int64_t> Low, High;
  // Entry, Address: the variable. Load: the member, if any.
  const clang::VarDecl *Variable = nullptr;
  const clang::FieldDecl *Member = nullptr;
  // Begun, Saved: the call. Unknown: one that returns an error number if an access of it faulted.
  const clang::CallExpr *Call = nullptr;
  // Compare: the operand and its relation to zero. Remainder: what was rounded. Limited: the
  // operand of & or %. Quotient: what was divided. Half: the whole address. Cut: the whole number.
  // Anything else: a sum of what it was computed from.
  Value Operand;
  // How many bits: the operand is the number that has them.
  Counted Bits = Counted::Nothing;
  // Quotient: the divisor, a power of two; else 0.
  int64_t Divisor = 0;
  // The number of elements between two pointers: the quotient has no rest.
  bool Elements = false;
  Relation How = Relation::NonZero;
  // Load: where.
  Value Place;
  // Fetched: what was read from the same place in the same window before. Load: the same of READ_ONCE().
  std::optional<SymbolId> Before;
};

class Symbols {
public:
  SymbolId add(Symbol S);
  // The one symbol for a key: an operation on the same values gives the same result.
  SymbolId named(const std::string &Key, Symbol S);
  const Symbol &operator[](SymbolId Id) const { return All[Id]; }
  SymbolId size() const { return All.size(); }
  // The pointers in a sum.
  std::set<SymbolId> pointers(const Value &V) const;

private:
  std::vector<Symbol> All;
  std::map<std::string, SymbolId> Names;
};

std::string key(const Value &V);

// What is known about sums on one path.
class Facts {
public:
  // Adds a relation of a sum to zero; false if it contradicts a known fact.
  bool add(const Symbols &Known, const Value &V, Relation How);
  std::optional<int64_t> most(const Symbols &Known, const Value &V) const;
  std::optional<int64_t> least(const Symbols &Known, const Value &V) const;
  // The most that is known of a number alone, not of sums of it and others.
  std::optional<int64_t> alone(const Symbols &Known, SymbolId Id) const;
  // Whether no fact about sums that have a value with these numbers contradicts it.
  bool allow(llvm::function_ref<std::optional<int64_t>(const Value &)> Evaluate) const;

private:
  struct Bounds {
    std::optional<int64_t> Low, High;
    std::set<int64_t> Not;
    Value Sum;
    void narrow(std::optional<int64_t> Least, std::optional<int64_t> Most);
  };
  std::map<std::string, Bounds> Sums;

  Bounds of(const Symbols &Known, const Value &Unit) const;
  Bounds of(const Symbols &Known, SymbolId Id, bool Compared) const;
};

} // namespace hotcocci

#endif
