// Finds launches whose brackets are written apart, which nvcc reads, and clang does not.
//
// In: the text of a file. Out: the two parts of each `<< <` and `>> >` around the configuration of
// a launch. Tools that format C++ write them so.
//
// Invariant: no other code is found: only in the name of an operator `<<` is followed by `<`, and
// `>> >` counts only behind a configuration's begin and before a call.
#ifndef SINTER_PLUGIN_HIP_LAUNCHES_HPP
#define SINTER_PLUGIN_HIP_LAUNCHES_HPP

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace sinter {

using namespace clang;

// Where the two parts of a bracket are in a text.
struct Bracket {
  size_t two, one;
};

class Launches {
public:
  explicit Launches(StringRef text) : text(text) {}

  // False for most files.
  static bool mayBeIn(StringRef text) { return hasApart(text, "<<", '<') || hasApart(text, ">>", '>'); }

  // Takes the next token; `word` is its text.
  void read(tok::TokenKind kind, StringRef word, size_t at) {
    const bool isApart = last == tok::lessless && kind == tok::less && !isOperator;
    if (isApart)
      add({last_at, at});
    if (kind == tok::lesslessless || isApart)
      isOpen = true;
    if (kind != tok::lessless)
      isOperator = word == "operator";
    const bool isCall = kind == tok::l_paren;
    if (isOpen && isCall && before == tok::greatergreater && last == tok::greater) {
      add({before_at, last_at});
      isOpen = false;
    }
    if (isCall && last == tok::greatergreatergreater)
      isOpen = false;
    before = last, before_at = last_at, last = kind, last_at = at;
  }

  std::vector<Bracket> found;

private:
  StringRef text;
  tok::TokenKind before = tok::unknown, last = tok::unknown;
  size_t before_at = 0, last_at = 0;
  // Behind the begin of a configuration.
  bool isOpen = false;
  // Behind `operator`, or `operator<<`.
  bool isOperator = false;

  static bool hasApart(StringRef text, StringRef two, char one) {
    for (size_t at = text.find(two); at != StringRef::npos; at = text.find(two, at + 1)) {
      const StringRef rest = text.substr(at + two.size()), behind = rest.ltrim(" \t");
      if (behind.size() < rest.size() && behind.starts_with(StringRef(&one, 1)))
        return true;
    }
    return false;
  }

  // If spaces are between the parts, and no more.
  void add(Bracket bracket) {
    const size_t end = bracket.two + 2;
    if (bracket.one > end && text.slice(end, bracket.one).ltrim(" \t").empty())
      found.push_back(bracket);
  }
};

} // namespace sinter

#endif
