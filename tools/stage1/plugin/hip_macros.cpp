// Warns of device code that asks whether it is compiled for a device.
//
// In: a unit in HIP. Out: a warning for each condition of the preprocessor in the body of a device
// function that names a macro which HIP or CUDA define in their parses for devices. Here one parse
// serves the host and all devices, so that these macros are not defined: `hip_text.cpp` has changed
// those in functions for devices alone, which leaves functions for both sides, and functions under
// a macro of the project. The argument `off` of the plugin turns the warning off, which
// `-Wno-sinter-hip-device-macro` becomes.
//
// Invariant: nothing is changed, and each place is reported once.
#include "hip_architecture.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace {

struct Place {
  SourceLocation at;
  StringRef macro;
};
using Places = std::vector<Place>;

// Collects the conditions that name one of the macros.
class Conditions : public PPCallbacks {
public:
  Conditions(Preprocessor &preprocessor, std::shared_ptr<Places> places)
      : preprocessor(preprocessor), places(std::move(places)) {}

  void If(SourceLocation at, SourceRange range, ConditionValueKind) override { search(at, range); }
  void Elif(SourceLocation at, SourceRange range, ConditionValueKind, SourceLocation) override { search(at, range); }
  void Ifdef(SourceLocation at, const Token &name, const MacroDefinition &) override { compare(at, name); }
  void Ifndef(SourceLocation at, const Token &name, const MacroDefinition &) override { compare(at, name); }

private:
  Preprocessor &preprocessor;
  std::shared_ptr<Places> places;

  void compare(SourceLocation at, const Token &name) {
    for (auto [macro, ours] : sinter::Architecture::macros)
      if (name.getIdentifierInfo() && name.getIdentifierInfo()->getName() == macro)
        places->push_back({at, macro});
  }

  void search(SourceLocation at, SourceRange range) {
    StringRef condition = Lexer::getSourceText(CharSourceRange::getCharRange(range), preprocessor.getSourceManager(),
                                               preprocessor.getLangOpts());
    for (auto [macro, ours] : sinter::Architecture::macros)
      if (condition.contains(macro)) {
        places->push_back({at, macro});
        return;
      }
  }
};

// Reports the places in bodies of device functions, templates among them.
class Bodies : public RecursiveASTVisitor<Bodies> {
public:
  Bodies(ASTContext &cx, const Places &places)
      : sources(cx.getSourceManager()), diagnostics(cx.getDiagnostics()), places(places),
        id(diagnostics.getCustomDiagID(
            DiagnosticsEngine::Warning,
            "'%0' is not defined in device code either, since one parse serves the host and all devices "
            "[-Wsinter-hip-device-macro]")) {}

  bool VisitFunctionDecl(FunctionDecl *function) {
    const bool runs_on_devices = function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>();
    if (!runs_on_devices || !function->doesThisDeclarationHaveABody())
      return true;
    const SourceRange body = function->getBody()->getSourceRange();
    for (const Place &place : places)
      if (sources.isPointWithin(place.at, body.getBegin(), body.getEnd()) && reported.insert(place.at).second)
        diagnostics.Report(place.at, id) << place.macro;
    return true;
  }

private:
  SourceManager &sources;
  DiagnosticsEngine &diagnostics;
  const Places &places;
  unsigned id;
  std::set<SourceLocation> reported;
};

struct Consumer : ASTConsumer {
  explicit Consumer(std::shared_ptr<Places> places) : places(std::move(places)) {}

  void HandleTranslationUnit(ASTContext &cx) override {
    if (!places->empty())
      Bodies(cx, *places).TraverseDecl(cx.getTranslationUnitDecl());
  }

  std::shared_ptr<Places> places;
};

struct Action : PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    auto places = std::make_shared<Places>();
    if (warns && compiler.getLangOpts().HIP && !compiler.getLangOpts().CUDAIsDevice)
      compiler.getPreprocessor().addPPCallbacks(
          std::make_unique<Conditions>(compiler.getPreprocessor(), places));
    return std::make_unique<Consumer>(places);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &arguments) override {
    warns = !llvm::is_contained(arguments, "off");
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool warns = true;
};

const FrontendPluginRegistry::Add<Action> action("sinter-hip-macros", "Warns of macros of parses for devices");

} // namespace
