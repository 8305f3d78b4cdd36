// Elements of one sorted range that have no partner in another one.
//
// In: two sorted ranges. Out: a predicate of an index of the first one, for search.hpp: true if the
// element has no partner among the equivalent elements of the second range, which are paired in
// their order.
#ifndef SINTER_STDPAR_PARTNERS_HPP
#define SINTER_STDPAR_PARTNERS_HPP

#include "traits.hpp"

#include <cstddef>

namespace sinter::stdpar {

template <class Own, class Other, class Compare> struct has_no_partner {
  Own own;
  Other other;
  std::size_t others;
  Compare compare;

  // The first element of the other range that is not less than own element `index`, at `low` or
  // behind. It is one of the next mostly; steps that double find a far one.
  std::size_t first_not_less(std::size_t low, std::size_t index) const {
    for (unsigned near = 0; near != 4; ++near, ++low)
      if (low == others || !is_less(low, index))
        return low;
    std::size_t width = 4;
    for (; width <= others - low && is_less(low + width - 1, index); width *= 2)
      low += width;
    std::size_t high = others - low < width ? others : low + width - 1;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (is_less(middle, index))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  bool is_less(std::size_t there, std::size_t here) const {
    return static_cast<bool>(stdpar::call(compare, stdpar::at(other, there), stdpar::at(own, here)));
  }

  // The number of elements before `index` that are equivalent to it.
  std::size_t rank_of(std::size_t index) const {
    std::size_t low = 0, high = index;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (stdpar::call(compare, stdpar::at(own, middle), stdpar::at(own, index)))
        low = middle + 1;
      else
        high = middle;
    }
    return index - low;
  }

  struct walk {
    const has_no_partner &of;
    std::size_t at;
    std::size_t rank;
    std::size_t place;

    bool operator()(std::size_t index) {
      if (index != at)
        go_to(index);
      const std::size_t partner = place + rank;
      return partner >= of.others ||
             static_cast<bool>(stdpar::call(of.compare, stdpar::at(of.own, index), stdpar::at(of.other, partner)));
    }
    void go_to(std::size_t index) {
      ++rank;
      if (stdpar::call(of.compare, stdpar::at(of.own, at), stdpar::at(of.own, index))) {
        rank = 0;
        place = of.first_not_less(place, index);
      }
      at = index;
    }
  };
  walk from(std::size_t index) const { return {*this, index, rank_of(index), first_not_less(0, index)}; }
};

template <class Own, class Other, class Compare>
inline auto without_partner(const Own &own, const Other &other, std::size_t others, Compare compare) {
  return has_no_partner<plain_of<Own>, plain_of<Other>, Compare>{stdpar::plain(own), stdpar::plain(other), others,
                                                                 compare};
}

} // namespace sinter::stdpar

#endif
