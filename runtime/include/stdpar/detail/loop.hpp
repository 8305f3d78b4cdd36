// The primitive of algorithms whose elements are independent.
//
// In: a number of indices and a function of an index. Out: the function has been called for each,
// or, in the call of an algorithm that is such a loop, will have been behind the next wait.
#ifndef SINTER_STDPAR_LOOP_HPP
#define SINTER_STDPAR_LOOP_HPP

#include "launch.hpp"

namespace sinter::stdpar {

// Elements of a work-item of a GPU in a long loop: with one alone groups end as soon as they begin.
// The code for a CPU knows that there is one.
inline constexpr std::size_t loop_elements = 4;
inline constexpr std::size_t long_loop = std::size_t(1) << 22;

// The division of a loop: a work-item has the elements that are `items` apart.
struct loop_division {
  std::size_t size;
  std::size_t items;
};

template <class Body> struct loop_kernel {
  Body body;
  loop_division division;

  void run() const {
    std::size_t index = item_index();
    // The last group of a GPU may have more work-items than the loop.
    if (index >= division.items && !__sinter_ragged_groups())
      return;
    body(index);
    if (__acpp_sscp_jit_reflect_target_is_cpu())
      return;
    while ((index += division.items) < division.size)
      body(index);
  }
};

// `division` lies in the kernel's block.
SINTER_STDPAR_ONCE bool submit_loop(const bound_kernel &kernel, loop_division &division, until end) {
  return division.size == 0 || stdpar::shaped([&] {
           const bool is_long = division.size >= long_loop && !algorithm_call::is_on_cpu();
           const std::size_t elements = is_long ? loop_elements : 1;
           division.items = (division.size + elements - 1) / elements;
           shape all = stdpar::each_of(division.items);
           all.is_for_gpu = is_long;
           return stdpar::launch(kernel, all, end);
         });
}

template <class Body> inline bool loop(std::size_t size, const Body &body) {
  loop_kernel<Body> kernel{body, {size, 0}};
  return stdpar::submit_loop(stdpar::bound_to(kernel), kernel.division, until::complete);
}

// The same, without the wait for its end.
template <class Body> inline bool start_loop(std::size_t size, const Body &body) {
  loop_kernel<Body> kernel{body, {size, 0}};
  return stdpar::submit_loop(stdpar::bound_to(kernel), kernel.division, until::started);
}

namespace quiet {

// Starts a loop that is the call of an algorithm. The kernel, whose block nobody keeps, has no type
// here: `division` lies in the block.
SINTER_STDPAR_ONCE bool start_call(std::uint32_t policy_needs, binding bound, [[clang::noescape]] const void *block,
                                   std::size_t size, [[clang::noescape]] loop_division *division) {
  const algorithm_call call(policy_needs);
  return stdpar::submit_loop({bound, block, size, false}, *division, until::settled);
}

} // namespace quiet

// A loop that is the call of an algorithm with a policy. Its end may be waited for later.
template <class Policy, class Body>
[[gnu::always_inline]] inline bool call_loop(Policy, std::size_t size, const Body &body) {
  loop_kernel<Body> kernel{body, {size, 0}};
  const bool has_started = quiet::start_call(policy_needs_v<Policy>, stdpar::bind<loop_kernel<Body>>(), &kernel,
                                             sizeof(kernel), &kernel.division);
  quiet::settle();
  return has_started;
}

// Sets words of scratch memory. One kernel serves all calls.
struct set_words {
  std::uint64_t *words;
  std::uint64_t value;
  void operator()(std::size_t index) const { words[index] = value; }
};
template <> inline constexpr bool is_preparation_v<loop_kernel<set_words>> = true;
SINTER_STDPAR_ONCE bool start_setting(std::uint64_t *words, std::size_t count, std::uint64_t value) {
  return stdpar::start_loop(count, set_words{words, value});
}

} // namespace sinter::stdpar

#endif
