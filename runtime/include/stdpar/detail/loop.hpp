// The primitive of algorithms whose elements are independent.
//
// In: a number of indices and a function of an index. Out: the function has been called for each.
#ifndef SINTER_STDPAR_LOOP_HPP
#define SINTER_STDPAR_LOOP_HPP

#include "launch.hpp"

namespace sinter::stdpar {

// Elements of a work-item of a GPU in a long loop: with one alone groups end as soon as they begin.
inline constexpr std::size_t loop_elements = 4;
inline constexpr std::size_t long_loop = std::size_t(1) << 22;

template <class Body> struct loop_kernel {
  Body body;
  std::size_t size;
  // Work-items, and elements of each: those that are so many apart.
  std::size_t items;
  std::size_t elements;

  void run() const {
    const std::size_t most = __acpp_sscp_jit_reflect_target_is_cpu() ? 1 : elements;
    std::size_t index = item_index(), n = 0;
    do {
      if (index < size || (most == 1 && __sinter_ragged_groups()))
        body(index);
      index += items;
    } while (++n != most);
  }
};

template <class Body, class Submit>
inline bool submit_loop(std::size_t size, const Body &body, const Submit &submit) {
  const std::size_t elements = size >= long_loop && sinter_stdpar_group_size() != 1 ? loop_elements : 1;
  const std::size_t items = (size + elements - 1) / elements;
  return size == 0 ||
         stdpar::launch(loop_kernel<Body>{body, size, items, elements}, stdpar::each_of(items), submit);
}

template <class Body> inline bool loop(std::size_t size, const Body &body) {
  return stdpar::submit_loop(size, body, sinter_stdpar_run);
}

// The same, without the wait for its end.
template <class Body> inline bool start_loop(std::size_t size, const Body &body) {
  return stdpar::submit_loop(size, body, sinter_stdpar_start);
}

// Sets words of scratch memory. One kernel serves all calls.
struct set_words {
  std::uint64_t *words;
  std::uint64_t value;
  void operator()(std::size_t index) const { words[index] = value; }
};

} // namespace sinter::stdpar

#endif
