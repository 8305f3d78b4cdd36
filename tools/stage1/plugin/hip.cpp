// Puts the device code of HIP sources into the module of the host.
//
// In: a unit in HIP that clang compiles for the host (`-x hip --cuda-host-only`), where kernels are
// stubs that call `hipLaunchKernel` and functions for devices are skipped. Out: besides, for each
// kernel `k` the function `k.kernel`, of the form that stage 1 reads for SYCL: a closure of the
// parameters, which it passes to the kernel's statements; the functions for devices; and
// annotations of both and of variables. Stage 1 does the rest (`tools/stage1/src/hip`).
//
// Invariant: what the program sees of the host is as without the plugin. At most 300 lines.
#include "hip_entry.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace {

bool isOfDevice(const FunctionDecl &function) {
  return function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAHostAttr>();
}

bool isVariableOfDevice(const VarDecl &variable) {
  return variable.hasAttr<CUDADeviceAttr>() || variable.hasAttr<CUDAConstantAttr>() ||
         variable.hasAttr<HIPManagedAttr>();
}

// True for a value with the address of a variable or function.
bool hasAddress(const APValue &value) {
  switch (value.getKind()) {
  case APValue::LValue:
    return static_cast<bool>(value.getLValueBase());
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

// True for what other units may call.
bool isExported(const FunctionDecl &function) {
  return function.isExternallyVisible() && !function.isInlined() && !function.isTemplateInstantiation();
}

// Code that devices run and variables that they read, as far as this unit has its definition, and
// functions that it only declares.
struct DeviceCode : RecursiveASTVisitor<DeviceCode> {
  std::vector<FunctionDecl *> kernels, functions, declared;
  std::vector<VarDecl *> shared, statics;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->isDependentContext())
      return true;
    if (!function->doesThisDeclarationHaveABody()) {
      if (isOfDevice(*function) && !function->isDefined())
        declared.push_back(function);
    } else if (function->hasAttr<CUDAGlobalAttr>())
      kernels.push_back(function);
    else if (isOfDevice(*function))
      functions.push_back(function);
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (variable->getDeclContext()->isDependentContext() || variable->getType()->isDependentType())
      return true;
    auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
    if (variable->hasAttr<CUDASharedAttr>())
      shared.push_back(variable);
    else if (function && variable->isStaticLocal() && !variable->getType().isConstQualified() &&
             (function->hasAttr<CUDAGlobalAttr>() || isOfDevice(*function)))
      statics.push_back(variable);
    return true;
  }
};

class Consumer : public SemaConsumer {
public:
  explicit Consumer(CompilerInstance &compiler) : compiler(compiler) {}
  void InitializeSema(Sema &current) override { sema = &current; }
  void ForgetSema() override { sema = nullptr; }

  // Runs before code generation sees the declarations. For code generation a variable of devices is
  // one of the host, which keeps its initial value.
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (compiler.getLangOpts().HIP)
      for (Decl *declaration : group)
        mark(declaration);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    if (compiler.getLangOpts().HIP)
      mark(variable);
  }

  void HandleTranslationUnit(ASTContext &cx) override {
    if (!compiler.getLangOpts().HIP || cx.getDiagnostics().hasErrorOccurred() || !sema)
      return;
    DeviceCode code;
    code.TraverseDecl(cx.getTranslationUnitDecl());
    mangle.reset(cx.createMangleContext());
    for (VarDecl *variable : code.shared)
      markShared(variable);
    for (VarDecl *variable : code.statics) {
      checkValue(variable);
      annotate(variable, "sinter_hip_variable");
    }
    for (FunctionDecl *function : code.declared)
      markExported(function);
    for (FunctionDecl *function : code.functions)
      markFunction(function);
    // Those in a class are emitted where they are used.
    for (FunctionDecl *function : code.functions)
      if (!isa<CXXRecordDecl>(function->getLexicalDeclContext()))
        compiler.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(function));
    for (FunctionDecl *kernel : code.kernels)
      sinter::Entry(compiler, *sema, kernel, symbolOf(GlobalDecl(kernel, KernelReferenceKind::Kernel))).emit();
  }

