// Which variables devices have, and what their initial values may be.
//
// In: a variable. Out: an answer, or an error if the initial value, which the runtime copies to
// each device, has an address, which is one of the host. Invariant: nothing is changed.
#ifndef SINTER_PLUGIN_HIP_VARIABLES_HPP
#define SINTER_PLUGIN_HIP_VARIABLES_HPP

#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"

namespace sinter {

bool isVariableOfDevice(const clang::VarDecl &variable);

// True for one of a function, which all work-items share: it is marked so, or the function is for
// devices and the variable can change.
bool isStaticOfDevice(const clang::VarDecl &variable);

void refuseAddresses(clang::DiagnosticsEngine &diagnostics, const clang::VarDecl &variable);

} // namespace sinter

#endif
