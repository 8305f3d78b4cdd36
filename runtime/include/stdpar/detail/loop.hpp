// The primitive of algorithms whose elements are independent.
//
// In: a number of indices and a function of an index. Out: the function has been called for each.
#ifndef SINTER_STDPAR_LOOP_HPP
#define SINTER_STDPAR_LOOP_HPP

#include "launch.hpp"

namespace sinter::stdpar {

// The division of a loop.
struct loop_division {
  std::size_t size;
  // Work-items, and elements of each: those that are so many apart.
  std::size_t items;
  std::size_t elements;
};

template <class Body> struct loop_kernel {
  Body body;
  loop_division division;

  void run() const {
    const std::size_t most = __acpp_sscp_jit_reflect_target_is_cpu() ? 1 : division.elements;
    std::size_t index = item_index(), n = 0;
    do {
      if (index < division.size || (most == 1 && __sinter_ragged_groups()))
        body(index);
      index += division.items;
    } while (++n != most);
  }
};

// `division` lies in the kernel's block. A work-item has one element: a launch that a GPU cannot
// run goes to the CPU with the same division, and the code for a CPU knows no other.
SINTER_STDPAR_ONCE bool submit_loop(const bound_kernel &kernel, loop_division &division, submission submit) {
  division.elements = 1;
  division.items = division.size;
  return division.size == 0 || stdpar::launch(kernel, stdpar::each_of(division.items), submit);
}

template <class Body> inline bool loop(std::size_t size, const Body &body) {
  loop_kernel<Body> kernel{body, {size, 0, 0}};
  return stdpar::submit_loop(stdpar::bound_to(kernel), kernel.division, sinter_stdpar_run);
}

// The same, without the wait for its end.
template <class Body> inline bool start_loop(std::size_t size, const Body &body) {
  loop_kernel<Body> kernel{body, {size, 0, 0}};
  return stdpar::submit_loop(stdpar::bound_to(kernel), kernel.division, sinter_stdpar_start);
}

// Sets words of scratch memory. One kernel serves all calls.
struct set_words {
  std::uint64_t *words;
  std::uint64_t value;
  void operator()(std::size_t index) const { words[index] = value; }
};
SINTER_STDPAR_ONCE bool start_setting(std::uint64_t *words, std::size_t count, std::uint64_t value) {
  return stdpar::start_loop(count, set_words{words, value});
}

} // namespace sinter::stdpar

#endif
