// Puts the device code of HIP sources into the module of the host.
//
// In: a unit in HIP that clang compiles for the host (`-x hip --cuda-host-only`), where kernels are
// stubs that call `hipLaunchKernel` and functions for devices are skipped. Out: besides, for each
// kernel `k` the function `k.kernel`, of the form that stage 1 reads for SYCL: a closure of the
// parameters, which it passes to the kernel's statements; the functions for devices; and
// annotations of both and of variables. Stage 1 does the rest (`tools/stage1/src/hip`).
//
// Invariant: what the program sees of the host is as without the plugin. At most 300 lines.
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
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

// True for what other units may call.
bool isExported(const FunctionDecl &function) {
  return function.isExternallyVisible() && !function.isInlined() && !function.isTemplateInstantiation();
}

// Code that devices run and variables that they read, as far as this unit has its definition.
struct DeviceCode : RecursiveASTVisitor<DeviceCode> {
  std::vector<FunctionDecl *> kernels, functions;
  std::vector<VarDecl *> shared;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->isDependentContext() || !function->doesThisDeclarationHaveABody())
      return true;
    if (function->hasAttr<CUDAGlobalAttr>())
      kernels.push_back(function);
    else if (isOfDevice(*function))
      functions.push_back(function);
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (!variable->getDeclContext()->isDependentContext() && !variable->getType()->isDependentType() &&
        variable->hasAttr<CUDASharedAttr>())
      shared.push_back(variable);
    return true;
  }
};

// The entry of one kernel:
//
//   struct arguments { T0 p0; ... };
//   void k.kernel(const arguments &block) { arguments closure = block; body(closure.p0, ...); }
class Entry {
public:
  Entry(CompilerInstance &compiler, Sema &sema, FunctionDecl *kernel, const std::string &symbol)
      : out(compiler.getASTConsumer()), cx(compiler.getASTContext()), sema(sema), kernel(kernel), symbol(symbol),
        unit(cx.getTranslationUnitDecl()), at(kernel->getLocation()) {}

  void emit() {
    FunctionDecl *body = makeBody();
    CXXRecordDecl *record = makeRecord();
    QualType closure = cx.getRecordType(record), block = cx.getLValueReferenceType(closure.withConst());
    FunctionDecl *entry = function(symbol + ".kernel", cx.getFunctionType(cx.VoidTy, {block}, {}), SC_None);
    auto *parameter = ParmVarDecl::Create(cx, entry, at, at, name("block"), block, cx.getTrivialTypeSourceInfo(block),
                                          SC_None, nullptr);
    entry->setParams({parameter});
    annotate(entry, "sinter_kernel");
    annotateParameters(entry, record);
    for (auto *annotation : kernel->specific_attrs<AnnotateAttr>())
      entry->addAttr(annotation->clone(cx));
    if (!fill(entry, body, parameter, closure))
      return;
    unit->addDecl(record);
    out.HandleTopLevelDecl(DeclGroupRef(body));
    out.HandleTopLevelDecl(DeclGroupRef(entry));
  }

private:
  ASTConsumer &out;
  ASTContext &cx;
  Sema &sema;
  FunctionDecl *kernel;
  const std::string &symbol;
  TranslationUnitDecl *unit;
  SourceLocation at;
  std::vector<FieldDecl *> fields;

  IdentifierInfo *name(const Twine &text) { return &cx.Idents.get(text.str()); }

  void annotate(Decl *declaration, StringRef text) {
    declaration->addAttr(AnnotateAttr::CreateImplicit(cx, text, nullptr, 0));
  }

  FunctionDecl *function(const std::string &label, QualType type, StorageClass storage) {
    auto *made = FunctionDecl::Create(cx, unit, at, at, DeclarationName(name(label)), type,
                                      cx.getTrivialTypeSourceInfo(type), storage);
    made->addAttr(AsmLabelAttr::CreateImplicit(cx, label, true));
    return made;
  }

  // The kernel's statements under another name; they go on to refer to the kernel's parameters.
  FunctionDecl *makeBody() {
    FunctionDecl *body = function(symbol + ".body", kernel->getType(), SC_Static);
    body->setParams(kernel->parameters());
    body->setBody(kernel->getBody());
    body->addAttr(AlwaysInlineAttr::CreateImplicit(cx));
    body->setIsUsed();
    return body;
  }

  CXXRecordDecl *makeRecord() {
    auto *record = CXXRecordDecl::Create(cx, TagTypeKind::Struct, unit, at, at, name("arguments_of_" + symbol));
    record->startDefinition();
    for (ParmVarDecl *parameter : kernel->parameters()) {
      auto *field = FieldDecl::Create(cx, record, at, at, name("p" + Twine(fields.size())),
                                      parameter->getType().getUnqualifiedType(), nullptr, nullptr, false, ICIS_NoInit);
      field->setAccess(AS_public);
      record->addDecl(field);
      fields.push_back(field);
    }
    record->completeDefinition();
    return record;
  }

