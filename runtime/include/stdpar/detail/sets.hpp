// The primitive of algorithms that treat sorted ranges as sets.
//
// In: two sorted ranges. Out: a predicate of an index of the first one, for compact.hpp and
// search.hpp: it says if the element has a partner among the equivalent elements of the second
// range, which are paired in their order.
#ifndef SINTER_STDPAR_SETS_HPP
#define SINTER_STDPAR_SETS_HPP

#include "compact.hpp"
#include "merge.hpp"
#include "traits.hpp"

namespace sinter::stdpar {

// True for elements that have a partner, or, if that is not wanted, for those that have none.
template <class Own, class Other, class Compare> struct has_partner {
  bool is_wanted;
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
    const has_partner &of;
    std::size_t at;
    std::size_t rank;
    std::size_t place;

    bool operator()(std::size_t index) {
      if (index != at)
        go_to(index);
      const std::size_t partner = place + rank;
      const bool has_one =
          partner < of.others && !stdpar::call(of.compare, stdpar::at(of.own, index), stdpar::at(of.other, partner));
      return has_one == of.is_wanted;
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
inline auto partners_of(bool is_wanted, const Own &own, const Other &other, std::size_t others, Compare compare) {
  return has_partner<plain_of<Own>, plain_of<Other>, Compare>{is_wanted, stdpar::plain(own), stdpar::plain(other),
                                                              others, compare};
}

// Stores an index at a place.
struct store_index {
  std::size_t *indices;
  void operator()(std::size_t index, std::size_t place) const { indices[place] = index; }
};

// Stores the indices of elements that have no partner.
template <class Own, class Other, class Compare>
inline bool without_partner(const Own &own, std::size_t size, const Other &other, std::size_t others,
                            const Compare &compare, std::size_t *indices, std::size_t &count) {
  return stdpar::compact(size, stdpar::partners_of(false, own, other, others, compare), store_index{indices}, count);
}

// Stores the elements that have a partner, or those that have none, in their order.
template <class Own, class Other, class Output, class Compare>
inline bool filter_by_partner(bool is_wanted, const Own &own, std::size_t size, const Other &other,
                              std::size_t others, const Output &out, const Compare &compare, std::size_t &count) {
  return stdpar::compact(size, stdpar::partners_of(is_wanted, own, other, others, compare),
                         stdpar::copies_to_place(own, out), count);
}

} // namespace sinter::stdpar

#endif
