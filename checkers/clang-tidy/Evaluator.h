/* SPDX-License-Identifier: GPL-2.0 */
// Evaluates expressions in a state, and applies the effects of statements to it.
#ifndef HOTCOCCI_EVALUATOR_H
#define HOTCOCCI_EVALUATOR_H

#include "State.h"

#include "clang/AST/ASTContext.h"

namespace hotcocci {

class Evaluator {
public:
  Evaluator(clang::ASTContext &Context, const clang::FunctionDecl *Function, Symbols &Known);

  Symbols &Known;

  // The value of an expression whose side effects were already applied.
  Value value(const clang::Expr *E, State &S);
  // Apply the effect of one expression or declaration, after those of its operands.
  void assign(const clang::BinaryOperator *E, State &S);
  void step(const clang::UnaryOperator *E, State &S);
  void declare(const clang::VarDecl *Variable, State &S);
  // Sets a parameter on entry to its function.
  void bind(const clang::ParmVarDecl *Parameter, const Value &Argument, State &S);
  // The result of one of the functions of overflow.h, or of the compiler, that tell when a number does
  // not fit, if it does; or nothing. A begin of a saturated size fails.
  std::optional<Value> limited(const clang::CallExpr *E, State &S);
  // Whether the low bits of a sum are also tested, so that it may not need rounding.
  bool tested(const Value &V) const;
  // Notes that a sum was compared with another or given to a call, which may limit it further.
  void judge(const Value &V, bool ByCall = false);
  // Notes that low bits were tested.
  void test(const Value &V);
  // A multiple of a sum that has no quotients, and its factor.
  std::pair<Value, int64_t> whole(const Value &V);
  // Whether rounding has made a sum a multiple of a power of two, and a number.
  bool multiple(const Value &V, int64_t Of) { return Of > 0 && (Of & (Of - 1)) == 0 && remainder(V, Of - 1).isConstant(); }
  bool judged(SymbolId Id) const { return Judged.count(Id) > 0; }
  // Whether a call was given a number.
  bool given(SymbolId Id) const { return Given.count(Id) > 0; }
  // Whether a sum of a number and others was compared with one of them, as to find whether it has wrapped.
  bool unwrapped(SymbolId Id) const { return Unwrapped.count(Id) > 0; }
  // Whether a number was compared as an unsigned one, which limits a signed one from below, too.
  bool takenUnsigned(SymbolId Id) const { return Unsigned.count(Id) > 0; }
  // A call or asm statement: all memory it can reach becomes unknown.
  void disturb(State &S);
  void forget(const clang::Expr *Place, State &S);
  void store(const Value &Place, clang::QualType Type, const clang::FieldDecl *Member,
             const Value &Content, State &S);
  // Assumes the truth of a value; false if that is impossible.
  bool assume(const Value &V, bool Truth, State &S);

  // The result of comparing a sum with zero.
  Value compare(const Value &V, Relation How);
  // How many bits of a number are set, or below the first one.
  Value bits(Counted What, const Value &Of);
  Value unknown(clang::QualType Type);
  // Whether a type is that of a pointer, and the bounds that it has as a number.
  void bound(Symbol &S, clang::QualType Type) const;
  Value symbol(Symbol S) {
    Value V;
    V.Terms[Known.add(std::move(S))] = 1;
    return V;
  }
  Value place(const clang::Expr *E, State &S);
  // The local variable that an address is in, or null.
  const clang::VarDecl *local(const Value &Place) const;
  // What a scalar variable has.
  Value content(const clang::VarDecl *Variable, State &S) {
    return load(address(Variable), Variable->getType(), nullptr, S);
  }
  // The local variable that so many bytes at an address are, or null.
  const clang::VarDecl *filled(const Value &Place, const Value &Size) const;
  // The variable whose address a statement takes, or null.
  static const clang::VarDecl *taken(const clang::Stmt *S);
  // The variable, if an expression just reads one, or null.
  static const clang::VarDecl *variable(const clang::Expr *E);
  // Set by assume() if it decides the result of a begin.
  struct Decision {
    SymbolId Begun;
    bool Opened;
  };
  std::optional<Decision> Decided;

private:
  clang::ASTContext &Context;
  // Variables whose address may be held elsewhere.
  std::set<const clang::VarDecl *> Escaping;
  // Sums whose low bits were tested.
  std::set<std::string> Tested;
  std::set<SymbolId> Judged, Given, Unsigned, Unwrapped;

  // Evaluator.cpp: expressions
  Value compute(const clang::Expr *E, State &S);
  Value operation(const clang::BinaryOperator *E, State &S);
  // The address that a number is, or what is left of one that a narrower type cut.
  Value addressed(const clang::Expr *Number, State &S);
  Value offset(const clang::FieldDecl *Field) const;
  // That of an element whose index is a variable.
  Value offset(const clang::OffsetOfExpr *E, State &S);
  // The member, if an expression accesses one, or null.
  static const clang::FieldDecl *member(const clang::Expr *E);
  // Arithmetic.cpp: operations on values, and what follows from their truth
  Value arithmetic(clang::BinaryOperatorKind Op, const Value &L, clang::QualType LeftType,
                   const Value &R, clang::QualType RightType, clang::QualType Type);
  Value remainder(const Value &V, int64_t Mask);
  Value quotient(const Value &V, int64_t Divisor, clang::QualType Type, bool Elements = false);
  // What a multiple of a quotient is, as far as it is a multiple of the divisor: the operand
  // rounded down.
  Value multiplied(Value V);
  Value opaque(const std::string &What, clang::QualType Type, std::vector<Value> Parts, bool Cut = false);
  Value converted(const Value &V, clang::QualType From, clang::QualType To);
  Value product(Value V, clang::QualType Type) const;
  Value wrapping(Value V, clang::QualType Type) const;
  int64_t stride(clang::QualType Pointer) const;
  uint64_t bytes(clang::QualType Type) const;
  // Memory.cpp: variables and other memory
  Value address(const clang::ValueDecl *Of);
  Value load(const Value &Place, clang::QualType Type, const clang::FieldDecl *Member, State &S);
  const clang::VarDecl *root(const Value &Place) const;
  // Whether its address may be held elsewhere already on this path.
  bool escapes(const clang::VarDecl *Variable, const State &S) const { return Escaping.count(Variable) && S.Addressed.count(Variable); }
  static bool isLocal(const clang::VarDecl *Variable);
  bool isUnset(const clang::VarDecl *Variable, const Value &Place, clang::QualType Type, const State &S) const;
};

} // namespace hotcocci

#endif
