// Reads launches whose brackets are written apart, as nvcc does.
//
// In: a unit in HIP. Out: in its own files, though not in those of systems, `<< <` and `>> >`
// around the configuration of a launch become `<<<` and `>>>`, which alone are clang's. Tools that
// format C++ write them so.
//
// Invariant: files that have no such launch are as they are, and so is each line and column but
// those of the brackets. No other code changes its meaning: `<<` is never followed by `<`.
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace clang;

namespace {

// Where the two parts of a bracket are in a text.
struct Parts {
  size_t two, one;
};

// Spaces between the parts, and no more.
bool isApart(StringRef text, Parts parts) {
  const size_t end = parts.two + 2;
  return parts.one > end && llvm::all_of(text.slice(end, parts.one), [](char c) { return c == ' ' || c == '\t'; });
}

bool hasApart(StringRef text, StringRef two, char one) {
  for (size_t at = text.find(two); at != StringRef::npos; at = text.find(two, at + 1)) {
    const StringRef rest = text.substr(at + two.size());
    if (rest.ltrim(" \t").size() < rest.size() && rest.ltrim(" \t").starts_with(StringRef(&one, 1)))
      return true;
  }
  return false;
}

// Most files have nothing to read twice.
bool mayHaveLaunches(StringRef text) { return hasApart(text, "<<", '<') || hasApart(text, ">>", '>'); }

class Launches {
public:
  Launches(StringRef text, const LangOptions &options)
      : text(text), lexer(SourceLocation(), options, text.begin(), text.begin(), text.end()) {}

  // The brackets to be joined.
  std::vector<Parts> find() {
    Token token;
    while (true) {
      lexer.LexFromRawLexer(token);
      if (token.is(tok::eof))
        return found;
      read(token.getKind(), text.size() - (text.end() - lexer.getBufferLocation()) - token.getLength());
    }
  }

private:
  StringRef text;
  Lexer lexer;
  std::vector<Parts> found;
  // The last two tokens.
  tok::TokenKind before = tok::unknown, last = tok::unknown;
  size_t before_at = 0, last_at = 0;
  // The end of a configuration is behind its begin, and a call follows it.
  bool isOpen = false;

  void read(tok::TokenKind kind, size_t at) {
    if (last == tok::lessless && kind == tok::less)
      add({last_at, at});
    if (kind == tok::lesslessless || (last == tok::lessless && kind == tok::less))
      isOpen = true;
    const bool isCall = kind == tok::l_paren;
    if (isOpen && isCall && before == tok::greatergreater && last == tok::greater) {
      add({before_at, last_at});
      isOpen = false;
    }
    if (isCall && last == tok::greatergreatergreater)
      isOpen = false;
    before = last, before_at = last_at, last = kind, last_at = at;
  }

  void add(Parts parts) {
    if (isApart(text, parts))
      found.push_back(parts);
  }
};

void join(CompilerInstance &compiler, FileEntryRef file) {
  SourceManager &sources = compiler.getSourceManager();
  const auto buffer = sources.getMemoryBufferForFileOrNone(file);
  if (!buffer || !mayHaveLaunches(buffer->getBuffer()))
    return;
  std::string text = buffer->getBuffer().str();
  for (const Parts &parts : Launches(buffer->getBuffer(), compiler.getLangOpts()).find())
    std::swap(text[parts.two + 2], text[parts.one]);
  sources.overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(text, buffer->getBufferIdentifier()));
}

// Joins in each file before it is read.
class Files : public PPCallbacks {
public:
  explicit Files(CompilerInstance &compiler) : compiler(compiler) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef, bool, CharSourceRange, OptionalFileEntryRef file,
                          StringRef, StringRef, const Module *, bool, SrcMgr::CharacteristicKind kind) override {
    if (file && !SrcMgr::isSystem(kind) && seen.insert(*file).second)
      join(compiler, *file);
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
        join(compiler, *file);
      compiler.getPreprocessor().addPPCallbacks(std::make_unique<Files>(compiler));
    }
    return std::make_unique<ASTConsumer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<Action> action("sinter-hip-launches", "Reads launches as nvcc does");

} // namespace
