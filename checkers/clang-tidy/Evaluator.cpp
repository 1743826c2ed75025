/* SPDX-License-Identifier: GPL-2.0 */
#include "Evaluator.h"

#include "Api.h"

#include "clang/AST/RecordLayout.h"

#include <algorithm>

using namespace clang;

namespace hotcocci {

static const FieldDecl *member(const Expr *E) {
  const auto *Access = dyn_cast<MemberExpr>(E->IgnoreParenCasts());
  return Access ? dyn_cast<FieldDecl>(Access->getMemberDecl()) : nullptr;
}

// The outermost structure or union around a member.
static const DeclContext *outermost(const FieldDecl *Member) {
  const DeclContext *Record = Member->getParent();
  while (Record->getLexicalParent() && Record->getLexicalParent()->isRecord())
    Record = Record->getLexicalParent();
  return Record;
}

Evaluator::Evaluator(ASTContext &Context, const FunctionDecl *Function, Symbols &Known)
    : Known(Known), Context(Context) {
  for (const Stmt *S : below(Function->getBody())) {
    const Expr *Taken = nullptr;
    if (const auto *Unary = dyn_cast<UnaryOperator>(S); Unary && Unary->getOpcode() == UO_AddrOf)
      Taken = Unary->getSubExpr();
    else if (const auto *Cast = dyn_cast<CastExpr>(S);
             Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
      Taken = Cast->getSubExpr();
    while (Taken) {
      Taken = Taken->IgnoreParenCasts();
      if (const auto *Access = dyn_cast<MemberExpr>(Taken); Access && !Access->isArrow())
        Taken = Access->getBase();
      else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Taken))
        Taken = Element->getBase();
      else
        break;
    }
    if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Taken))
      if (const auto *Variable = dyn_cast<VarDecl>(Ref->getDecl()))
        Escaping.insert(Variable);
  }
}

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
  if (Unsigned)
    S.Low = 0;
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

Value Evaluator::opaque(const std::string &What, QualType Type, std::vector<Value> Parts) {
  std::string Key = What;
  for (const Value &Part : Parts)
    Key += "(" + key(Part) + ")";
  Symbol S;
  bound(S, Type);
  Value V;
  V.Terms[Known.named(Key, std::move(S))] = 1;
  for (const Value &Part : Parts)
    V.Through.insert(Part.Through.begin(), Part.Through.end());
  return V;
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
  if (Seen.Kind == SymbolKind::Compare) {
    if (!Truth) {
      Value Contrary = compare(V, Relation::Zero);
      return assume(Contrary, true, S);
    }
    if (auto Inner = Seen.Operand.symbol();
        Inner && Known[*Inner].Kind == SymbolKind::Begun &&
        (Seen.How == Relation::Zero || Seen.How == Relation::NonZero))
      return assume(Seen.Operand, Seen.How == Relation::NonZero, S);
    return S.Known.add(Known, Seen.Operand, Seen.How);
  }
  if (Seen.Kind == SymbolKind::Begun)
    Decided = Decision{*Id, Truth};
  return S.Known.add(Known, V, Truth ? Relation::NonZero : Relation::Zero);
}

const VarDecl *Evaluator::variable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

const VarDecl *Evaluator::root(const Value &Place) const {
  for (auto [Id, F] : Place.Terms)
    if (Known[Id].Kind == SymbolKind::Address)
      return Known[Id].Variable;
  return nullptr;
}

static bool isLocal(const VarDecl *Variable) {
  return Variable && Variable->hasLocalStorage();
}

Value Evaluator::load(const Value &Place, QualType Type, const FieldDecl *Member, State &S) {
  uint64_t Size = bytes(Type);
  for (const Cell &C : S.Memory)
    if (C.Size == Size && same(C.Place, Place))
      return C.Content;
  const VarDecl *Variable = root(Place);
  Symbol Content;
  bound(Content, Type);
  Value V;
  if (isLocal(Variable)) {
    Content.Kind = isa<ParmVarDecl>(Variable) && S.Versions[Variable] == 0 ? SymbolKind::Entry
                                                                           : SymbolKind::Unknown;
    Content.Variable = Variable;
    std::string Key = "=" + std::to_string(S.Versions[Variable]) + "," + std::to_string(Size) +
                      "@" + key(Place);
    V.Terms[Known.named(Key, std::move(Content))] = 1;
  } else {
    Content.Kind = SymbolKind::Load;
    Content.Member = Member;
    V = symbol(std::move(Content));
  }
  S.Memory.push_back({Place, Size, V, Member});
  return V;
}

