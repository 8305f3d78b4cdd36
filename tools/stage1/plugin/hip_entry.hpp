// Makes the entry of a kernel of HIP, in the form in which stage 1 reads those of SYCL.
//
// In: a kernel that the unit defines, and its symbol. Out: a struct of its parameters, the kernel's
// statements as a function of their own, and the entry, which code generation then sees.
//
// Invariant: the kernel itself is not changed.
#ifndef SINTER_PLUGIN_HIP_ENTRY_HPP
#define SINTER_PLUGIN_HIP_ENTRY_HPP

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

namespace sinter {

using namespace clang;

// The entry of one kernel:
//
//   struct arguments { T0 p0; ... };
//   void k.kernel(const arguments &block) { arguments closure = block; body(closure.p0, ...); }
//
// Objects that are passed by their address, as those with a copy constructor of their own are, must
// not be copied or destroyed here. Then the closure is a `sinter_hip_closure<arguments>`, which has
// their bytes, and the call passes their addresses, which is what it does anyway.
class Entry {
public:
  Entry(CompilerInstance &compiler, Sema &sema, FunctionDecl *kernel, const std::string &symbol)
      : out(compiler.getASTConsumer()), cx(compiler.getASTContext()), sema(sema), kernel(kernel), symbol(symbol),
        unit(cx.getTranslationUnitDecl()), at(kernel->getLocation()) {}

  void emit() {
    FunctionDecl *body = makeBody(), *called = hasObjects() ? declareBody() : body;
    CXXRecordDecl *record = makeRecord();
    QualType closure = cx.getRecordType(record), block = cx.getLValueReferenceType(closure.withConst());
    FunctionDecl *entry = function(symbol + ".kernel", cx.getFunctionType(cx.VoidTy, {block}, {}), SC_None);
    auto *parameter = ParmVarDecl::Create(cx, entry, at, at, name("block"), block, cx.getTrivialTypeSourceInfo(block),
                                          SC_None, nullptr);
    entry->setParams({parameter});
    annotate(entry, "sinter_group_kernel");
    annotateParameters(entry, record);
    for (auto *annotation : kernel->specific_attrs<AnnotateAttr>())
      entry->addAttr(annotation->clone(cx));
    if (!fill(entry, called, parameter, closure))
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

  static bool isObject(const ParmVarDecl *parameter) {
    const CXXRecordDecl *record = parameter->getType()->getAsCXXRecordDecl();
    return record && !record->canPassInRegisters();
  }
  bool hasObjects() const { return llvm::any_of(kernel->parameters(), isObject); }

  // The same function with references to objects, which code generation passes alike.
  FunctionDecl *declareBody() {
    std::vector<QualType> types;
    for (const ParmVarDecl *parameter : kernel->parameters())
      types.push_back(isObject(parameter) ? cx.getLValueReferenceType(parameter->getType()) : parameter->getType());
    FunctionDecl *declared = function(symbol + ".body", cx.getFunctionType(cx.VoidTy, types, {}), SC_None);
    std::vector<ParmVarDecl *> parameters;
    for (QualType type : types)
      parameters.push_back(
          ParmVarDecl::Create(cx, declared, at, at, nullptr, type, cx.getTrivialTypeSourceInfo(type), SC_None, nullptr));
    declared->setParams(parameters);
    return declared;
  }

  // `sinter_hip_closure<arguments>`, or a null type without the headers.
  QualType closureOf(QualType arguments) {
    for (NamedDecl *found : unit->lookup(name("sinter_hip_closure")))
      if (auto *made = dyn_cast<ClassTemplateDecl>(found)) {
        TemplateArgumentListInfo list(at, at);
        list.addArgument(TemplateArgumentLoc(TemplateArgument(arguments), cx.getTrivialTypeSourceInfo(arguments, at)));
        const QualType type = sema.CheckTemplateIdType(TemplateName(made), at, list);
        return !type.isNull() && sema.isCompleteType(at, type) ? type : QualType();
      }
    return {};
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
  // block, which a launch copies.
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

  Expr *member(Expr *object, FieldDecl *field) {
    return sema.BuildMemberExpr(object, false, at, NestedNameSpecifierLoc(), SourceLocation(), field,
                                DeclAccessPair::make(field, AS_public), false,
                                DeclarationNameInfo(field->getDeclName(), at), field->getType().getNonReferenceType(),
                                VK_LValue, OK_Ordinary);
  }

  bool fill(FunctionDecl *entry, FunctionDecl *body, ParmVarDecl *parameter, QualType arguments) {
    Sema::ContextRAII context(sema, entry);
    Sema::FunctionScopeRAII scopes(sema);
    sema.PushFunctionScope();
    EnterExpressionEvaluationContext evaluation(sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
    const QualType bytes = hasObjects() ? closureOf(arguments) : QualType();
    const QualType closure = bytes.isNull() ? arguments : bytes;
    auto *copy =
        VarDecl::Create(cx, entry, at, at, name("closure"), closure, cx.getTrivialTypeSourceInfo(closure), SC_None);
    annotate(copy, "sinter_closure");
    Expr *block = sema.BuildDeclRefExpr(parameter, arguments.withConst(), VK_LValue, at);
    sema.AddInitializerToDecl(copy, ParenListExpr::Create(cx, at, {block}, at), true);
    std::vector<Expr *> values;
    for (FieldDecl *field : fields) {
      Expr *object = sema.BuildDeclRefExpr(copy, closure, VK_LValue, at);
      if (!bytes.isNull())
        object = member(object, *bytes->getAsCXXRecordDecl()->field_begin());
      values.push_back(member(object, field));
    }
    Expr *callee = sema.BuildDeclRefExpr(body, body->getType(), VK_LValue, at);
    ExprResult call = sema.BuildCallExpr(nullptr, callee, at, values, at);
    if (call.isInvalid())
      return false; // Sema has said why.
    Stmt *statements[] = {new (cx) DeclStmt(DeclGroupRef(copy), at, at), call.get()};
    entry->setBody(CompoundStmt::Create(cx, statements, FPOptionsOverride(), at, at));
    sema.PerformPendingInstantiations();
    return true;
  }
};

} // namespace sinter

#endif