  // The largest block by `__launch_bounds__` or 0; then offset and size of each parameter in the
  // argument block, which a launch copies.
  void annotateParameters(FunctionDecl *entry, CXXRecordDecl *record) {
    const ASTRecordLayout &layout = cx.getASTRecordLayout(record);
    std::vector<Expr *> numbers;
    auto add = [&](int64_t number) {
      llvm::APInt value(64, number);
      Expr *literal = IntegerLiteral::Create(cx, value, cx.LongTy, at);
      numbers.push_back(ConstantExpr::Create(cx, literal, APValue(llvm::APSInt(value, false))));
    };
    auto *bounds = kernel->getAttr<CUDALaunchBoundsAttr>();
    add(bounds ? bounds->getMaxThreads()->EvaluateKnownConstInt(cx).getExtValue() : 0);
    for (FieldDecl *field : fields) {
      add(layout.getFieldOffset(field->getFieldIndex()) / cx.getCharWidth());
      add(cx.getTypeSizeInChars(field->getType()).getQuantity());
    }
    entry->addAttr(AnnotateAttr::CreateImplicit(cx, "sinter_hip_parameters", numbers.data(), numbers.size()));
  }

  bool fill(FunctionDecl *entry, FunctionDecl *body, ParmVarDecl *parameter, QualType closure) {
    Sema::ContextRAII context(sema, entry);
    Sema::FunctionScopeRAII scopes(sema);
    sema.PushFunctionScope();
    EnterExpressionEvaluationContext evaluation(sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
    auto *copy =
        VarDecl::Create(cx, entry, at, at, name("closure"), closure, cx.getTrivialTypeSourceInfo(closure), SC_None);
    annotate(copy, "sinter_closure");
    sema.AddInitializerToDecl(copy, sema.BuildDeclRefExpr(parameter, closure.withConst(), VK_LValue, at), false);
    std::vector<Expr *> arguments;
    for (FieldDecl *field : fields)
      arguments.push_back(sema.BuildMemberExpr(
          sema.BuildDeclRefExpr(copy, closure, VK_LValue, at), false, at, NestedNameSpecifierLoc(), SourceLocation(),
          field, DeclAccessPair::make(field, AS_public), false, DeclarationNameInfo(field->getDeclName(), at),
          field->getType(), VK_LValue, OK_Ordinary));
    Expr *callee = sema.BuildDeclRefExpr(body, body->getType(), VK_LValue, at);
    ExprResult call = sema.BuildCallExpr(nullptr, callee, at, arguments, at);
    if (call.isInvalid())
      return false; // Sema has said why.
    Stmt *statements[] = {new (cx) DeclStmt(DeclGroupRef(copy), at, at), call.get()};
    entry->setBody(CompoundStmt::Create(cx, statements, FPOptionsOverride(), at, at));
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
        markVariables(declaration);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    if (compiler.getLangOpts().HIP)
      markVariables(variable);
  }

  void HandleTranslationUnit(ASTContext &cx) override {
    if (!compiler.getLangOpts().HIP || cx.getDiagnostics().hasErrorOccurred() || !sema)
      return;
    DeviceCode code;
    code.TraverseDecl(cx.getTranslationUnitDecl());
    mangle.reset(cx.createMangleContext());
    for (VarDecl *variable : code.shared)
      markShared(variable);
    for (FunctionDecl *function : code.functions)
      markFunction(function);
    // Those in a class are emitted where they are used.
    for (FunctionDecl *function : code.functions)
      if (!isa<CXXRecordDecl>(function->getLexicalDeclContext()))
        compiler.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(function));
    for (FunctionDecl *kernel : code.kernels)
      Entry(compiler, *sema, kernel, symbolOf(GlobalDecl(kernel, KernelReferenceKind::Kernel))).emit();
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

  void markVariables(Decl *declaration) {
    if (auto *context = dyn_cast<DeclContext>(declaration); context && !isa<FunctionDecl>(declaration))
      for (Decl *inner : context->decls())
        markVariables(inner);
    auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable || !isVariableOfDevice(*variable) || variable->getType()->isDependentType())
      return;
    if (variable->hasAttr<HIPManagedAttr>())
      refuse(variable, "`__managed__` variables are not supported; allocate with hipMallocManaged or cudaMallocManaged");
    annotate(variable, "sinter_hip_variable");
    if (compiler.getLangOpts().GPURelocatableDeviceCode)
      annotate(variable, "sinter_hip_exported");
    // Clang annotates definitions only.
    if (variable->hasExternalStorage())
      variable->addAttr(SectionAttr::CreateImplicit(compiler.getASTContext(), "sinter_hip_variable"));
    variable->dropAttr<CUDADeviceAttr>();
    variable->dropAttr<CUDAConstantAttr>();
  }

  void refuse(Decl *declaration, StringRef why) {
    DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    diagnostics.Report(declaration->getLocation(), diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << why;
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
    if (compiler.getLangOpts().GPURelocatableDeviceCode && isExported(*function))
      annotate(function, "sinter_export");
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
