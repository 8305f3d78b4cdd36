// Finds where device code asks for the device that it is compiled for.
//
// In: the text of a file. Out: the places of `__CUDA_ARCH__` and `__HIP_DEVICE_COMPILE__` whose
// answer is that of a parse for devices, though the one parse here is also the host's: in functions
// for devices alone, and in the conditions around definitions of such functions.
//
// Invariant: where code for the host is concerned too, the answer stays the host's. A name that a
// project gives `__device__` is not looked into, nor are the branches of a condition told apart.
#ifndef SINTER_PLUGIN_HIP_ARCHITECTURE_HPP
#define SINTER_PLUGIN_HIP_ARCHITECTURE_HPP

#include "clang/Lex/Lexer.h"

#include <utility>
#include <vector>

namespace sinter {

using namespace clang;

class Architecture {
public:
  // The macros, and those of as many characters by which the headers answer for devices.
  static constexpr std::pair<const char *, const char *> macros[] = {
      {"__CUDA_ARCH__", "__sinter_arch"}, {"__HIP_DEVICE_COMPILE__", "__sinter_hip_compiling"}};

  // False for most files.
  static bool mayBeIn(StringRef text) {
    return llvm::any_of(macros, [&](auto macro) { return text.contains(macro.first); });
  }

  // Takes the next token; `word` is its text.
  void read(const Token &token, StringRef word, size_t at) {
    if (token.isAtStartOfLine())
      isDirective = token.is(tok::hash);
    if (isDirective)
      readDirective(token, word, at);
    else
      readCode(token.getKind(), word, at);
  }

  std::vector<size_t> found;

private:
  enum class Scope { Open, OfDevice, Other };
  // A group of conditions that ends with `#endif`.
  struct Group {
    std::vector<size_t> places;
    std::vector<Scope> scopes;
    bool hasDevice = false, hasHost = false;
  };
  // The words before the body of a function.
  struct Head {
    bool isOfDevice = false, isOfHost = false, isOpen = false, hasCall = false;
  };

  std::vector<Scope> scopes;
  std::vector<Group> groups;
  Head head;
  bool isDirective = false, isCondition = false;

  static bool isMacro(StringRef word) {
    return llvm::any_of(macros, [&](auto macro) { return word == macro.first; });
  }
  bool isOutside() const { return llvm::all_of(scopes, [](Scope scope) { return scope == Scope::Open; }); }
  bool isInDevice() const { return llvm::is_contained(scopes, Scope::OfDevice); }

  void readDirective(const Token &token, StringRef word, size_t at) {
    if (token.is(tok::hash)) {
      isCondition = false;
    } else if (word == "if" || word == "ifdef" || word == "ifndef") {
      groups.push_back({{}, scopes});
      isCondition = true;
    } else if (!groups.empty() && (word == "elif" || word == "else")) {
      scopes = groups.back().scopes;
      isCondition = word == "elif";
    } else if (!groups.empty() && word == "endif") {
      end();
    } else if (isCondition && isMacro(word)) {
      if (isInDevice())
        found.push_back(at);
      else if (isOutside())
        groups.back().places.push_back(at);
    }
  }

  void end() {
    const Group group = std::move(groups.back());
    groups.pop_back();
    if (group.hasDevice && !group.hasHost)
      found.insert(found.end(), group.places.begin(), group.places.end());
    if (!groups.empty()) {
      groups.back().hasDevice |= group.hasDevice;
      groups.back().hasHost |= group.hasHost;
    }
  }

  void readCode(tok::TokenKind kind, StringRef word, size_t at) {
    if (kind == tok::l_brace)
      open();
    else if (kind == tok::r_brace)
      close();
    else if (isInDevice() && isMacro(word))
      found.push_back(at);
    else if (isOutside())
      readHead(kind, word);
  }

  void readHead(tok::TokenKind kind, StringRef word) {
    if (kind == tok::semi)
      head = {};
    head.hasCall |= kind == tok::l_paren;
    head.isOfDevice |= word == "__device__" || word == "__global__";
    head.isOfHost |= word == "__host__";
    head.isOpen |= word == "namespace" || word == "extern" || word == "class" || word == "struct" || word == "union";
  }

  void open() {
    Scope scope = Scope::Other;
    if (isOutside()) {
      const bool isFunction = head.hasCall && (head.isOfDevice || !head.isOpen);
      if (!isFunction)
        scope = Scope::Open;
      else if (head.isOfDevice && !head.isOfHost)
        scope = Scope::OfDevice;
      if (isFunction && !groups.empty())
        (scope == Scope::OfDevice ? groups.back().hasDevice : groups.back().hasHost) = true;
      head = {};
    }
    scopes.push_back(scope);
  }

  void close() {
    if (!scopes.empty())
      scopes.pop_back();
    if (isOutside())
      head = {};
  }
};

} // namespace sinter

#endif
