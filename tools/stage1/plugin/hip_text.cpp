// Changes the text of HIP sources where clang reads it otherwise than nvcc and hipcc.
//
// In: a unit in HIP. Out: its own files, though not those of systems, with launches whose brackets
// are written apart (`hip_launches.hpp`) and questions for the device (`hip_architecture.hpp`)
// changed before they are read.
//
// Invariant: a file keeps its lines and columns, and most files are not changed.
#include "hip_architecture.hpp"
#include "hip_launches.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace sinter;

namespace {

std::string changed(StringRef text, const LangOptions &options) {
  Launches launches(text);
  Architecture architecture;
  Lexer lexer(SourceLocation(), options, text.begin(), text.begin(), text.end());
  for (Token token; !lexer.LexFromRawLexer(token);) {
    const size_t at = lexer.getBufferLocation() - text.begin() - token.getLength();
    const StringRef word = text.substr(at, token.getLength());
    launches.read(token.getKind(), word, at);
    architecture.read(token, word, at);
  }
  std::string result = text.str();
  for (const Bracket &bracket : launches.found)
    std::swap(result[bracket.two + 2], result[bracket.one]);
  for (size_t at : architecture.found)
    for (auto [macro, ours] : Architecture::macros)
      if (text.substr(at).starts_with(macro))
        result.replace(at, strlen(macro), ours);
  return result;
}

void change(CompilerInstance &compiler, FileEntryRef file) {
  SourceManager &sources = compiler.getSourceManager();
  const auto buffer = sources.getMemoryBufferForFileOrNone(file);
  if (!buffer || !(Launches::mayBeIn(buffer->getBuffer()) || Architecture::mayBeIn(buffer->getBuffer())))
    return;
  const std::string text = changed(buffer->getBuffer(), compiler.getLangOpts());
  if (text != buffer->getBuffer())
    sources.overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(text, buffer->getBufferIdentifier()));
}

// Changes each file before it is read.
class Files : public PPCallbacks {
public:
  explicit Files(CompilerInstance &compiler) : compiler(compiler) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef, bool, CharSourceRange, OptionalFileEntryRef file,
                          StringRef, StringRef, const Module *, bool, SrcMgr::CharacteristicKind kind) override {
    if (file && !SrcMgr::isSystem(kind) && seen.insert(*file).second)
      change(compiler, *file);
  }

private:
  CompilerInstance &compiler;
  llvm::DenseSet<FileEntryRef> seen;
};

struct Action : PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    if (compiler.getLangOpts().HIP) {
      const SourceManager &sources = compiler.getSourceManager();
      if (const auto file = sources.getFileEntryRefForID(sources.getMainFileID()))
        change(compiler, *file);
      compiler.getPreprocessor().addPPCallbacks(std::make_unique<Files>(compiler));
    }
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<Action> action("sinter-hip-text", "Reads sources as nvcc and hipcc do");

} // namespace
