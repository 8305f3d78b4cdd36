// Puts the device code of HIP sources into the module of the host.
//
// In: a unit in HIP that clang compiles for the host (`-x hip --cuda-host-only`), where kernels are
// stubs that call `hipLaunchKernel` and functions for devices are skipped. Out: besides, for each
// kernel `k` the function `k.kernel`, of the form that stage 1 reads for SYCL: a closure of the
// parameters, which it passes to the kernel's statements; the functions for devices; and
// annotations of both and of variables. Stage 1 does the rest (`tools/stage1/src/hip`). The
// argument `no-overload-warning`, which `-Wno-sinter-hip-overload` becomes, turns a warning off.
//
// A parse for devices (`--sinter-device-pass`) gets the same kernels and annotations. There clang
// itself emits functions and variables of devices, when it has read them; so they are annotated
// before, and functions of the host that device code uses are emitted at the end, if they have no
// twin.
//
// Invariant: what the program sees of the host is as without the plugin. At most 300 lines.
#include "hip_entry.hpp"
#include "hip_twins.hpp"
#include "hip_variables.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;
using namespace sinter;

namespace {

// True for what other units may call. Implicit instantiations of what they see are their own.
bool isExported(const FunctionDecl &function) {
  const bool isOwn = function.getTemplateSpecializationKind() == TSK_ImplicitInstantiation && function.isDefined();
  return function.isExternallyVisible() && !function.isInlined() && !isOwn;
}

// Code that devices run and variables that they read, as far as this unit has its definition, and
// functions that it only declares.
struct DeviceCode : RecursiveASTVisitor<DeviceCode> {
  std::vector<FunctionDecl *> kernels, functions, declared;
  std::vector<VarDecl *> shared, statics;

  explicit DeviceCode(Decl *declaration) { TraverseDecl(declaration); }
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
    if (variable->hasAttr<CUDASharedAttr>())
      shared.push_back(variable);
    else if (isStaticOfDevice(*variable))
      statics.push_back(variable);
    return true;
  }
};

class Consumer : public SemaConsumer {
public:
  Consumer(CompilerInstance &compiler, bool warns) : compiler(compiler), warns(warns) {}
  void InitializeSema(Sema &current) override { sema = &current; }
  void ForgetSema() override { sema = nullptr; }

  // Runs before code generation sees the declarations. For code generation a variable of devices is
  // one of the host, which keeps its initial value.
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (compiler.getLangOpts().HIP)
      for (Decl *declaration : group) {
        mark(declaration);
        if (isForDevices())
          markVariables(DeviceCode(declaration));
      }
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    if (compiler.getLangOpts().HIP)
      mark(variable);
  }

  void HandleTranslationUnit(ASTContext &cx) override {
    if (!compiler.getLangOpts().HIP || cx.getDiagnostics().hasErrorOccurred() || !sema)
      return;
    mangle.reset(cx.createMangleContext());
    if (!isForDevices()) {
      instantiateTwins(*sema);
      if (warns)
        warnOfOverloads(cx);
    }
    const DeviceCode code(cx.getTranslationUnitDecl());
    for (FunctionDecl *function : code.declared)
      markExported(function);
    if (isForDevices()) {
      emitOfHost(code.functions);
    } else {
      markVariables(code);
      emitOfDevices(code.functions);
    }
    for (FunctionDecl *kernel : code.kernels)
      Entry(compiler, *sema, kernel, symbolOf(*mangle, GlobalDecl(kernel, KernelReferenceKind::Kernel))).emit();
  }

