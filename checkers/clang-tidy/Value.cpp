/* SPDX-License-Identifier: GPL-2.0 */
#include "Value.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace clang;

namespace hotcocci {

std::optional<SymbolId> Value::symbol() const {
  if (Constant == 0 && Terms.size() == 1 && Terms.begin()->second == 1)
    return Terms.begin()->first;
  return std::nullopt;
}

Value constant(int64_t C) {
  Value V;
  V.Constant = C;
  return V;
}

// Sums wrap, as signed overflow does with -fwrapv.
static int64_t wrap(uint64_t N) { return static_cast<int64_t>(N); }

Value plus(const Value &A, const Value &B, int64_t Factor) {
  Value Sum = A;
  Sum.Constant = wrap(uint64_t(A.Constant) + uint64_t(B.Constant) * uint64_t(Factor));
  for (auto [Id, F] : B.Terms) {
    int64_t &Term = Sum.Terms[Id];
    Term = wrap(uint64_t(Term) + uint64_t(F) * uint64_t(Factor));
    if (Term == 0)
      Sum.Terms.erase(Id);
  }
  Sum.Through.insert(B.Through.begin(), B.Through.end());
  Sum.Wraps |= B.Wraps;
  Sum.Carries |= B.Carries;
  return Sum;
}

Value times(const Value &A, int64_t Factor) {
  Value Zero;
  return plus(Zero, A, Factor);
}

bool same(const Value &A, const Value &B) {
  return A.Constant == B.Constant && A.Terms == B.Terms;
}

std::string key(const Value &V) {
  std::string Text = std::to_string(V.Constant);
  for (auto [Id, F] : V.Terms)
    Text += "+" + std::to_string(F) + "*" + std::to_string(Id);
  return Text;
}

SymbolId Symbols::add(Symbol S) {
  All.push_back(std::move(S));
  return All.size() - 1;
}

SymbolId Symbols::named(const std::string &Key, Symbol S) {
  auto Found = Names.find(Key);
  if (Found != Names.end())
    return Found->second;
  return Names[Key] = add(std::move(S));
}

std::set<SymbolId> Symbols::pointers(const Value &V) const {
  std::set<SymbolId> Found;
  for (auto [Id, F] : V.Terms)
    if (All[Id].Pointer)
      Found.insert(Id);
  return Found;
}

// A sum without its constant and common factor, with a positive first factor; and what it was
// divided by, which is negative if it was negated for that.
static std::pair<Value, int64_t> unit(const Value &V) {
  int64_t Common = 0;
  for (auto [Id, F] : V.Terms) {
    if (F == INT64_MIN)
      return {V, 1};
    Common = std::gcd(Common, F);
  }
  if (!V.Terms.empty() && V.Terms.begin()->second < 0)
    Common = -Common;
  Value Unit;
  for (auto [Id, F] : V.Terms)
    Unit.Terms[Id] = F / Common;
  return {Unit, Common};
}

// The greatest integer that is not above A / B.
static int64_t floored(int64_t A, int64_t B) { return A / B - (A % B && (A < 0) != (B < 0)); }

static std::optional<int64_t> add(std::optional<int64_t> A, std::optional<int64_t> B) {
  int64_t Sum;
  if (!A || !B || __builtin_add_overflow(*A, *B, &Sum))
    return std::nullopt;
  return Sum;
}

static std::optional<int64_t> scale(std::optional<int64_t> A, int64_t Factor) {
  int64_t Product;
  if (!A || __builtin_mul_overflow(*A, Factor, &Product))
    return std::nullopt;
  return Product;
}

void Facts::Bounds::narrow(std::optional<int64_t> Least, std::optional<int64_t> Most) {
  if (Least && (!Low || *Least > *Low))
    Low = Least;
  if (Most && (!High || *Most < *High))
    High = Most;
}

// The bounds of one symbol, also from what it was compared with: a < b, and b == 3.
Facts::Bounds Facts::of(const Symbols &Known, SymbolId Id, bool Compared) const {
  Value One;
  One.Terms[Id] = 1;
  Bounds B;
  if (auto Single = Sums.find(key(One)); Single != Sums.end())
    B = Single->second;
  B.narrow(Known[Id].Low, Known[Id].High);
  if (!Compared)
    return B;
  for (const auto &[Key, Both] : Sums) {
    auto Own = Both.Sum.Terms.find(Id);
    if (Both.Sum.Terms.size() != 2 || Own == Both.Sum.Terms.end() || std::abs(Own->second) != 1)
      continue;
    auto [Other, F] = Own == Both.Sum.Terms.begin() ? *std::next(Own) : *Both.Sum.Terms.begin();
    Bounds Rest = of(Known, Other, false);
    auto Least = hotcocci::add(Both.Low, scale(F > 0 ? Rest.High : Rest.Low, -F));
    auto Most = hotcocci::add(Both.High, scale(F > 0 ? Rest.Low : Rest.High, -F));
    if (Own->second > 0)
      B.narrow(Least, Most);
    else
      B.narrow(scale(Most, -1), scale(Least, -1));
  }
  return B;
}

Facts::Bounds Facts::of(const Symbols &Known, const Value &Unit) const {
  auto Found = Sums.find(key(Unit));
  Bounds B = Found == Sums.end() ? Bounds() : Found->second;
  Bounds Each;
  Each.Low = Each.High = 0;
  for (auto [Id, F] : Unit.Terms) {
    Bounds One = of(Known, Id, true);
    Each.Low = hotcocci::add(Each.Low, scale(F > 0 ? One.Low : One.High, F));
    Each.High = hotcocci::add(Each.High, scale(F > 0 ? One.High : One.Low, F));
  }
  B.narrow(Each.Low, Each.High);
  B.Sum = Unit;
  return B;
}

std::optional<int64_t> Facts::most(const Symbols &Known, const Value &V) const {
  if (V.isConstant())
    return V.Constant;
  auto [Unit, Common] = unit(V);
  Bounds B = of(Known, Unit);
  return hotcocci::add(scale(Common < 0 ? B.Low : B.High, Common), V.Constant);
}

std::optional<int64_t> Facts::least(const Symbols &Known, const Value &V) const {
  return scale(most(Known, times(V, -1)), -1);
}

std::optional<int64_t> Facts::alone(const Symbols &Known, SymbolId Id) const { return of(Known, Id, false).High; }

bool Facts::allow(llvm::function_ref<std::optional<int64_t>(const Value &)> Evaluate) const {
  return llvm::all_of(Sums, [&](const auto &Fact) {
    const Bounds &B = Fact.second;
    auto Sum = Evaluate(B.Sum);
    return !Sum || ((!B.Low || *Sum >= *B.Low) && (!B.High || *Sum <= *B.High) && !B.Not.count(*Sum));
  });
}

bool Facts::add(const Symbols &Known, const Value &V, Relation How) {
  if (V.isConstant())
    switch (How) {
    case Relation::Zero:
      return V.Constant == 0;
    case Relation::NonZero:
      return V.Constant != 0;
    case Relation::Below:
      return V.Constant < 0;
    case Relation::AtMost:
      return V.Constant <= 0;
    }
  auto [Unit, Common] = unit(V);
  Bounds B = of(Known, Unit);
  // V = Common * Unit + Constant: zero at this Unit, and below on one side of it.
  auto Over = scale(V.Constant, -1);
  if (!Over)
    return true;
  const bool Exact = *Over % Common == 0;
  const int64_t Edge = floored(*Over, Common);
  auto Raise = [&](int64_t To) { B.Low = B.Low && *B.Low > To ? *B.Low : To; };
  auto Lower = [&](int64_t To) { B.High = B.High && *B.High < To ? *B.High : To; };
  switch (How) {
  case Relation::Zero:
    if (!Exact)
      return false;
    Raise(Edge);
    Lower(Edge);
    break;
  case Relation::NonZero:
    if (Exact)
      B.Not.insert(Edge);
    break;
  case Relation::Below:
    Common < 0 ? Raise(Edge + 1) : Lower(Exact ? Edge - 1 : Edge);
    break;
  case Relation::AtMost:
    Common < 0 ? Raise(Exact ? Edge : Edge + 1) : Lower(Edge);
    break;
  }
  while (B.Low && B.Not.count(*B.Low))
    ++*B.Low;
  while (B.High && B.Not.count(*B.High))
    --*B.High;
  Sums[key(Unit)] = B;
  return !B.Low || !B.High || *B.Low <= *B.High;
}

} // namespace hotcocci
