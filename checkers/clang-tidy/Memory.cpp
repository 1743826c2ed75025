/* SPDX-License-Identifier: GPL-2.0 */
#include "Evaluator.h"

#include "Api.h"

#include <algorithm>

using namespace clang;

namespace hotcocci {

const VarDecl *Evaluator::taken(const Stmt *S) {
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
    // That of an element of what a pointer points to is not that of the pointer.
    else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Taken);
             Element && Element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      Taken = Element->getBase();
    else
      break;
  }
  return Taken ? variable(Taken) : nullptr;
}

Evaluator::Evaluator(ASTContext &Context, const FunctionDecl *Function, Symbols &Known)
    : Known(Known), Context(Context) {
  for (const Stmt *S : below(Function->getBody()))
    if (const VarDecl *Variable = taken(S))
      Escaping.insert(Variable);
}

// The outermost structure or union around a member.
static const DeclContext *outermost(const FieldDecl *Member) {
  const DeclContext *Record = Member->getParent();
  while (Record->getLexicalParent() && Record->getLexicalParent()->isRecord())
    Record = Record->getLexicalParent();
  return Record;
}

const VarDecl *Evaluator::root(const Value &Place) const {
  for (auto [Id, F] : Place.Terms)
    if (Known[Id].Kind == SymbolKind::Address)
      return Known[Id].Variable;
  return nullptr;
}

bool Evaluator::isLocal(const VarDecl *Variable) {
  return Variable && Variable->hasLocalStorage();
}

const VarDecl *Evaluator::local(const Value &Place) const {
  const VarDecl *Variable = root(Place);
  return isLocal(Variable) ? Variable : nullptr;
}

const VarDecl *Evaluator::filled(const Value &Place, const Value &Size) const {
  const VarDecl *Variable = local(Place);
  const bool Whole = Variable && Place.symbol() && Size.isConstant() &&
                     uint64_t(Size.Constant) == bytes(Variable->getType());
  return Whole ? Variable : nullptr;
}

// Whether nothing has set this part of a variable since it was declared.
bool Evaluator::isUnset(const VarDecl *Variable, const Value &Place, QualType Type, const State &S) const {
  auto Declared = S.Unset.find(Variable);
  if (!Type->isScalarType() || Declared == S.Unset.end() || S.Versions.at(Variable) != Declared->second)
    return false;
  return llvm::none_of(S.Memory, [&](const Cell &C) {
    Value Distance = plus(C.Place, Place, -1);
    return root(C.Place) == Variable &&
           (!Distance.isConstant() || (Distance.Constant < int64_t(bytes(Type)) && -Distance.Constant < int64_t(C.Size)));
  });
}

Value Evaluator::load(const Value &Place, QualType Type, const FieldDecl *Member, State &S) {
  uint64_t Size = bytes(Type);
  const VarDecl *Variable = root(Place);
  Symbol Content;
  auto Before = llvm::find_if(S.Memory, [&](const Cell &C) { return C.Size == Size && same(C.Place, Place); });
  if (Before != S.Memory.end()) {
    // READ_ONCE() reads what others may have changed.
    if (!Type.isVolatileQualified() || isLocal(Variable))
      return Before->Content;
    Content.Before = Before->Content.symbol();
    S.Memory.erase(Before);
  }
  bound(Content, Type);
  Value V;
  if (isLocal(Variable)) {
    Content.Kind = S.Copied.count(Variable)                                    ? SymbolKind::Fetched
                   : isa<ParmVarDecl>(Variable) && S.Versions[Variable] == 0 ? SymbolKind::Entry
                   : isUnset(Variable, Place, Type, S)                       ? SymbolKind::Unset
                                                                             : SymbolKind::Unknown;
    Content.Variable = Variable;
    std::string Key = "=" + std::to_string(S.Versions[Variable]) + "," + std::to_string(Size) +
                      "@" + key(Place);
    V.Terms[Known.named(Key, std::move(Content))] = 1;
  } else {
    Content.Kind = SymbolKind::Load;
    Content.Member = Member;
    Content.Place = Place;
    V = symbol(std::move(Content));
    auto Earlier = llvm::find_if(S.Disturbed, [&](const Cell &C) { return C.Size == Size && same(C.Place, Place); });
    if (Earlier != S.Disturbed.end()) {
      const SymbolId Before = *Earlier->Content.symbol();
      S.Again[*V.symbol()] = S.Again.count(Before) ? S.Again[Before] : Before;
    }
  }
  S.Memory.push_back({Place, Size, V, Member, Type.isConstQualified()});
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
      return escapes(Local, S) && !Variable;
    }
    if (Variable && Other && Variable != Other)
      return false;
    Value Distance = plus(C.Place, Place, -1);
    if (Distance.isConstant())
      return Distance.Constant < int64_t(Size) && -Distance.Constant < int64_t(C.Size);
    if (C.Constant)
      return false;
    // A number is not stored to a member that is a pointer.
    if (!Member && C.Member && C.Member->getType()->isPointerType() &&
        Type->isIntegralOrEnumerationType() && Size > 1)
      return false;
    // Different members do not overlap, except in a union of one structure.
    if (!Member || !C.Member || Member == C.Member)
      return true;
    bool Union = Member->getParent()->isUnion() || C.Member->getParent()->isUnion();
    return Union && outermost(Member) == outermost(C.Member);
  };
  for (const Cell &C : S.Memory)
    Lost |= Overlaps(C);
  llvm::erase_if(S.Memory, Overlaps);
  llvm::erase_if(S.Disturbed, Overlaps);
  if (isLocal(Variable) && (Lost || !Type->isScalarType()))
    ++S.Versions[Variable];
  S.Copied.erase(Variable);
  if (Type->isScalarType())
    S.Memory.push_back({Place, Size, Content, Member});
}

void Evaluator::disturb(State &S) {
  auto Reached = [&](const Cell &C) {
    const VarDecl *Variable = root(C.Place);
    if (!isLocal(Variable)) {
      auto Id = C.Content.symbol();
      llvm::erase_if(S.Disturbed, [&](const Cell &Of) { return same(Of.Place, C.Place); });
      if (Id)
        S.Disturbed.push_back(C);
      return true;
    }
    if (!escapes(Variable, S))
      return false;
    ++S.Versions[Variable];
    return true;
  };
  llvm::erase_if(S.Memory, Reached);
}

void Evaluator::forget(const Expr *Place, State &S) {
  store(place(Place, S), Place->getType(), member(Place), unknown(Place->getType()), S);
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
  if (!Init && !Escaping.count(Variable))
    S.Unset[Variable] = S.Versions[Variable];
  if (Init && Type->isScalarType()) {
    store(Place, Type, nullptr, value(Init, S), S);
    return;
  }
  auto Own = [&](const Cell &C) { return root(C.Place) == Variable; };
  S.Memory.erase(std::remove_if(S.Memory.begin(), S.Memory.end(), Own), S.Memory.end());
  const auto *List = dyn_cast_or_null<InitListExpr>(Init);
  const RecordDecl *Record = List ? Type->getAsRecordDecl() : nullptr;
  if (!Record || Record->isUnion())
    return;
  unsigned Next = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField() || Next >= List->getNumInits())
      continue;
    const Expr *Content = List->getInit(Next++);
    if (Field->getType()->isScalarType() && !Field->isBitField())
      store(plus(Place, offset(Field)), Field->getType(), Field, value(Content, S), S);
  }
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

} // namespace hotcocci
