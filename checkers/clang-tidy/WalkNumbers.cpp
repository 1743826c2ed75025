/* SPDX-License-Identifier: GPL-2.0 */
// What the numbers of a sum may be on a path: the least of it, and what takes it below 0.
#include "Walker.h"

using namespace clang;

namespace hotcocci {

// How many numbers are tried together.
static constexpr unsigned Together = 3;

// The least that a sum can be if what rounding leaves out decides it.
Value Walker::rounded(const Value &V, const State &S) {
  if (V.Terms.size() == 1 && V.Terms.begin()->second > 0) {
    auto [Id, F] = *V.Terms.begin();
    // A loop that went on because of what its bound was rounded up by.
    for (SymbolId Rest = 0; Rest < Eval.Known.size(); ++Rest) {
      const Symbol &Left = Eval.Known[Rest];
      if (!Left.Remainder || !Left.High || Eval.tested(Left.Operand))
        continue;
      int64_t Added = Left.Operand.Constant;
      bool Up = (Added & *Left.High) == *Left.High;
      if (!Up || plus(Left.Operand, constant(Added), -1).symbol() != Id)
        continue;
      Value Down;
      Down.Terms = {{Id, 1}, {Rest, -1}};
      auto Edge = S.Known.least(Eval.Known, Down);
      Value Number;
      Number.Terms[Id] = 1;
      auto Own = S.Known.least(Eval.Known, Number);
      if (Edge && *Edge > -*Left.High)
        return constant(V.Constant + F * std::max({*Edge, Own.value_or(0), int64_t(0)}));
    }
  }
  return cut(V, S);
}

// The least that a sum can be for any remainder in it.
Value Walker::cut(const Value &V, const State &S) {
  Value Least = V;
  for (auto [Id, F] : V.Terms) {
    if (!Eval.Known[Id].Remainder || Eval.tested(Eval.Known[Id].Operand))
      continue;
    Value One;
    One.Terms[Id] = 1;
    auto Edge = F > 0 ? S.Known.least(Eval.Known, One) : S.Known.most(Eval.Known, One);
    if (Edge)
      Least = plus(plus(Least, One, -F), constant(*Edge * F));
  }
  return Least;
}

// Whether no test limits a number to less than its type does.
bool Walker::unlimited(SymbolId Id, const State &S) const {
  Value One;
  One.Terms[Id] = 1;
  return !Eval.judged(Id) && !S.Capped.count(Id) && S.Known.most(Eval.Known, One) == Eval.Known[Id].High;
}

// The parameter or member that takes a sum below 0, and the most that it can be without that, if no
// test limits it further. A signed one is known not to be negative if it is a Length.
std::optional<std::pair<const NamedDecl *, int64_t>> Walker::unless(const Value &V, const State &S,
                                                                    bool Length) {
  if (V.Terms.size() != 1 || V.Constant < 0 || V.Terms.begin()->second > 0)
    return std::nullopt;
  auto [Id, F] = *V.Terms.begin();
  const Symbol &Number = Eval.Known[Id];
  const int64_t Most = V.Constant / -F;
  Value One;
  One.Terms[Id] = 1;
  auto High = S.Known.most(Eval.Known, One);
  if ((High && *High <= Most) || (Most && !unlimited(Id, S)) || (Number.Low != 0 && !Length))
    return std::nullopt;
  if (Number.Kind == SymbolKind::Entry)
    return std::pair(Number.Variable, Most);
  if (Number.Kind == SymbolKind::Load && Length && Number.Member)
    return std::pair(Number.Member, Most);
  return std::nullopt;
}

// The parameter that is limited from above only, and has to be the most that it can be so that a sum is
// not below 0.
const VarDecl *Walker::upTo(const Value &V, const State &S) const {
  if (V.Terms.size() != 1 || V.Terms.begin()->second < 0 || S.Known.most(Eval.Known, V) != 0)
    return nullptr;
  auto [Id, F] = *V.Terms.begin();
  const Symbol &Number = Eval.Known[Id];
  Value One;
  One.Terms[Id] = 1;
  return Number.Kind == SymbolKind::Entry && S.Capped.count(Id) && !Eval.judged(Id) &&
                 S.Known.least(Eval.Known, One) == 0
             ? Number.Variable
             : nullptr;
}

// Whether a number may be any that its type has room for, whatever the callers do, and where it is from.
bool Walker::isAny(SymbolId Id) const {
  const Symbol &Number = Eval.Known[Id];
  return Number.Kind == SymbolKind::Fetched || Number.Uncut || (Number.Kind == SymbolKind::Entry && isSystemCall());
}
std::string Walker::origin(SymbolId Id) const {
  return Eval.Known[Id].Kind == SymbolKind::Entry ? "a parameter of the system call" : Eval.Known[Id].Uncut ? "the result of snprintf(), which may have cut the text" : "a number from user memory";
}

// The number which may be any and that no test limits for large values of which a sum is below 0.
std::optional<SymbolId> Walker::given(const Value &V, const State &S) const {
  auto Least = S.Known.least(Eval.Known, V);
  if (Least && *Least >= 0)
    return std::nullopt;
  auto Found = llvm::find_if(V.Terms, [&](const auto &Term) {
    auto [Id, F] = Term;
    const Symbol &Number = Eval.Known[Id];
    Value Rest = V;
    Rest.Terms.erase(Id);
    return F < 0 && isAny(Id) && !Number.Pointer && unlimited(Id, S) && !dependsOn(Rest, Id) &&
           (!Rest.isConstant() || !Number.High || *Number.High > V.Constant / -F);
  });
  return Found == V.Terms.end() ? std::nullopt : std::optional(Found->first);
}

// Whether a sum may be below 0 as what is left of a size that user space gives and no test makes large enough.
bool Walker::scarce(const Value &V, const State &S) const {
  if (V.Terms.size() != 1 || V.Terms.begin()->second < 0 || S.Known.least(Eval.Known, V).value_or(0) >= 0)
    return false;
  const SymbolId Id = V.Terms.begin()->first;
  return isAny(Id) && !Eval.Known[Id].Pointer && !Eval.judged(Id) && !Eval.tested(V) && !S.Driving.count(Id) && !S.Ended.count(Id);
}

// The signed number, of user memory or a parameter that this function limits from above, for which an
// offset is below 0, as no test keeps it from that.
std::optional<std::string> Walker::negative(const Value &V, const State &S) const {
  if (V.Terms.size() != 1 || V.Terms.begin()->second < 0)
    return std::nullopt;
  auto [Id, F] = *V.Terms.begin();
  const Symbol &Number = Eval.Known[Id];
  Value One;
  One.Terms[Id] = 1;
  if (!Number.Low || *Number.Low >= -V.Constant / F || Eval.judged(Id) || Eval.takenUnsigned(Id) ||
      S.Known.least(Eval.Known, One) != Number.Low)
    return std::nullopt;
  if (Number.Kind == SymbolKind::Fetched)
    return "a number from user memory";
  // The callers of a static function may limit it.
  if (Number.Kind == SymbolKind::Entry && S.Capped.count(Id) && isCalledByAny())
    return Number.Variable->getName().str();
  return std::nullopt;
}

// The least that a sum can be if a text in it is no longer than is known of its characters.
std::optional<int64_t> Walker::ended(const Value &V, const State &S) const {
  if (V.Terms.size() != 1 || V.Terms.begin()->second < 0)
    return std::nullopt;
  auto [Id, F] = *V.Terms.begin();
  const Symbol &Text = Eval.Known[Id];
  Value One;
  One.Terms[Id] = 1;
  if (!Text.Length || Eval.judged(Id) || S.Known.least(Eval.Known, One) != 0)
    return std::nullopt;
  auto Follows = [&](int64_t At) {
    return llvm::any_of(S.Memory, [&](const Cell &C) {
      Facts Known = S.Known;
      return C.Size == 1 && same(C.Place, plus(Text.Operand, constant(At))) && !Known.add(Eval.Known, C.Content, Relation::Zero);
    });
  };
  int64_t Length = 0;
  while (V.Constant + F * Length < 0 && Follows(Length))
    ++Length;
  return V.Constant + F * Length;
}

// The most that a sum can be, below 0, if a number that is read again is what it was before.
std::optional<int64_t> Walker::unchanged(const Value &V, const State &S) const {
  for (auto [Now, Before] : S.Again) {
    auto Term = V.Terms.find(Before);
    if (Term == V.Terms.end())
      continue;
    Value New, Old;
    New.Terms[Now] = 1;
    Old.Terms[Before] = 1;
    auto Most = S.Known.most(Eval.Known, plus(plus(V, Old, -Term->second), New, Term->second));
    const int64_t Low = S.Known.least(Eval.Known, New).value_or(INT64_MIN), High = S.Known.most(Eval.Known, New).value_or(INT64_MAX);
    if (Most && *Most < 0 && S.Known.least(Eval.Known, Old).value_or(Low) <= High && S.Known.most(Eval.Known, Old).value_or(High) >= Low)
      return Most;
  }
  return std::nullopt;
}

// A sum with the numbers in it that can be one number only on this path, as that number.
Value Walker::pinned(Value V, const State &S) const {
  for (auto [Id, F] : Value(V).Terms) {
    Value One;
    One.Terms[Id] = 1;
    auto Least = S.Known.least(Eval.Known, One);
    if (Least && Least == S.Known.most(Eval.Known, One))
      V = plus(plus(V, One, -F), constant(*Least * F));
  }
  return V;
}

// Adds the numbers that a sum is computed from, by rounding, dividing and cutting them, if this function limits them
// or user memory has them; false if one may be as another function or the code before wants it.
bool Walker::sources(const Value &V, const State &S, bool Kept, std::set<SymbolId> &Found) const {
  return llvm::all_of(V.Terms, [&](const auto &Term) {
    const SymbolId Id = Term.first;
    const Symbol &Number = Eval.Known[Id];
    const bool Computed = Number.Divisor || Number.Limited || Number.Cut || Number.Remainder || Number.Bits != Counted::Nothing;
    if (Number.Pointer || Eval.judged(Id) || (Computed && Eval.tested(Number.Operand)))
      return false;
    if (Computed)
      return sources(Number.Operand, S, Kept || Number.Limited || Number.Bits != Counted::Nothing, Found);
    Found.insert(Id);
    return Number.Low && (Kept || S.Capped.count(Id) || Number.Kind == SymbolKind::Fetched);
  });
}

// What a sum is if the numbers that it is computed from are these.
std::optional<int64_t> Walker::evaluated(const Value &V, const std::map<SymbolId, int64_t> &Numbers) const {
  int64_t Sum = V.Constant;
  for (auto [Id, F] : V.Terms) {
    const Symbol &Part = Eval.Known[Id];
    std::optional<int64_t> Own;
    if (auto Number = Numbers.find(Id); Number != Numbers.end()) {
      Own = Number->second;
    } else {
      const bool Bits = Part.Bits != Counted::Nothing;
      if ((!Part.Divisor && !Part.Limited && !Part.Cut && !Part.Remainder && !Bits) || (Part.Remainder && !Part.High))
        return std::nullopt;
      Own = evaluated(Part.Operand, Numbers);
      if (!Own || (Bits && !*Own) || *Own < 0 || (!Part.Divisor && Part.Low != 0))
        return std::nullopt;
      Own = Part.Bits == Counted::Set     ? llvm::popcount(uint64_t(*Own))
            : Part.Bits == Counted::Below ? llvm::countr_zero(uint64_t(*Own))
            : Part.Divisor  ? *Own / Part.Divisor
            : Part.Modulo ? *Own % (*Part.High + 1)
                          : *Own & *Part.High;
    }
    if (__builtin_mul_overflow(*Own, F, &*Own) || __builtin_add_overflow(Sum, *Own, &Sum))
      return std::nullopt;
  }
  return Sum;
}

// The least that a sum is for a small or the greatest value of the one number it is computed from, or for the least
// and greatest ones of a few, if that is below 0 and nothing on this path excludes it.
std::optional<int64_t> Walker::tried(const Value &V, const State &S) const {
  std::set<SymbolId> Of;
  if (!sources(V, S, false, Of) || Of.empty() || Of.size() > Together)
    return std::nullopt;
  // The number of bits that are set bounds a size only where the number of one of them is the index.
  auto Counts = [&](Counted What) { return llvm::any_of(V.Terms, [&](const auto &Term) { return Eval.Known[Term.first].Bits == What; }); };
  if (Counts(Counted::Set) && !Counts(Counted::Below))
    return std::nullopt;
  // Who calls this may know the least that a number can be, or how two of them are related.
  const SymbolId Only = *Of.begin();
  if (Of.size() == 1 ? V.Terms.size() == 1 && V.Terms.count(Only) && V.Terms.begin()->second > 0
                     : !llvm::all_of(Of, [&](SymbolId Id) { return isGiven(Id); }))
    return std::nullopt;
  std::optional<int64_t> Least;
  auto Try = [&](const std::map<SymbolId, int64_t> &Numbers) {
    auto Sum = evaluated(V, Numbers);
    if (Sum && *Sum < std::min(Least.value_or(0), int64_t(0)) &&
        S.Known.allow([&](const Value &Known) { return evaluated(Known, Numbers); }))
      Least = Sum;
  };
  std::vector<std::map<SymbolId, int64_t>> Corners(1);
  for (SymbolId Id : Of) {
    Value One;
    One.Terms[Id] = 1;
    std::vector<std::map<SymbolId, int64_t>> Before;
    std::swap(Before, Corners);
    for (auto Edge : {S.Known.least(Eval.Known, One), S.Known.most(Eval.Known, One)})
      for (auto &Corner : Before)
        if (Edge) {
          Corners.push_back(Corner);
          Corners.back()[Id] = std::max(*Edge, int64_t(0));
        }
  }
  for (const auto &Corner : Corners)
    Try(Corner);
  for (int64_t Number = 0; Of.size() == 1 && Number < 256; ++Number)
    Try({{Only, Number}});
  return Least;
}

} // namespace hotcocci
