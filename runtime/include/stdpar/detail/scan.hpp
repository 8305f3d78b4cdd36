// The primitive of prefix sums.
//
// In: a function that gives the value of an index, a function that stores the sum at an index, and
// an associative operation. Out: the sums of all prefixes. On a CPU values are asked for twice
// where the range has several parts, by groups once. A sum is stored once, after its value is asked
// for the last time.
#ifndef SINTER_STDPAR_SCAN_HPP
#define SINTER_STDPAR_SCAN_HPP

#include "scan_in_groups.hpp"

namespace sinter::stdpar {

// The data of a launch of a scan.
struct scan_work {
  std::size_t size;
  // By groups.
  scan_memory memory;
  // By parts: the sum of what precedes each part, which the part before stores in the first launch.
  tiles parts;
  void *before;
  // False if nothing precedes the first part.
  bool has_first;
  bool is_first_launch;
};

template <bool Inclusive, class Type, class Value, class Store, class Operation> struct scan_kernel {
  using fold_of_part = std::conditional_t<is_commutative_v<Operation>, fold, ordered_fold>;

  Value value;
  Store store;
  Operation operation;
  scan_work work;

  void run() const {
    if (!is_alone())
      together();
    else if (work.is_first_launch)
      sum_part(group_index());
    else
      sum_prefixes(group_index());
  }

  void together() const {
    const group_scan<Type, Operation> scan(operation, work.memory);
    const std::size_t part = scan.take_part(), step = width(), length = step * scan.own_elements;
    const std::size_t first = part * length, rest = work.size - first, count = rest < length ? rest : length;
    stdpar::move_together(
        count, [&](std::size_t index) { return value(first + index); },
        [&](std::size_t index, const auto &element) {
          ::new (static_cast<void *>(scan.elements() + index)) Type(element);
        });
    scan.template sum_all<Inclusive>(part, count);
    for (std::size_t index = lane(); index < count; index += step)
      store(first + index, scan.elements()[index]);
  }

  void sum_part(std::size_t tile) const {
    ::new (static_cast<void *>(static_cast<Type *>(work.before) + tile + 1))
        Type(fold_of_part::template of<Type>(value, operation, work.parts.first(tile), work.parts.last(tile)));
  }

  void sum_prefixes(std::size_t tile) const {
    const Type *const before = static_cast<const Type *>(work.before) + tile;
    std::size_t index = work.parts.first(tile);
    const std::size_t last = work.parts.last(tile);
    if constexpr (Inclusive) {
      Type sum = tile != 0 || work.has_first ? static_cast<Type>(operation(*before, value(index)))
                                             : static_cast<Type>(value(index));
      store(index, sum);
      for (++index; index != last; ++index) {
        sum = operation(sum, value(index));
        store(index, sum);
      }
    } else {
      Type sum = *before;
      for (; index != last; ++index) {
        const Type next = operation(sum, value(index));
        store(index, sum);
        sum = next;
      }
    }
  }
};

// Replaces values on the host by their prefix sums.
template <class Type, class Operation>
inline void scan_on_host(const void *operation, void *values, std::size_t count) {
  Type *const value = static_cast<Type *>(values);
  for (std::size_t n = 1; n < count; ++n)
    value[n] = (*static_cast<const Operation *>(operation))(value[n - 1], value[n]);
}

// The types of a scan, as far as the host needs to know them.
struct summed_values {
  std::size_t bytes, alignment;
  // Elements of a work-item of a group, and its bytes of the group's memory.
  std::size_t elements, item_bytes;
  void (*scan)(const void *, void *, std::size_t);
};
template <class Type, class Operation>
inline constexpr summed_values summed_values_of{sizeof(Type), alignof(Type), scan_elements<Type>, scan_bytes<Type>,
                                                scan_on_host<Type, Operation>};

// The host's side of a scan. `work` lies in the kernel's block.
struct prefix_sums {
  bound_kernel kernel;
  scan_work *work;
  const summed_values &values;
  // Null if nothing precedes the values.
  const void *first;
  const void *operation;

  SINTER_STDPAR_ONCE bool run_by_parts() const {
    const tiles parts(work->size);
    const std::size_t count = parts.count();
    const scratch_bytes before((count + 1) * values.bytes, values.alignment, false);
    work->parts = parts, work->before = before.get(), work->has_first = first != nullptr;
    work->is_first_launch = true;
    if (count > 1 && !stdpar::run(kernel, stdpar::parts_of(count - 1)))
      return false;
    if (first != nullptr)
      std::memcpy(before.get(), first, values.bytes);
    const std::size_t unused = first != nullptr ? 0 : 1;
    values.scan(operation, static_cast<char *>(before.get()) + unused * values.bytes, count - unused);
    work->is_first_launch = false;
    return stdpar::run(kernel, stdpar::parts_of(count));
  }

  SINTER_STDPAR_ONCE bool run() const {
    return stdpar::shaped([&] {
      if (const std::uint32_t group = stdpar::group_size_for(values.item_bytes); group != 1)
        return stdpar::run_scan(kernel, work->memory, group, work->size, values.bytes, values.alignment,
                                values.elements, values.item_bytes, first);
      return run_by_parts();
    });
  }
};

namespace quiet {

// A scan that is the call of an algorithm. `work` and `operation` lie in the kernel's block.
SINTER_STDPAR_ONCE bool scan_call(std::uint32_t policy_needs, binding bound, [[clang::noescape]] const void *block,
                                  std::size_t block_size, [[clang::noescape]] scan_work *work,
                                  const summed_values &values, [[clang::noescape]] const void *first,
                                  [[clang::noescape]] const void *operation) {
  const algorithm_call call(policy_needs);
  return prefix_sums{{bound, block, block_size, false}, work, values, first, operation}.run();
}

} // namespace quiet

// The call of an algorithm with a policy: kernels may still run before it. `first` is null if
// nothing precedes the values, of which there is one at least.
template <bool Inclusive, class Policy, class Type, class Value, class Store, class Operation>
[[gnu::always_inline]] inline bool call_scan(Policy, std::size_t size, const Type *first, const Value &value,
                                             const Store &store, const Operation &operation) {
  using kernel_of = scan_kernel<Inclusive, Type, Value, Store, Operation>;
  kernel_of kernel{value, store, operation, {}};
  kernel.work.size = size;
  return quiet::scan_call(policy_needs_v<Policy>, stdpar::bind<kernel_of>(), &kernel, sizeof(kernel), &kernel.work,
                          summed_values_of<Type, Operation>, first, &kernel.operation);
}

} // namespace sinter::stdpar

#endif