void Evaluator::store(const Value &Place, QualType Type, const FieldDecl *Member,
                      const Value &Content, State &S) {
  const VarDecl *Variable = root(Place);
  uint64_t Size = bytes(Type);
  bool Lost = false;
  auto Overlaps = [&](const Cell &C) {
    const VarDecl *Other = root(C.Place);
    if (isLocal(Variable) != isLocal(Other)) {
      // A pointer may refer to a local variable whose address escaped.
      const VarDecl *Local = isLocal(Variable) ? Variable : Other;
      return Escaping.count(Local) > 0 && !Variable;
    }
    if (Variable && Other && Variable != Other)
      return false;
    Value Distance = plus(C.Place, Place, -1);
    if (Distance.isConstant())
      return Distance.Constant < int64_t(Size) && -Distance.Constant < int64_t(C.Size);
    // Different members do not overlap, except in a union of one structure.
    if (!Member || !C.Member || Member == C.Member)
      return true;
    bool Union = Member->getParent()->isUnion() || C.Member->getParent()->isUnion();
    return Union && outermost(Member) == outermost(C.Member);
  };
  for (const Cell &C : S.Memory)
    Lost |= Overlaps(C);
  S.Memory.erase(std::remove_if(S.Memory.begin(), S.Memory.end(), Overlaps), S.Memory.end());
  if (isLocal(Variable) && (Lost || !Type->isScalarType()))
    ++S.Versions[Variable];
  if (Type->isScalarType())
    S.Memory.push_back({Place, Size, Content, Member});
}

void Evaluator::disturb(State &S) {
  auto Reached = [&](const Cell &C) {
    const VarDecl *Variable = root(C.Place);
    if (!isLocal(Variable))
      return true;
    if (!Escaping.count(Variable))
      return false;
    ++S.Versions[Variable];
    return true;
  };
  S.Memory.erase(std::remove_if(S.Memory.begin(), S.Memory.end(), Reached), S.Memory.end());
}

void Evaluator::forget(const Expr *Place, State &S) {
  store(place(Place, S), Place->getType(), member(Place), unknown(Place->getType()), S);
}

Value Evaluator::place(const Expr *E, State &S) {
  E = E->IgnoreParens();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return address(Ref->getDecl());
  if (const auto *Access = dyn_cast<MemberExpr>(E)) {
    Value Base = Access->isArrow() ? value(Access->getBase(), S) : place(Access->getBase(), S);
    const auto *Field = dyn_cast<FieldDecl>(Access->getMemberDecl());
    if (!Field)
      return unknown(Context.VoidPtrTy);
    const ASTRecordLayout &Layout = Context.getASTRecordLayout(Field->getParent());
    return plus(Base, constant(Layout.getFieldOffset(Field->getFieldIndex()) / 8));
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return arithmetic(BO_Add, value(Element->getBase(), S), Element->getBase()->getType(),
                      value(Element->getIdx(), S), Element->getIdx()->getType(),
                      Element->getBase()->getType());
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref)
      return value(Unary->getSubExpr(), S);
    if (Unary->getOpcode() == UO_Extension)
      return place(Unary->getSubExpr(), S);
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getSubExpr()->isLValue() &&
      (Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_LValueBitCast))
    return place(Cast->getSubExpr(), S);
  return unknown(Context.VoidPtrTy);
}

Value Evaluator::value(const Expr *E, State &S) {
  E = E->IgnoreParens();
  if (auto Done = S.Results.find(E); Done != S.Results.end())
    return Done->second;
  if (E->getType()->isIntegralOrEnumerationType() && !E->isLValue()) {
    Expr::EvalResult Result;
    if (E->EvaluateAsInt(Result, Context, Expr::SE_NoSideEffects))
      return constant(Result.Val.getInt().extOrTrunc(64).getSExtValue());
  }
  return compute(E, S);
}