private:
  CompilerInstance &compiler;
  Sema *sema = nullptr;
  std::unique_ptr<MangleContext> mangle;

  void annotate(Decl *declaration, StringRef text) {
    declaration->addAttr(AnnotateAttr::CreateImplicit(compiler.getASTContext(), text, nullptr, 0));
  }

  std::string symbolOf(GlobalDecl declaration) {
    auto *named = cast<NamedDecl>(declaration.getDecl());
    if (!mangle->shouldMangleDeclName(named))
      return named->getNameAsString();
    std::string symbol;
    llvm::raw_string_ostream stream(symbol);
    mangle->mangleName(declaration, stream);
    return symbol;
  }

  void mark(Decl *declaration) {
    if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
      if (compiler.getLangOpts().GPURelocatableDeviceCode && function->hasAttr<CUDADeviceAttr>() &&
          !function->isDependentContext())
        markExported(function);
    } else if (auto *context = dyn_cast<DeclContext>(declaration)) {
      for (Decl *inner : context->decls())
        mark(inner);
    } else if (auto *variable = dyn_cast<VarDecl>(declaration)) {
      if (isVariableOfDevice(*variable) && !variable->getType()->isDependentType())
        markVariable(variable);
    }
  }

  // On a declaration: a function that another unit exports, which a linker then looks for.
  void markExported(FunctionDecl *function) {
    auto isExport = [](const AnnotateAttr *attribute) { return attribute->getAnnotation() == "sinter_export"; };
    if (isExported(*function) && llvm::none_of(function->specific_attrs<AnnotateAttr>(), isExport))
      annotate(function, "sinter_export");
  }

  // Clang annotates definitions only, and none of managed variables: these and declarations are in
  // sections.
  void markVariable(VarDecl *variable) {
    const bool isManaged = variable->hasAttr<HIPManagedAttr>(), isExternal = variable->hasExternalStorage();
    const bool isExported = compiler.getLangOpts().GPURelocatableDeviceCode;
    checkValue(variable);
    if (isManaged || isExternal)
      variable->addAttr(SectionAttr::CreateImplicit(
          compiler.getASTContext(), isExported && !isExternal ? "sinter_hip_exported" : "sinter_hip_variable"));
    if (isManaged)
      return; // Clang keeps the initial value, and lets all code read the address from a variable.
    annotate(variable, "sinter_hip_variable");
    if (isExported)
      annotate(variable, "sinter_hip_exported");
    variable->dropAttr<CUDADeviceAttr>();
    variable->dropAttr<CUDAConstantAttr>();
  }

  // Devices have addresses of their own.
  void checkValue(VarDecl *variable) {
    if (!variable->hasInit() || variable->getInit()->isValueDependent())
      return;
    const APValue *value = variable->evaluateValue();
    DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    if (value && hasAddress(*value))
      diagnostics.Report(variable->getLocation(),
                         diagnostics.getCustomDiagID(
                             DiagnosticsEngine::Error,
                             "the initial value of a variable of devices has an address, which is the host's: copy an "
                             "address of the device to it, as hipGetSymbolAddress returns it"));
  }

  void markShared(VarDecl *variable) {
    ASTContext &cx = compiler.getASTContext();
    annotate(variable, "sinter_hip_shared");
    // Clang annotates definitions only.
    if (variable->hasExternalStorage())
      variable->addAttr(SectionAttr::CreateImplicit(cx, "sinter_hip_dynamic"));
  }

  // The function becomes one that the host may have too. A function of the host with the same
  // signature keeps the symbol.
  void markFunction(FunctionDecl *function) {
    ASTContext &cx = compiler.getASTContext();
    function->addAttr(CUDAHostAttr::CreateImplicit(cx));
    annotate(function, "sinter_hip_function");
    if (compiler.getLangOpts().GPURelocatableDeviceCode)
      markExported(function);
    if (function->hasAttr<AsmLabelAttr>() || isa<CXXConstructorDecl, CXXDestructorDecl>(function))
      return;
    for (NamedDecl *found : function->getDeclContext()->getRedeclContext()->lookup(function->getDeclName()))
      if (auto *other = dyn_cast<FunctionDecl>(found))
        if (other->getCanonicalDecl() != function->getCanonicalDecl() && !other->hasAttr<CUDADeviceAttr>() &&
            cx.hasSameType(other->getType(), function->getType()))
          for (FunctionDecl *each : function->redecls())
            each->addAttr(AsmLabelAttr::CreateImplicit(cx, symbolOf(GlobalDecl(function)) + ".device", true));
  }
};

struct Action : PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    return std::make_unique<Consumer>(compiler);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<Action> action("sinter-hip", "Compiles the device code of HIP for stage 1");

} // namespace
