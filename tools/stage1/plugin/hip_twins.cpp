// See the header.
#include "hip_twins.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace sinter {

namespace {

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

// Functions that the host alone has, to which functions for both sides refer.
struct Referred : RecursiveASTVisitor<Referred> {
  std::vector<std::pair<FunctionDecl *, SourceLocation>> functions;
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

  bool VisitDeclRefExpr(DeclRefExpr *expression) { return refer(expression->getDecl(), expression->getLocation()); }
  bool VisitMemberExpr(MemberExpr *expression) {
    return refer(expression->getMemberDecl(), expression->getMemberLoc());
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *expression) {
    return refer(expression->getConstructor(), expression->getLocation());
  }

  bool refer(Decl *declaration, SourceLocation at) {
    auto *function = dyn_cast<FunctionDecl>(declaration);
    if (isBoth && function && !function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAGlobalAttr>())
      functions.push_back({function, at});
    return true;
  }
};

// A function for devices of the same name that could be called with as many arguments, unless one
// has the same parameters.
FunctionDecl *otherOverload(ASTContext &cx, FunctionDecl *ofHost) {
  FunctionDecl *found = nullptr;
  for (NamedDecl *each : ofHost->getDeclContext()->getRedeclContext()->lookup(ofHost->getDeclName())) {
    auto *function = dyn_cast<FunctionDecl>(each);
    if (!function || !isOfDevice(*function))
      continue;
    if (cx.hasSameType(function->getType().getUnqualifiedType(), ofHost->getType().getUnqualifiedType()) ||
        cx.hasSameFunctionTypeIgnoringExceptionSpec(function->getType(), ofHost->getType()))
      return nullptr;
    if (function->getMinRequiredArguments() <= ofHost->getNumParams() &&
        ofHost->getNumParams() <= function->getNumParams())
      found = function;
  }
  return found;
}

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

GlobalDecl representative(FunctionDecl *function) {
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    return GlobalDecl(constructor, Ctor_Complete);
  if (auto *destructor = dyn_cast<CXXDestructorDecl>(function))
    return GlobalDecl(destructor, Dtor_Complete);
  return GlobalDecl(function);
}

bool isOfDevice(const FunctionDecl &function) {
  return function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAHostAttr>();
}

void instantiateTwins(Sema &sema) {
  // Instances refer to further ones.
  for (std::set<FunctionDecl *> known;;) {
    Referred referred;
    referred.TraverseDecl(sema.getASTContext().getTranslationUnitDecl());
    const std::size_t before = known.size();
    for (auto [function, at] : referred.functions)
      if (function->getPrimaryTemplate() && known.insert(function).second)
        instantiateTwinsOf(sema, function);
    if (known.size() == before)
      return;
  }
}

void warnOfOverloads(ASTContext &cx) {
  Referred referred;
  referred.TraverseDecl(cx.getTranslationUnitDecl());
  DiagnosticsEngine &diagnostics = cx.getDiagnostics();
  const unsigned warning = diagnostics.getCustomDiagID(
      DiagnosticsEngine::Warning, "'%0' is that of the host on devices too, because its overload for devices has "
                                  "other parameters; give both the same [-Wsinter-hip-overload]");
  const unsigned note = diagnostics.getCustomDiagID(DiagnosticsEngine::Note, "the overload for devices");
  std::set<SourceLocation> reported;
  for (auto [function, at] : referred.functions) {
    FunctionDecl *other = cx.getSourceManager().isInSystemHeader(at) ? nullptr : otherOverload(cx, function);
    if (!other || !reported.insert(at).second)
      continue;
    diagnostics.Report(at, warning) << function->getNameInfo().getAsString();
    diagnostics.Report(other->getLocation(), note);
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
