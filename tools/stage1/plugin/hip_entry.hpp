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

} // namespace sinter

#endif
