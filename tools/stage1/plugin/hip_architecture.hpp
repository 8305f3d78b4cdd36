// Finds where device code asks for the device that it is compiled for.
//
// In: the text of a file. Out: the places of `__CUDA_ARCH__` and `__HIP_DEVICE_COMPILE__` whose
// answer is that of a parse for devices, though the one parse here is also the host's: in functions
// for devices alone, and in conditions around nothing but such functions.
//
// Invariant: where code for the host is concerned too, the answer stays the host's: a macro, a type
// or a variable in one branch is enough. A name that a project gives `__device__` is not looked
// into, nor are the branches of a condition told apart.
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
  // The code in braces; those of an `Inner` one are in the head of a function.
  enum class Scope { Open, OfDevice, Inner, Other };
  // A group of conditions that ends with `#endif`.
  struct Group {
    std::vector<size_t> places;
    std::vector<Scope> scopes;
    bool hasDevice = false, hasHost = false;
  };
  // A declaration before its body.
  struct Head {
    bool isEmpty = true, isOfDevice = false, isOfHost = false;
    bool isBlock = false, isType = false, hasCall = false, isInitialising = false;
    unsigned parentheses = 0;
    tok::TokenKind last = tok::unknown;
    StringRef word;

    bool isDeviceFunction() const { return hasCall && isOfDevice && !isOfHost; }
  };

  std::vector<Scope> scopes;
  std::vector<Group> groups;
  Head head;
  bool isDirective = false, isCondition = false;

  static bool isMacro(StringRef word) { return llvm::is_contained({macros[0].first, macros[1].first}, word); }
  // True for words whose parentheses hold no parameters.
  static bool isNoCall(StringRef word) {
    return llvm::is_contained({"alignas", "__align__", "__attribute__", "__declspec", "decltype", "noexcept",
                               "__launch_bounds__", "explicit", "requires"},
                              word);
  }
  bool isOutside() const { return llvm::all_of(scopes, [](Scope scope) { return scope == Scope::Open; }); }
  bool isInDevice() const { return llvm::is_contained(scopes, Scope::OfDevice); }

  void readDirective(const Token &token, StringRef word, size_t at) {
    if (token.is(tok::hash)) {
      isCondition = false;
      // In the midst of a declaration.
      if (!head.isEmpty)
        mark(false);
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
    } else if (word == "define" || word == "undef" || word == "include") {
      mark(false);
    }
  }

  void mark(bool isOfDevice) {
    if (!groups.empty() && isOutside())
      (isOfDevice ? groups.back().hasDevice : groups.back().hasHost) = true;
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
    if (kind == tok::semi && !head.parentheses) {
      if (!head.isEmpty)
        mark(head.isDeviceFunction());
      head = {};
      return;
    }
    head.isEmpty = false;
    if (kind == tok::l_paren) {
      head.hasCall |= !head.parentheses && !isNoCall(head.word);
      ++head.parentheses;
    } else if (kind == tok::r_paren && head.parentheses) {
      --head.parentheses;
    }
    head.isInitialising |= kind == tok::colon && head.hasCall && !head.parentheses;
    head.isOfDevice |= word == "__device__" || word == "__global__";
    head.isOfHost |= word == "__host__";
    head.isBlock |= word == "namespace" || word == "extern";
    head.isType |= word == "class" || word == "struct" || word == "union" || word == "enum";
    head.last = kind;
    head.word = word;
  }

  // True for a brace before the body: of a value, or of a member that a constructor initialises.
  bool isInHead() const {
    const bool isMember = llvm::is_contained({tok::raw_identifier, tok::greater, tok::greatergreater}, head.last);
    return head.parentheses || (head.isInitialising && isMember);
  }

  void open() {
    if (!isOutside()) {
      scopes.push_back(Scope::Other);
    } else if (isInHead()) {
      scopes.push_back(Scope::Inner);
    } else {
      const bool isNeutral = head.isBlock && !head.hasCall;
      if (!isNeutral)
        mark(head.isDeviceFunction());
      scopes.push_back(head.isDeviceFunction()                          ? Scope::OfDevice
                       : isNeutral || (head.isType && !head.hasCall) ? Scope::Open
                                                                        : Scope::Other);
      head = {};
    }
  }

  void close() {
    if (scopes.empty())
      return;
    const Scope closed = scopes.back();
    scopes.pop_back();
    if (closed == Scope::Inner)
      head.last = tok::r_brace;
    else if (isOutside())
      head = {};
  }
};

} // namespace sinter

#endif