private:
  CompilerInstance &compiler;
  const bool warns;
  Sema *sema = nullptr;
  std::unique_ptr<MangleContext> mangle;
  // Functions of the host that a parse for devices withholds from code generation.
  std::vector<FunctionDecl *> withheld;
  bool isAtEnd = false;

  bool isForDevices() const { return compiler.getLangOpts().CUDAIsDevice; }

  void annotate(Decl *declaration, StringRef text) {
    if (llvm::none_of(declaration->specific_attrs<AnnotateAttr>(),
                      [&](const AnnotateAttr *attribute) { return attribute->getAnnotation() == text; }))
      declaration->addAttr(AnnotateAttr::CreateImplicit(compiler.getASTContext(), text, nullptr, 0));
  }

  void markVariables(const DeviceCode &code) {
    for (VarDecl *variable : code.shared)
      markShared(variable);
    for (VarDecl *variable : code.statics)
      markStatic(variable);
  }

  void emitOfDevices(const std::vector<FunctionDecl *> &functions) {
    const auto twins = renameTwins(compiler.getASTContext(), *mangle, functions);
    for (FunctionDecl *function : functions)
      markFunction(function);
    for (FunctionDecl *function : functions)
      emit(function, twins.count(function) != 0);
  }

  void emitOfHost(const std::vector<FunctionDecl *> &ofDevices) {
    isAtEnd = true;
    std::set<std::string> symbols;
    for (FunctionDecl *function : ofDevices)
      symbols.insert(symbolOf(*mangle, representative(function)));
    for (FunctionDecl *function : withheld)
      if (function->isUsed() && !symbols.count(symbolOf(*mangle, representative(function)))) {
        function->dropAttr<CUDAHostAttr>();
        compiler.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(function));
      }
  }

  // Clang emits functions of the host in a parse for devices unless they say that they are its.
  void withhold(FunctionDecl *function) {
    if (isAtEnd || function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>() ||
        function->isDependentContext() || !function->doesThisDeclarationHaveABody())
      return;
    if (!function->hasAttr<CUDAHostAttr>())
      function->addAttr(CUDAHostAttr::CreateImplicit(compiler.getASTContext()));
    withheld.push_back(function);
  }

  // Functions are emitted where they are used, those that are not inline always. Host code may use
  // the host's twin of a function, for which stage 1 then takes this one.
  void emit(FunctionDecl *function, bool isTwin) {
    if (!isTwin && isa<CXXRecordDecl>(function->getLexicalDeclContext()))
      return;
    compiler.getLangOpts().EmitAllDecls = isTwin;
    compiler.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(function));
    compiler.getLangOpts().EmitAllDecls = false;
  }

  void mark(Decl *declaration) {
    if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
      if (compiler.getLangOpts().GPURelocatableDeviceCode && function->hasAttr<CUDADeviceAttr>() &&
          !function->isDependentContext())
        markExported(function);
      if (isForDevices())
        withhold(function);
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
    if (isExported(*function))
      annotate(function, "sinter_export");
  }

  // Clang annotates definitions only, and none of managed variables: these and declarations are in
  // sections.
  void markVariable(VarDecl *variable) {
    const bool isManaged = variable->hasAttr<HIPManagedAttr>(), isExternal = variable->hasExternalStorage();
    const bool isExported = compiler.getLangOpts().GPURelocatableDeviceCode;
    refuseAddresses(compiler.getDiagnostics(), *variable);
    if (isManaged || isExternal)
      variable->addAttr(SectionAttr::CreateImplicit(
          compiler.getASTContext(), isExported && !isExternal ? "sinter_hip_exported" : "sinter_hip_variable"));
    if (isManaged)
      return; // Clang keeps the initial value, and lets all code read the address from a variable.
    annotate(variable, "sinter_hip_variable");
    if (isExported)
      annotate(variable, "sinter_hip_exported");
    makeOfHost(variable);
  }

  // In a parse for devices it is one of theirs already, and clang defines no others.
  void makeOfHost(VarDecl *variable) {
    if (variable->hasAttr<CUDAConstantAttr>())
      annotate(variable, "sinter_hip_constant");
    if (isForDevices())
      return;
    variable->dropAttr<CUDADeviceAttr>();
    variable->dropAttr<CUDAConstantAttr>();
  }

  // A variable in a function is one of the device too, and no other unit names it.
  void markStatic(VarDecl *variable) {
    refuseAddresses(compiler.getDiagnostics(), *variable);
    annotate(variable, "sinter_hip_variable");
    makeOfHost(variable);
  }

  void markShared(VarDecl *variable) {
    ASTContext &cx = compiler.getASTContext();
    annotate(variable, "sinter_hip_shared");
    // Clang annotates definitions only.
    if (variable->hasExternalStorage() && !variable->hasAttr<SectionAttr>())
      variable->addAttr(SectionAttr::CreateImplicit(cx, "sinter_hip_dynamic"));
  }

  // The function becomes one that the host may have too.
  void markFunction(FunctionDecl *function) {
    function->addAttr(CUDAHostAttr::CreateImplicit(compiler.getASTContext()));
    annotate(function, "sinter_hip_function");
    if (compiler.getLangOpts().GPURelocatableDeviceCode)
      markExported(function);
  }
};

struct Action : PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    return std::make_unique<Consumer>(compiler, warns);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &arguments) override {
    warns = !llvm::is_contained(arguments, "no-overload-warning");
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool warns = true;
};

const FrontendPluginRegistry::Add<Action> action("sinter-hip", "Compiles the device code of HIP for stage 1");

} // namespace
