// The primitive of algorithms whose elements are independent.
//
// In: a number of indices and a function of an index. Out: the function has been called for each.
#ifndef SINTER_STDPAR_LOOP_HPP
#define SINTER_STDPAR_LOOP_HPP

#include "launch.hpp"

namespace sinter::stdpar {

template <class Body> struct loop_kernel {
  Body body;
  std::size_t size;

  void run() const {
    const std::size_t index = item_index();
    if (!__sinter_ragged_groups() && index >= size)
      return;
    body(index);
  }
};

template <class Body> inline bool loop(std::size_t size, const Body &body) {
  return size == 0 || stdpar::launch_items(loop_kernel<Body>{body, size}, size);
}

} // namespace sinter::stdpar

#endif
