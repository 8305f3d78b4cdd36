// The primitive of algorithms that keep a part of the elements where they are.
//
// In: a range of values, and a predicate of an index. Out: the elements that satisfy it, at the
// beginning of the range, in their order. The others follow them in their order, or are lost. A
// launch that does not happen leaves the range unchanged.
#ifndef SINTER_STDPAR_PARTITION_HPP
#define SINTER_STDPAR_PARTITION_HPP

#include "bodies.hpp"
#include "compact.hpp"
#include "loop.hpp"
#include "traits.hpp"

namespace sinter::stdpar {

// The elements that are not kept, from the end of the memory on: where the kept ones end is not
// known yet.
template <class Iterator> struct store_rest {
  Iterator range;
  value_of<Iterator> *beside;
  std::size_t size;

  void operator()(std::size_t index, std::size_t place) const { beside[size - 1 - place] = stdpar::at(range, index); }
};

// Copies the kept elements back, and the rest behind them.
template <class Iterator> struct copy_parts_back {
  Iterator range;
  const value_of<Iterator> *beside;
  std::size_t size;
  std::size_t kept;

  void operator()(std::size_t index) const {
    stdpar::at(range, index) = beside[index < kept ? index : size - 1 - (index - kept)];
  }
};

// `Rest` is true if the elements that do not satisfy the predicate are needed.
template <bool Rest, class Iterator, class Predicate>
inline bool compact_in_place(const Iterator &first, std::size_t size, const Predicate &predicate, std::size_t &kept) {
  using iterator = plain_of<Iterator>;
  using value = value_of<Iterator>;
  const iterator range = stdpar::plain(first);
  const scratch<value> memory(size);
  value *const beside = memory.get();
  std::conditional_t<Rest, store_rest<iterator>, left_out> drop{};
  if constexpr (Rest)
    drop = {range, beside, size};
  if (!stdpar::compact(size, predicate, stdpar::copies_to_place(range, beside), drop, kept))
    return false;
  if (kept == size || (Rest && kept == 0))
    return true;
  return stdpar::loop(Rest ? size : kept, copy_parts_back<iterator>{range, beside, size, kept});
}

} // namespace sinter::stdpar

#endif
