// The primitive of algorithms whose elements are independent.
//
// In: a number of indices and a function of an index. Out: the function has been called for each,
// or, in the call of an algorithm that is such a loop, will have been behind the next wait.
#ifndef SINTER_STDPAR_LOOP_HPP
#define SINTER_STDPAR_LOOP_HPP

#include "launch.hpp"

#include <type_traits>

namespace sinter::stdpar {

// Elements of a work-item of a GPU in a long loop: with one alone groups end as soon as they begin.
// The code for a CPU knows that there is one.
inline constexpr std::size_t loop_elements = 4;
inline constexpr std::size_t long_loop = std::size_t(1) << 22;
// Work-items of a group in the long loop of a body with results.
inline constexpr std::uint32_t loop_group = 256;

// True for a body that tells the result of an index from its place: `result(index)`, and
// `store(index, result)`. A work-item asks for several results before it stores the first one, so
// that all their loads are under way together.
template <class Body, class = void> inline constexpr bool has_results_v = false;
template <class Body> inline constexpr bool has_results_v<Body, std::enable_if_t<Body::has_results>> = true;

// The division of a loop: a work-item has the elements that are `items` apart, or with results
// those of its group that are `loop_group` apart.
struct loop_division {
  std::size_t size;
  // Until the loop is submitted the size of its groups, or 0 for the runtime's choice.
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
    if constexpr (has_results_v<Body>) {
      if (!__acpp_sscp_jit_reflect_target_is_cpu() && division.items != division.size)
        return several(index / loop_group * (loop_group * loop_elements) + index % loop_group);
    }
    body(index);
    if (has_results_v<Body> || __acpp_sscp_jit_reflect_target_is_cpu())
      return;
    while ((index += division.items) < division.size)
      body(index);
  }

  // The elements of a work-item, from its first one on.
  void several(std::size_t first) const {
    if (first + (loop_elements - 1) * loop_group >= division.size) {
      for (; first < division.size; first += loop_group)
        body(first);
      return;
    }
    decltype(body.result(first)) results[loop_elements];
    for (std::size_t n = 0; n != loop_elements; ++n)
      results[n] = body.result(first + n * loop_group);
    for (std::size_t n = 0; n != loop_elements; ++n)
      body.store(first + n * loop_group, results[n]);
  }
};
template <class Body> inline loop_kernel<Body> loop_of(std::size_t size, const Body &body) {
  return {body, {size, has_results_v<Body> ? loop_group : 0}};
}

// `division` lies in the kernel's block.
SINTER_STDPAR_ONCE bool submit_loop(const bound_kernel &kernel, loop_division &division, until end) {
  const std::size_t group = division.items;
  return division.size == 0 || stdpar::shaped([&] {
           const bool is_long = division.size >= long_loop && !algorithm_call::is_on_cpu() &&
                                (group == 0 || stdpar::group_size() >= group);
           const std::size_t elements = is_long ? loop_elements : 1;
           shape all = stdpar::each_of((division.size + elements - 1) / elements);
           if (is_long && group != 0) {
             all.items = (all.items + group - 1) / group * group;
             all.group_size = static_cast<std::uint32_t>(group);
           }
           division.items = all.items;
           all.is_for_gpu = is_long;
           return stdpar::launch(kernel, all, end);
         });
}

template <class Body> inline bool loop(std::size_t size, const Body &body) {
  loop_kernel<Body> kernel = stdpar::loop_of(size, body);
  return stdpar::submit_loop(stdpar::bound_to(kernel), kernel.division, until::complete);
}

// The same, without the wait for its end.
template <class Body> inline bool start_loop(std::size_t size, const Body &body) {
  loop_kernel<Body> kernel = stdpar::loop_of(size, body);
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
  loop_kernel<Body> kernel = stdpar::loop_of(size, body);
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
