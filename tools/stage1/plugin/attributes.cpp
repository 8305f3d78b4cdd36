// Converts SYCL's kernel attributes to annotations, which stage 1 reads.
//
// In: `[[sycl::reqd_work_group_size(...)]]`, `[[sycl::reqd_sub_group_size(...)]]` and
// `[[sycl::device_has(...)]]`. Out: `annotate` attributes with the same integers on the function.
// Behind the parameters of a lambda such an attribute belongs to the type of the call operator,
// where clang accepts few kinds of attributes (`processTypeAttrs` in SemaType.cpp). Ours are of the
// kind `annotate_type`; macros in `sycl/detail/config.hpp` put the string that this kind requires
// first. When a class is complete, the attributes of the types of its call operators are copied to
// the operators.
//
// Invariant: only attributes are added. At most 100 lines; stage 1 does the rest.
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

constexpr StringRef prefix = "sinter_required_";
// Without a namespace too: clang queries the attribute in this form before it parses the arguments.
constexpr ParsedAttrInfo::Spelling spellings[] = {{ParsedAttr::AS_CXX11, "sycl::reqd_work_group_size"},
                                                  {ParsedAttr::AS_CXX11, "sycl::reqd_sub_group_size"},
                                                  {ParsedAttr::AS_CXX11, "intel::reqd_sub_group_size"},
                                                  {ParsedAttr::AS_CXX11, "sycl::device_has"},
                                                  {ParsedAttr::AS_CXX11, "reqd_work_group_size"},
                                                  {ParsedAttr::AS_CXX11, "device_has"},
                                                  {ParsedAttr::AS_CXX11, "reqd_sub_group_size"}};

struct Requirement : ParsedAttrInfo {
  Requirement() {
    AttrKind = ParsedAttr::AT_AnnotateType;
    NumArgs = 1;
    OptArgs = 15; // Any number.
    Spellings = spellings;
  }

  // Handles an attribute in front of a declaration, where it belongs to the function itself.
  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override {
    StringRef name;
    if (!sema.checkStringLiteralArgumentAttr(attribute, 0, name))
      return AttributeNotApplied;
    SmallVector<Expr *, 3> sizes;
    for (unsigned i = 1; i < attribute.getNumArgs(); ++i)
      sizes.push_back(attribute.getArgAsExpr(i));
    if (!sema.ConstantFoldAttrArgs(attribute, sizes))
      return AttributeNotApplied;
    declaration->addAttr(AnnotateAttr::Create(sema.Context, name, sizes.data(), sizes.size(), attribute));
    return AttributeApplied;
  }
};

// Copies attributes from the types of call operators to the operators. Instances of templates
// inherit the copies, and clang substitutes the values.
struct CallOperators : ASTConsumer, ASTMutationListener {
  ASTMutationListener *GetASTMutationListener() override { return this; }

  void CompletedTagDefinition(const TagDecl *tag) override {
    if (auto *record = dyn_cast<CXXRecordDecl>(tag))
      for (Decl *member : record->decls())
        if (auto *function = dyn_cast_or_null<CXXMethodDecl>(member->getAsFunction()))
          if (function->getOverloadedOperator() == OO_Call && function->getTypeSourceInfo())
            copy(*function);
  }

  static void copy(CXXMethodDecl &function) {
    SmallVector<StringRef, 2> present;
    for (auto *annotation : function.specific_attrs<AnnotateAttr>())
      present.push_back(annotation->getAnnotation());
    for (TypeLoc type = function.getTypeSourceInfo()->getTypeLoc(); !type.isNull(); type = type.getNextTypeLoc())
      if (auto attributed = type.getAs<AttributedTypeLoc>())
        if (auto *from = dyn_cast_or_null<AnnotateTypeAttr>(attributed.getAttr()))
          if (from->getAnnotation().starts_with(prefix) && !is_contained(present, from->getAnnotation()))
            function.addAttr(AnnotateAttr::Create(function.getASTContext(), from->getAnnotation(), from->args_begin(),
                                                  from->args_size(), *from));
  }
};

struct Action : PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<CallOperators>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const ParsedAttrInfoRegistry::Add<Requirement> requirement("sinter-requirement", "Required sizes of kernels");
const FrontendPluginRegistry::Add<Action> action("sinter-attributes", "Reads attributes of call operators");

} // namespace
