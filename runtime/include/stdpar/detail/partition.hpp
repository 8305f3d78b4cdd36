// The primitive of algorithms that keep a part of the elements where they are.
//
// In: a range of values, and a predicate of an index. Out: the elements that satisfy it, at the
// beginning of the range, in their order. The others follow them in their order, or are lost. A
// launch that does not happen leaves the range unchanged.
#ifndef SINTER_STDPAR_PARTITION_HPP
#define SINTER_STDPAR_PARTITION_HPP

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

// `Rest` is true if the elements that do not satisfy the predicate are needed.
template <bool Rest, class Iterator, class Predicate>
inline bool compact_in_place(const Iterator &range, std::size_t size, const Predicate &predicate, std::size_t &kept) {
  using value = value_of<Iterator>;
  const scratch<value> memory(size);
  value *const beside = memory.get();
  const auto move = [range, beside](std::size_t index, std::size_t place) { beside[place] = stdpar::at(range, index); };
  std::conditional_t<Rest, store_rest<Iterator>, left_out> drop{};
  if constexpr (Rest)
    drop = {range, beside, size};
  if (!stdpar::compact(size, predicate, move, drop, kept))
    return false;
  if (kept == size || (Rest && kept == 0))
    return true;
  const auto back = [range, beside, size, count = kept](std::size_t index) {
    stdpar::at(range, index) = beside[index < count ? index : size - 1 - (index - count)];
  };
  return stdpar::loop(Rest ? size : kept, back);
}

} // namespace sinter::stdpar

#endif
