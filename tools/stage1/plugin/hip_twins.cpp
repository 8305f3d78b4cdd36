// See the header.
#include "hip_twins.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace sinter {

namespace {

// The one symbol by which two functions are compared.
GlobalDecl representative(FunctionDecl *function) {
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    return GlobalDecl(constructor, Ctor_Complete);
  return GlobalDecl(function);
}

// Symbols of the host's functions, as far as functions of devices have their names.
struct HostSymbols : RecursiveASTVisitor<HostSymbols> {
  MangleContext &mangle;
  llvm::DenseSet<DeclarationName> names;
  std::set<std::string> symbols;

  HostSymbols(MangleContext &mangle) : mangle(mangle) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *function) {
    const bool isOfHost = function->hasAttr<CUDAHostAttr>() || !function->hasAttr<CUDADeviceAttr>();
    if (isOfHost && !function->isDependentContext() && !function->hasAttr<CUDAGlobalAttr>() &&
        !isa<CXXDestructorDecl>(function) && names.contains(function->getDeclName()))
      symbols.insert(symbolOf(mangle, representative(function)));
    return true;
  }
};

// Instances of the host's templates that functions for both sides refer to.
struct Referred : RecursiveASTVisitor<Referred> {
  std::set<FunctionDecl *> instances;
  bool isBoth = false;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseFunction(FunctionDecl *function, llvm::function_ref<bool()> traverse) {
    const bool before = isBoth;
    isBoth = function->hasAttr<CUDADeviceAttr>() && function->hasAttr<CUDAHostAttr>();
    const bool goesOn = function->isDependentContext() || traverse();
    isBoth = before;
    return goesOn;
  }
#define SINTER_TRAVERSE(kind)                                                                                          \
  bool Traverse##kind(kind *function) {                                                                                \
    return TraverseFunction(function, [&] { return RecursiveASTVisitor::Traverse##kind(function); });                  \
  }
  SINTER_TRAVERSE(FunctionDecl)
  SINTER_TRAVERSE(CXXMethodDecl)
  SINTER_TRAVERSE(CXXConstructorDecl)
  SINTER_TRAVERSE(CXXConversionDecl)
#undef SINTER_TRAVERSE
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    return TraverseFunction(lambda->getCallOperator(), [&] { return RecursiveASTVisitor::TraverseLambdaExpr(lambda); });
  }

  bool VisitDeclRefExpr(DeclRefExpr *expression) { return refer(expression->getDecl()); }
  bool VisitMemberExpr(MemberExpr *expression) { return refer(expression->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *expression) { return refer(expression->getConstructor()); }

  bool refer(Decl *declaration) {
    auto *function = dyn_cast<FunctionDecl>(declaration);
    if (isBoth && function && function->getPrimaryTemplate() && !function->hasAttr<CUDADeviceAttr>() &&
        !function->hasAttr<CUDAGlobalAttr>())
      instances.insert(function);
    return true;
  }
};

void instantiateTwinsOf(Sema &sema, FunctionDecl *instance) {
  FunctionTemplateDecl *own = instance->getPrimaryTemplate();
  for (NamedDecl *found : own->getDeclContext()->lookup(own->getDeclName())) {
    auto *other = dyn_cast<FunctionTemplateDecl>(found);
    if (!other || !isOfDevice(*other->getTemplatedDecl()) || !sema.getASTContext().isSameEntity(own, other))
      continue;
    const SourceLocation at = instance->getPointOfInstantiation();
    FunctionDecl *twin =
        sema.InstantiateFunctionDeclaration(other, instance->getTemplateSpecializationArgs(), at);
    const FunctionDecl *pattern = twin ? twin->getTemplateInstantiationPattern() : nullptr;
    if (pattern && pattern->isDefined() && !twin->isDefined()) {
      twin->setTemplateSpecializationKind(TSK_ImplicitInstantiation, at);
      sema.InstantiateFunctionDefinition(at, twin, true, false, true);
    }
  }
}

void rename(ASTContext &cx, MangleContext &mangle, FunctionDecl *function) {
  if (isa<CXXConstructorDecl>(function)) {
    StringRef tag = "sinter";
    FunctionTemplateDecl *primary = function->getPrimaryTemplate();
    FunctionDecl *pattern = primary ? primary->getTemplatedDecl() : function;
    for (FunctionDecl *each : {function, pattern})
      if (!each->hasAttr<AbiTagAttr>())
        each->addAttr(AbiTagAttr::CreateImplicit(cx, &tag, 1));
    return;
  }
  const std::string label = symbolOf(mangle, GlobalDecl(function)) + ".device";
  for (FunctionDecl *each : function->redecls())
    each->addAttr(AsmLabelAttr::CreateImplicit(cx, label, true));
}

} // namespace

bool isOfDevice(const FunctionDecl &function) {
  return function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAHostAttr>();
}

void instantiateTwins(Sema &sema) {
  // Instances refer to further ones.
  for (std::set<FunctionDecl *> known;;) {
    Referred referred;
    referred.TraverseDecl(sema.getASTContext().getTranslationUnitDecl());
    const std::size_t before = known.size();
    for (FunctionDecl *instance : referred.instances)
      if (known.insert(instance).second)
        instantiateTwinsOf(sema, instance);
    if (known.size() == before)
      return;
  }
}

std::string symbolOf(MangleContext &mangle, GlobalDecl declaration) {
  auto *named = cast<NamedDecl>(declaration.getDecl());
  if (!mangle.shouldMangleDeclName(named))
    return named->getNameAsString();
  std::string symbol;
  llvm::raw_string_ostream stream(symbol);
  mangle.mangleName(declaration, stream);
  return symbol;
}

std::set<const FunctionDecl *> renameTwins(ASTContext &cx, MangleContext &mangle,
                                           const std::vector<FunctionDecl *> &functions) {
  HostSymbols host(mangle);
  for (FunctionDecl *function : functions)
    host.names.insert(function->getDeclName());
  host.TraverseDecl(cx.getTranslationUnitDecl());
  std::vector<FunctionDecl *> found;
  for (FunctionDecl *function : functions)
    if (!function->hasAttr<AsmLabelAttr>() && !isa<CXXDestructorDecl>(function) &&
        host.symbols.count(symbolOf(mangle, representative(function))))
      found.push_back(function);
  for (FunctionDecl *function : found)
    rename(cx, mangle, function);
  return {found.begin(), found.end()};
}

} // namespace sinter
