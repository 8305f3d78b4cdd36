// Functions that the host and devices have under one name.
//
// In: the functions for devices that a unit defines, in a parse in which both sides are one
// program. Out: those whose symbol a function of the host has too have another: `SYMBOL.device`,
// and for constructors one with an ABI tag, as they have several symbols. Stage 1 reads these
// (`tools/stage1/src/hip/twins.rs`).
//
// Invariant: the host's function keeps its symbol.
#ifndef SINTER_PLUGIN_HIP_TWINS_HPP
#define SINTER_PLUGIN_HIP_TWINS_HPP

#include "clang/AST/Mangle.h"

#include <set>
#include <string>
#include <vector>

namespace clang {
class Sema;
}

namespace sinter {

// True for a function that the host does not have.
bool isOfDevice(const clang::FunctionDecl &function);

// Instantiates templates for devices whose twins for the host code for both sides calls: that was
// parsed as the host's, and stage 1 lets it call these.
void instantiateTwins(clang::Sema &sema);

// Warns where a function for both sides calls one of the host, though devices have an overload with
// other parameters: for host code the call was resolved, and device code is the same.
void warnOfOverloads(clang::ASTContext &cx);

// The one symbol by which two functions are compared.
clang::GlobalDecl representative(clang::FunctionDecl *function);

// The symbol of a function, or of a constructor of complete objects.
std::string symbolOf(clang::MangleContext &mangle, clang::GlobalDecl declaration);

// Renames, and returns those that it renamed. `functions` are for devices only.
std::set<const clang::FunctionDecl *> renameTwins(clang::ASTContext &cx, clang::MangleContext &mangle,
                                                  const std::vector<clang::FunctionDecl *> &functions);

} // namespace sinter

#endif