Value Evaluator::compute(const Expr *E, State &S) {
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Inner = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue: {
      Value Content = load(place(Inner, S), Inner->getType(), member(Inner), S);
      if (const VarDecl *Variable = variable(Inner); isLocal(Variable))
        Content.Through.insert(Variable);
      return Content;
    }
    case CK_ArrayToPointerDecay:
      return place(Inner, S);
    case CK_NullToPointer:
      return constant(0);
    case CK_NoOp:
    case CK_BitCast:
    case CK_IntegralToPointer:
    case CK_PointerToIntegral:
      return Inner->isLValue() ? place(Inner, S) : value(Inner, S);
    case CK_IntegralCast:
      return converted(value(Inner, S), Inner->getType(), Cast->getType());
    case CK_IntegralToBoolean:
    case CK_PointerToBoolean:
      return compare(value(Inner, S), Relation::NonZero);
    default:
      return unknown(E->getType());
    }
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    switch (Unary->getOpcode()) {
    case UO_AddrOf:
      return place(Unary->getSubExpr(), S);
    case UO_Plus:
    case UO_Extension:
      return value(Unary->getSubExpr(), S);
    case UO_Minus:
      return times(value(Unary->getSubExpr(), S), -1);
    case UO_LNot:
      return compare(value(Unary->getSubExpr(), S), Relation::Zero);
    case UO_Not:
      return opaque("~", E->getType(), {value(Unary->getSubExpr(), S)});
    default:
      return unknown(E->getType());
    }
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return operation(Binary, S);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    auto Went = S.Truths.find(Choice);
    if (Went == S.Truths.end())
      return unknown(E->getType());
    return value(Went->second ? Choice->getTrueExpr() : Choice->getFalseExpr(), S);
  }
  if (const auto *Block = dyn_cast<StmtExpr>(E)) {
    const Stmt *Last = Block->getSubStmt()->body_empty() ? nullptr : Block->getSubStmt()->body_back();
    while (const auto *Label = dyn_cast_or_null<LabelStmt>(Last))
      Last = Label->getSubStmt();
    const auto *Result = dyn_cast_or_null<Expr>(Last);
    return Result && !Result->getType()->isVoidType() && !Result->isLValue() ? value(Result, S)
                                                                             : unknown(E->getType());
  }
  if (const auto *Choose = dyn_cast<ChooseExpr>(E))
    return value(Choose->getChosenSubExpr(), S);
  if (const auto *Generic = dyn_cast<GenericSelectionExpr>(E))
    return value(Generic->getResultExpr(), S);
  return unknown(E->getType());
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
    return opaque("cut" + std::to_string(Width), To, {V});
  return V;
}

Value Evaluator::operation(const BinaryOperator *E, State &S) {
  if (E->getOpcode() == BO_Comma)
    return value(E->getRHS(), S);
  if (E->isLogicalOp()) {
    auto Went = S.Truths.find(E);
    bool Decides = E->getOpcode() == BO_LOr;
    if (Went == S.Truths.end())
      return unknown(E->getType());
    if (Went->second == Decides)
      return constant(Decides);
    return compare(value(E->getRHS(), S), Relation::NonZero);
  }
  if (E->isAssignmentOp())
    return unknown(E->getType());
  return arithmetic(E->getOpcode(), value(E->getLHS(), S), E->getLHS()->getType(),
                    value(E->getRHS(), S), E->getRHS()->getType(), E->getType());
}

