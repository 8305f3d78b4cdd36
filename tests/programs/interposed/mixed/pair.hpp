// A type that both sides know.
#ifndef PAIR_HPP
#define PAIR_HPP

struct Pair {
  int first, second;
};

#endif
