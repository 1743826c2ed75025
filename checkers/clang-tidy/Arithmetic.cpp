/* SPDX-License-Identifier: GPL-2.0 */
#include "Evaluator.h"

#include "llvm/ADT/StringSwitch.h"

#include <numeric>

using namespace clang;

namespace hotcocci {

uint64_t Evaluator::bytes(QualType Type) const {
  if (Type->isVoidType() || Type->isFunctionType())
    return 1;
  if (Type->isIncompleteType() || Type->isDependentType() || Type->isVariableArrayType())
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

int64_t Evaluator::stride(QualType Pointer) const {
  return Pointer->isPointerType() ? bytes(Pointer->getPointeeType()) : 1;
}

void Evaluator::bound(Symbol &S, QualType Type) const {
  S.Pointer = Type->isPointerType();
  if (!Type->isIntegralOrEnumerationType() || Type->isIncompleteType())
    return;
  unsigned Bits = Type->isBooleanType() ? 1 : Context.getTypeSize(Type);
  bool Unsigned = Type->isUnsignedIntegerOrEnumerationType() || Type->isBooleanType();
  S.Low = Unsigned ? 0 : -INT64_MAX;
  if (Bits > 32)
    return;
  S.High = (int64_t(1) << (Unsigned ? Bits : Bits - 1)) - 1;
  if (!Unsigned)
    S.Low = -(int64_t(1) << (Bits - 1));
}

Value Evaluator::unknown(QualType Type) {
  Symbol S;
  bound(S, Type);
  return symbol(std::move(S));
}

Value Evaluator::bits(Counted What, const Value &Of) {
  Symbol Number;
  Number.Low = 0;
  Number.High = What == Counted::Set ? 64 : 63;
  Number.Bits = What;
  Number.Operand = Of;
  Value V;
  V.Terms[Known.named("bits" + std::to_string(int(What)) + key(Of), std::move(Number))] = 1;
  V.Through = Of.Through;
  return V;
}

Value Evaluator::opaque(const std::string &What, QualType Type, std::vector<Value> Parts, bool Cut) {
  std::string Key = What;
  for (const Value &Part : Parts)
    Key += "(" + key(Part) + ")";
  Symbol S;
  bound(S, Type);
  S.Cut = Cut;
  for (const Value &Part : Parts)
    S.Operand = plus(S.Operand, Part);
  Value V;
  V.Terms[Known.named(Key, std::move(S))] = 1;
  for (const Value &Part : Parts)
    V.Through.insert(Part.Through.begin(), Part.Through.end());
  return V;
}

// The part of a sum that decides whether it needs rounding, as far as it is not constant; that of a
// multiple is the same.
static std::string terms(const Value &V) {
  int64_t Common = 0;
  for (auto [Id, F] : V.Terms)
    Common = std::gcd(Common, F);
  Value Sum;
  for (auto [Id, F] : V.Terms)
    Sum.Terms[Id] = F / Common;
  return key(Sum);
}

bool Evaluator::tested(const Value &V) const { return Tested.count(terms(V)) > 0; }

void Evaluator::judge(const Value &V, bool ByCall) {
  for (auto [Id, F] : V.Terms) {
    Judged.insert(Id);
    if (ByCall)
      Given.insert(Id);
  }
  test(V);
}

void Evaluator::test(const Value &V) {
  for (auto [Id, F] : V.Terms)
    if (Known[Id].Limited || (Known[Id].Remainder && !Known[Id].High))
      Tested.insert(terms(Known[Id].Operand));
}

Value Evaluator::quotient(const Value &V, int64_t Divisor, QualType Type, bool Elements) {
  Symbol Part;
  bound(Part, Type);
  Part.Elements = Elements;
  Part.Operand = V;
  Part.Divisor = Divisor;
  Value Result;
  Result.Terms[Known.named((Elements ? "elements/" : "/") + std::to_string(Divisor) + key(V), std::move(Part))] = 1;
  Result.Through = V.Through;
  return Result;
}

Value Evaluator::multiplied(Value V) {
  const Value Before = V;
  for (auto [Id, F] : Before.Terms) {
    const Symbol Part = Known[Id];
    if (!Part.Divisor || F % Part.Divisor)
      continue;
    V.Terms.erase(Id);
    Value Down = Part.Operand;
    if (!Part.Elements)
      Down = plus(Down, remainder(Down, Part.Divisor - 1), -1);
    V = plus(V, multiplied(Down), F / Part.Divisor);
  }
  return V;
}

std::pair<Value, int64_t> Evaluator::whole(const Value &V) {
  int64_t Factor = 1;
  for (auto [Id, F] : V.Terms)
    while (Known[Id].Divisor && F * Factor % Known[Id].Divisor)
      Factor *= 2;
  return {multiplied(times(V, Factor)), Factor};
}

// V & Mask, where Mask has low bits only: what rounding down leaves out.
Value Evaluator::remainder(const Value &V, int64_t Mask) {
  Value Rest = V;
  Rest.Constant &= Mask;
  for (auto Term = Rest.Terms.begin(); Term != Rest.Terms.end();)
    Term = Term->second & Mask ? std::next(Term) : Rest.Terms.erase(Term);
  if (Rest.isConstant())
    return Rest;
  // What was rounded before is a multiple.
  for (auto [Id, F] : V.Terms) {
    const Symbol &Before = Known[Id];
    if (!Before.Remainder || !Before.High || F != -1 || (*Before.High & Mask) != Mask)
      continue;
    Value Distance = plus(V, Before.Operand, -1);
    Distance.Terms.erase(Id);
    if (Distance.isConstant())
      return constant(Distance.Constant & Mask);
  }
  Symbol Left;
  Left.Low = 0;
  Left.High = Mask;
  Left.Remainder = true;
  Left.Operand = V;
  Value Result;
  Result.Terms[Known.named("low" + std::to_string(Mask) + "&" + key(Rest), std::move(Left))] = 1;
  Result.Through = V.Through;
  return Result;
}

std::optional<Value> Evaluator::limited(const CallExpr *E, State &S) {
  const FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || E->getNumArgs() < 2)
    return std::nullopt;
  auto Op = llvm::StringSwitch<std::optional<BinaryOperatorKind>>(Callee->getName())
                .Cases("size_mul", "__builtin_mul_overflow", BO_Mul)
                .Cases("size_add", "__builtin_add_overflow", BO_Add)
                .Case("__builtin_sub_overflow", BO_Sub)
                .Default(std::nullopt);
  if (!Op)
    return std::nullopt;
  const Expr *Left = E->getArg(0), *Right = E->getArg(1);
  return arithmetic(*Op, value(Left, S), Left->getType(), value(Right, S), Right->getType(), Left->getType());
}

Value Evaluator::compare(const Value &V, Relation How) {
  if (V.isConstant()) {
    Facts None;
    return constant(None.add(Known, V, How));
  }
  // Comparing the result of a comparison with zero gives that comparison or its negation.
  if (auto Id = V.symbol(); Id && Known[*Id].Kind == SymbolKind::Compare) {
    if (How == Relation::NonZero)
      return V;
    if (How == Relation::Zero) {
      Symbol Inner = Known[*Id];
      switch (Inner.How) {
      case Relation::Zero:
        return compare(Inner.Operand, Relation::NonZero);
      case Relation::NonZero:
        return compare(Inner.Operand, Relation::Zero);
      case Relation::Below: // not a < 0: -a <= 0
        return compare(times(Inner.Operand, -1), Relation::AtMost);
      case Relation::AtMost:
        return compare(times(Inner.Operand, -1), Relation::Below);
      }
    }
  }
  Symbol S;
  S.Kind = SymbolKind::Compare;
  S.Operand = V;
  S.How = How;
  S.Low = 0;
  S.High = 1;
  Value Result;
  Result.Terms[Known.named("?" + std::to_string(int(How)) + key(V), std::move(S))] = 1;
  return Result;
}

bool Evaluator::assume(const Value &V, bool Truth, State &S) {
  if (V.isConstant())
    return (V.Constant != 0) == Truth;
  auto Id = V.symbol();
  if (!Id)
    return S.Known.add(Known, V, Truth ? Relation::NonZero : Relation::Zero);
  Symbol Seen = Known[*Id];
  test(Seen.Kind == SymbolKind::Compare ? Seen.Operand : V);
  if (Seen.Kind == SymbolKind::Compare) {
    if (!Truth) {
      Value Contrary = compare(V, Relation::Zero);
      return assume(Contrary, true, S);
    }
    if (auto Inner = Seen.Operand.symbol();
        Inner && Known[*Inner].Kind == SymbolKind::Begun &&
        (Seen.How == Relation::Zero || Seen.How == Relation::NonZero))
      return assume(Seen.Operand, Seen.How == Relation::NonZero, S);
    if (Seen.Operand.Terms.size() > 1)
      judge(Seen.Operand);
    if (!S.Known.add(Known, Seen.Operand, Seen.How))
      return false;
    auto [Whole, Factor] = whole(Seen.Operand);
    if (Factor == 1)
      return true;
    // Below 0 is at most -1, before it is multiplied.
    if (Seen.How == Relation::Below)
      return S.Known.add(Known, plus(Whole, constant(Factor)), Relation::AtMost);
    return S.Known.add(Known, Whole, Seen.How);
  }
  if (Seen.Kind == SymbolKind::Begun)
    Decided = Decision{*Id, Truth};
  return S.Known.add(Known, V, Truth ? Relation::NonZero : Relation::Zero);
}

Value Evaluator::converted(const Value &V, QualType From, QualType To) {
  if (V.isConstant()) {
    unsigned Bits = Context.getIntWidth(To);
    if (Bits >= 64)
      return V;
    uint64_t Low = uint64_t(V.Constant) & ((uint64_t(1) << Bits) - 1);
    bool Negative = To->isSignedIntegerOrEnumerationType() && (Low >> (Bits - 1));
    Value Cut = constant(Negative ? int64_t(Low | ~((uint64_t(1) << Bits) - 1)) : int64_t(Low));
    Cut.Through = V.Through;
    return Cut;
  }
  // Counts and sizes are assumed to fit an int; only conversions to narrower types truncate.
  uint64_t Width = bytes(To);
  if (Width < 4 && Width < bytes(From))
    return opaque("cut" + std::to_string(Width), To, {V}, true);
  return Width < bytes(From) ? product(V, To) : V;
}

// A sum of numbers, in a type that may not have room for it.
Value Evaluator::wrapping(Value V, QualType Type) const {
  V.Carries |= V.Terms.size() > 1 && bytes(Type) == 4 && Type->isUnsignedIntegerType() &&
             llvm::all_of(V.Terms, [&](const auto &Term) { return Term.second > 0; });
  return V;
}

// A multiple of a number, in a type that may not have room for it.
Value Evaluator::product(Value V, QualType Type) const {
  V.Wraps |= V.Terms.size() == 1 && V.Terms.begin()->second > 1 && bytes(Type) == 4;
  return V;
}

Value Evaluator::arithmetic(BinaryOperatorKind Op, const Value &L, QualType LeftType,
                            const Value &R, QualType RightType, QualType Type) {
  bool Pointers = LeftType->isPointerType() && RightType->isPointerType();
  // Kernel addresses do not fit a signed constant, so their order is unknown.
  bool Huge = (!LeftType->isSignedIntegerType() && L.isConstant() && L.Constant < 0) ||
              (!RightType->isSignedIntegerType() && R.isConstant() && R.Constant < 0);
  if (BinaryOperator::isRelationalOp(Op) && LeftType->isUnsignedIntegerType())
    for (const Value *Side : {&L, &R})
      for (auto [Id, F] : Side->Terms)
        Unsigned.insert(Id);
  // A sum that is less than a part of it has wrapped.
  for (const auto &[Sum, Part] : {std::pair(&L, &R), std::pair(&R, &L)})
    if (BinaryOperator::isRelationalOp(Op) && Sum->Carries && plus(*Sum, *Part, -1).Terms.size() < Sum->Terms.size())
      for (auto [Id, F] : Sum->Terms)
        Unwrapped.insert(Id);
  if (Huge && BinaryOperator::isRelationalOp(Op))
    return opaque(BinaryOperator::getOpcodeStr(Op).str(), Type, {L, R});
  switch (Op) {
  case BO_Add:
    if (RightType->isPointerType())
      return multiplied(plus(R, L, stride(RightType)));
    return wrapping(multiplied(plus(L, R, stride(LeftType))), Type);
  case BO_Sub: {
    if (auto Id = R.symbol(); Id && Known[*Id].Limited && same(Known[*Id].Operand, L)) {
      // n - n % 8 and n - (n & 7) round down, if the low bits are all that is left out.
      int64_t Mask = *Known[*Id].High;
      if ((Mask & (Mask + 1)) == 0)
        return plus(L, remainder(L, Mask), -1);
    }
    if (!Pointers)
      return multiplied(plus(L, R, -stride(LeftType)));
    Value Distance = plus(L, R, -1);
    int64_t Stride = stride(LeftType);
    if (Stride == 1)
      return Distance;
    if (Distance.isConstant() && Stride > 0)
      return constant(Distance.Constant / Stride);
    if (Stride > 1 && (Stride & (Stride - 1)) == 0)
      return quotient(Distance, Stride, Type, true);
    break;
  }
  case BO_Mul:
    if (R.isConstant())
      return product(multiplied(times(L, R.Constant)), Type);
    if (L.isConstant())
      return product(multiplied(times(R, L.Constant)), Type);
    break;
  case BO_Shl:
    if (R.isConstant() && R.Constant >= 0 && R.Constant < 63)
      return product(multiplied(times(L, int64_t(1) << R.Constant)), Type);
    if (L.isConstant() && !R.isConstant()) {
      // An int may have no room for it.
      Symbol Power;
      bound(Power, Context.UnsignedLongTy);
      Power.Shifted = true;
      Power.Operand = R;
      Value V;
      V.Terms[Known.named("<<" + key(L) + key(R), std::move(Power))] = 1;
      V.Through = R.Through;
      V.Wraps = bytes(Type) == 4;
      return V;
    }
    break;
  case BO_EQ:
    return compare(plus(L, R, -1), Relation::Zero);
  case BO_NE:
    return compare(plus(L, R, -1), Relation::NonZero);
  case BO_LT:
    return compare(plus(L, R, -1), Relation::Below);
  case BO_LE:
    return compare(plus(L, R, -1), Relation::AtMost);
  case BO_GT:
    return compare(plus(R, L, -1), Relation::Below);
  case BO_GE:
    return compare(plus(R, L, -1), Relation::AtMost);
  default:
    break;
  }
  if (L.isConstant() && R.isConstant()) {
    uint64_t A = L.Constant, B = R.Constant;
    switch (Op) {
    case BO_And:
      return constant(A & B);
    case BO_Or:
      return constant(A | B);
    case BO_Xor:
      return constant(A ^ B);
    case BO_Div:
      if (R.Constant > 0 && L.Constant >= 0)
        return constant(A / B);
      break;
    case BO_Rem:
      if (R.Constant > 0 && L.Constant >= 0)
        return constant(A % B);
      break;
    case BO_Shr:
      if (B < 64 && L.Constant >= 0)
        return constant(A >> B);
      break;
    default:
      break;
    }
  }
  if (R.isConstant() && (Op == BO_And || Op == BO_Or)) {
    int64_t Bits = bytes(Type) == 4 ? int64_t(int32_t(R.Constant)) : R.Constant;
    int64_t Mask = Op == BO_And ? ~Bits : Bits;
    if (Mask > 0 && (Mask & (Mask + 1)) == 0)
      return plus(plus(L, remainder(L, Mask), -1), constant(Op == BO_Or ? Mask : 0));
  }
  // n & -size and n & (size - 1), of a size that the function computes.
  if (Op == BO_And && bytes(Type) == 8 && R.Terms.size() == 1 && (R.Terms.begin()->second == -1 ? R.Constant == 0 : R.Terms.begin()->second == 1 && R.Constant == -1)) {
    Symbol Left;
    Left.Low = 0;
    Left.Remainder = true;
    Left.Operand = L;
    Value Rest;
    Rest.Terms[Known.named("low" + std::to_string(R.Terms.begin()->first) + "*&" + key(L), std::move(Left))] = 1;
    Rest.Through = L.Through;
    return R.Constant ? Rest : plus(L, Rest, -1);
  }
  if (R.isConstant() && (Op == BO_Div || Op == BO_Shr)) {
    int64_t Divisor = Op == BO_Div ? R.Constant : R.Constant < 32 ? int64_t(1) << R.Constant : 0;
    if (Divisor > 1 && (Divisor & (Divisor - 1)) == 0)
      return quotient(L, Divisor, Type);
  }
  Value V = opaque(BinaryOperator::getOpcodeStr(Op).str() + Type.getAsString(), Type, {L, R});
  // The result of & or % with a positive constant is bounded by it.
  if (R.isConstant() && R.Constant > 0 && (Op == BO_And || Op == BO_Rem)) {
    Symbol Bounded;
    Bounded.Low = 0;
    Bounded.High = Op == BO_And ? R.Constant : R.Constant - 1;
    Bounded.Limited = true;
    Bounded.Modulo = Op == BO_Rem;
    Bounded.Operand = L;
    Value Kept;
    Kept.Terms[Known.named("bounded" + key(V), std::move(Bounded))] = 1;
    Kept.Through = V.Through;
    if (Op == BO_And || !Type->isSignedIntegerType())
      return Kept;
    Tested.insert(terms(L));
  }
  return V;
}

} // namespace hotcocci