Value Evaluator::arithmetic(BinaryOperatorKind Op, const Value &L, QualType LeftType,
                            const Value &R, QualType RightType, QualType Type) {
  bool Pointers = LeftType->isPointerType() && RightType->isPointerType();
  // Kernel addresses do not fit a signed constant, so their order is unknown.
  bool Huge = (!LeftType->isSignedIntegerType() && L.isConstant() && L.Constant < 0) ||
              (!RightType->isSignedIntegerType() && R.isConstant() && R.Constant < 0);
  if (Huge && BinaryOperator::isRelationalOp(Op))
    return opaque(BinaryOperator::getOpcodeStr(Op).str(), Type, {L, R});
  switch (Op) {
  case BO_Add:
    if (RightType->isPointerType())
      return plus(R, L, stride(RightType));
    return plus(L, R, stride(LeftType));
  case BO_Sub: {
    if (!Pointers)
      return plus(L, R, -stride(LeftType));
    Value Distance = plus(L, R, -1);
    int64_t Stride = stride(LeftType);
    if (Stride == 1)
      return Distance;
    if (Distance.isConstant() && Stride > 0)
      return constant(Distance.Constant / Stride);
    break;
  }
  case BO_Mul:
    if (R.isConstant())
      return times(L, R.Constant);
    if (L.isConstant())
      return times(R, L.Constant);
    break;
  case BO_Shl:
    if (R.isConstant() && R.Constant >= 0 && R.Constant < 63)
      return times(L, int64_t(1) << R.Constant);
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
  Value V = opaque(BinaryOperator::getOpcodeStr(Op).str() + Type.getAsString(), Type, {L, R});
  // The result of & or % with a positive constant is bounded by it.
  if (R.isConstant() && R.Constant > 0 && (Op == BO_And || Op == BO_Rem)) {
    Symbol Bounded;
    Bounded.Low = 0;
    Bounded.High = Op == BO_And ? R.Constant : R.Constant - 1;
    Value Kept;
    Kept.Terms[Known.named("bounded" + key(V), std::move(Bounded))] = 1;
    Kept.Through = V.Through;
    bool Signed = Op == BO_Rem && Type->isSignedIntegerType();
    return Signed ? V : Kept;
  }
  return V;
}

void Evaluator::assign(const BinaryOperator *E, State &S) {
  const Expr *Target = E->getLHS();
  QualType Type = Target->getType();
  Value Place = place(Target, S);
  if (!Type->isScalarType()) {
    store(Place, Type, member(Target), constant(0), S);
    return;
  }
  Value Content = value(E->getRHS(), S);
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(E)) {
    Value Before = load(Place, Type, member(Target), S);
    if (const VarDecl *Variable = variable(Target); isLocal(Variable))
      Before.Through.insert(Variable);
    Content = arithmetic(BinaryOperator::getOpForCompoundAssignment(E->getOpcode()), Before, Type,
                         Content, E->getRHS()->getType(), Compound->getComputationResultType());
  }
  if (Type->isIntegralOrEnumerationType() && !Type->isBooleanType())
    Content = converted(Content, E->getRHS()->getType(), Type);
  store(Place, Type, member(Target), Content, S);
  S.Results[E] = Content;
}

void Evaluator::step(const UnaryOperator *E, State &S) {
  const Expr *Target = E->getSubExpr();
  QualType Type = Target->getType();
  Value Place = place(Target, S);
  Value Before = load(Place, Type, member(Target), S);
  if (const VarDecl *Variable = variable(Target); isLocal(Variable))
    Before.Through.insert(Variable);
  Value After = plus(Before, constant(stride(Type)), E->isIncrementOp() ? 1 : -1);
  store(Place, Type, member(Target), After, S);
  S.Results[E] = E->isPostfix() ? Before : After;
}

Value Evaluator::address(const ValueDecl *Of) {
  Symbol Address;
  Address.Kind = SymbolKind::Address;
  Address.Pointer = true;
  Address.Variable = dyn_cast<VarDecl>(Of);
  Value V;
  V.Terms[Known.named("&" + std::to_string(uintptr_t(Of->getCanonicalDecl())),
                      std::move(Address))] = 1;
  return V;
}

void Evaluator::bind(const ParmVarDecl *Parameter, const Value &Argument, State &S) {
  ++S.Versions[Parameter];
  store(address(Parameter), Parameter->getType(), nullptr, Argument, S);
}

void Evaluator::declare(const VarDecl *Variable, State &S) {
  if (!isLocal(Variable))
    return;
  Value Place = address(Variable);
  QualType Type = Variable->getType();
  const Expr *Init = Variable->getInit();
  // Each execution of the declaration creates a new variable.
  ++S.Versions[Variable];
  if (Init && Type->isScalarType()) {
    store(Place, Type, nullptr, value(Init, S), S);
    return;
  }
  auto Own = [&](const Cell &C) { return root(C.Place) == Variable; };
  S.Memory.erase(std::remove_if(S.Memory.begin(), S.Memory.end(), Own), S.Memory.end());
}

} // namespace hotcocci
