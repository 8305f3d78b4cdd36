// The primitive of algorithms whose elements are independent.
//
// In: a number of indices and a function of an index. Out: the function has been called for each.
#ifndef SINTER_STDPAR_LOOP_HPP
#define SINTER_STDPAR_LOOP_HPP

#include "launch.hpp"

namespace sinter::stdpar {

// Elements of a work-item of a GPU in a long loop: with one alone groups end as soon as they begin.
// The code for a CPU knows that there is one.
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

template <class Body> inline bool loop(std::size_t size, const Body &body, until end = until::complete) {
  return size == 0 || stdpar::shaped([&] {
           const std::size_t elements = size >= long_loop && !algorithm_call::is_on_cpu() ? loop_elements : 1;
           shape all = stdpar::each_of((size + elements - 1) / elements);
           all.is_for_gpu = elements != 1;
           return stdpar::launch(loop_kernel<Body>{body, size, all.items, elements}, all, end);
         });
}

// The same, without the wait for its end.
template <class Body> inline bool start_loop(std::size_t size, const Body &body) {
  return stdpar::loop(size, body, until::started);
}

// Sets words of scratch memory. One kernel serves all calls.
struct set_words {
  std::uint64_t *words;
  std::uint64_t value;
  void operator()(std::size_t index) const { words[index] = value; }
};
template <> inline constexpr bool is_preparation_v<loop_kernel<set_words>> = true;

} // namespace sinter::stdpar

#endif
