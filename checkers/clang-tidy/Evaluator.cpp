/* SPDX-License-Identifier: GPL-2.0 */
#include "Evaluator.h"

#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace hotcocci {

const VarDecl *Evaluator::variable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

const FieldDecl *Evaluator::member(const Expr *E) {
  const auto *Access = dyn_cast<MemberExpr>(E->IgnoreParenCasts());
  return Access ? dyn_cast<FieldDecl>(Access->getMemberDecl()) : nullptr;
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
    return plus(Base, offset(Field));
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

Value Evaluator::offset(const FieldDecl *Field) const {
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(Field->getParent());
  return constant(Layout.getFieldOffset(Field->getFieldIndex()) / 8);
}

Value Evaluator::offset(const OffsetOfExpr *E, State &S) {
  Value Sum = constant(0);
  QualType Type = E->getTypeSourceInfo()->getType();
  for (unsigned I = 0; I < E->getNumComponents(); ++I) {
    const OffsetOfNode &Part = E->getComponent(I);
    if (Part.getKind() == OffsetOfNode::Field) {
      Sum = plus(Sum, offset(Part.getField()));
      Type = Part.getField()->getType();
    } else if (const ArrayType *Array = Context.getAsArrayType(Type)) {
      Type = Array->getElementType();
      Sum = plus(Sum, value(E->getIndexExpr(Part.getArrayExprIndex()), S), bytes(Type));
    }
  }
  return Sum;
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
    case CK_IntegralToPointer:
      return addressed(Inner, S);
    case CK_NoOp:
    case CK_BitCast:
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
      if (bytes(E->getType()) == 8 || E->getType()->isSignedIntegerType())
        return plus(times(value(Unary->getSubExpr(), S), -1), constant(-1));
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
  if (const auto *Offset = dyn_cast<OffsetOfExpr>(E))
    return offset(Offset, S);
  if (const auto *Choose = dyn_cast<ChooseExpr>(E))
    return value(Choose->getChosenSubExpr(), S);
  if (const auto *Generic = dyn_cast<GenericSelectionExpr>(E))
    return value(Generic->getResultExpr(), S);
  return unknown(E->getType());
}

Value Evaluator::addressed(const Expr *Number, State &S) {
  Value Whole = value(Number, S);
  bool Narrow = false, Wide = false;
  for (const Expr *E = Number; E;) {
    E = E->IgnoreParens();
    Narrow |= Context.getTypeSize(E->getType()) < Context.getTypeSize(Context.VoidPtrTy);
    const auto *Cast = dyn_cast<CastExpr>(E);
    E = Cast && Cast->getCastKind() == CK_IntegralCast ? Cast->getSubExpr() : nullptr;
  }
  for (auto [Id, F] : Whole.Terms)
    Wide |= !Known[Id].High;
  if (!Narrow || !Wide)
    return Whole;
  Symbol Low;
  Low.Half = true;
  Low.Operand = Whole;
  Value Half;
  Half.Terms[Known.named("half" + key(Whole), std::move(Low))] = 1;
  Half.Through = Whole.Through;
  return Half;
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

} // namespace hotcocci
