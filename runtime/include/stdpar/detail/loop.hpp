// The primitive of algorithms whose elements are independent.
//
// In: a number of indices and a function of an index. Out: the function has been called for each.
#ifndef SINTER_STDPAR_LOOP_HPP
#define SINTER_STDPAR_LOOP_HPP

#include "launch.hpp"

namespace sinter::stdpar {

// A work-item has one element, so that a launch which a GPU cannot run may go to the CPU as it is.
template <class Body> struct loop_kernel {
  Body body;
  std::size_t size;

  void run() const {
    const std::size_t index = item_index();
    if (index < size || __sinter_ragged_groups())
      body(index);
  }
};

template <class Body> inline bool submit_loop(std::size_t size, const Body &body, submission submit) {
  const loop_kernel<Body> kernel{body, size};
  return size == 0 || stdpar::launch(stdpar::bound_to(kernel), stdpar::each_of(size), submit);
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
SINTER_STDPAR_ONCE bool start_setting(std::uint64_t *words, std::size_t count, std::uint64_t value) {
  return stdpar::start_loop(count, set_words{words, value});
}

} // namespace sinter::stdpar

#endif
