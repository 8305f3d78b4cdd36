// See the header.
#include "hip_variables.hpp"

#include "hip_twins.hpp"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace sinter {

namespace {

bool hasAddress(const APValue &value) {
  switch (value.getKind()) {
  case APValue::LValue:
    return static_cast<bool>(value.getLValueBase());
  case APValue::MemberPointer:
    return isa_and_nonnull<CXXMethodDecl>(value.getMemberPointerDecl());
  case APValue::AddrLabelDiff:
    return true;
  case APValue::Union:
    return value.getUnionField() && hasAddress(value.getUnionValue());
  case APValue::Array:
    for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
      if (hasAddress(value.getArrayInitializedElt(i)))
        return true;
    return value.hasArrayFiller() && hasAddress(value.getArrayFiller());
  case APValue::Struct:
    for (unsigned i = 0; i < value.getStructNumBases(); ++i)
      if (hasAddress(value.getStructBase(i)))
        return true;
    for (unsigned i = 0; i < value.getStructNumFields(); ++i)
      if (hasAddress(value.getStructField(i)))
        return true;
    return false;
  default:
    return false;
  }
}

} // namespace

bool isVariableOfDevice(const VarDecl &variable) {
  // In a parse for devices clang adds the attribute to other constants that code may read.
  const auto *constant = variable.getAttr<CUDAConstantAttr>();
  return variable.hasAttr<CUDADeviceAttr>() || (constant && !constant->isImplicit()) ||
         variable.hasAttr<HIPManagedAttr>();
}

bool isStaticOfDevice(const VarDecl &variable) {
  auto *function = dyn_cast<FunctionDecl>(variable.getDeclContext());
  if (!function || !variable.isStaticLocal())
    return false;
  const bool isConstant = variable.getASTContext().getBaseElementType(variable.getType()).isConstQualified();
  return isVariableOfDevice(variable) || (function->hasAttr<CUDAGlobalAttr>() || isOfDevice(*function)) && !isConstant;
}

void refuseAddresses(DiagnosticsEngine &diagnostics, const VarDecl &variable) {
  const Expr *initial = variable.getInit();
  if (!initial || initial->isValueDependent())
    return;
  const APValue *value = variable.evaluateValue();
  const CXXRecordDecl *record =
      variable.getASTContext().getBaseElementType(variable.getType())->getAsCXXRecordDecl();
  const bool hasTable = record && record->hasDefinition() && record->isDynamicClass();
  if (!hasTable && (!value || !hasAddress(*value)))
    return;
  const unsigned error = diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error, "the initial value of the device variable '%0' has the address of a variable, a "
                                "function or a string, which is one of the host; assign it in a kernel");
  diagnostics.Report(variable.getLocation(), error) << variable.getName();
}

} // namespace sinter
