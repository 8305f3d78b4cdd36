// The primitive of algorithms that combine all elements into one value.
//
// In: at least one index, a function that gives the value of an index, and an associative operation
// whose operands may change places. Out: the combination. The order of operations depends on the
// number of elements and the kind of the device alone.
#ifndef SINTER_STDPAR_REDUCE_HPP
#define SINTER_STDPAR_REDUCE_HPP

#include "group.hpp"
#include "launch.hpp"
#include "tiles.hpp"
#include "traits.hpp"

#include <cstring>
#include <functional>
#include <new>
#include <type_traits>

namespace sinter::stdpar {

// Combines the values from `first` to `last`, of which there is one at least, from left to right.
struct ordered_fold {
  template <class Type, class Value, class Operation>
  static Type of(const Value &value, const Operation &operation, std::size_t first, std::size_t last) {
    Type sum = value(first);
    for (++first; first != last; ++first)
      sum = operation(sum, value(first));
    return sum;
  }
};

// The same in any order: several sums side by side become vector code.
struct fold {
  static constexpr std::size_t width = 16;

  template <class Type, class Value, class Operation>
  static Type of(const Value &value, const Operation &operation, std::size_t first, std::size_t last) {
    if constexpr (!std::is_arithmetic_v<Type>) {
      return ordered_fold::of<Type>(value, operation, first, last);
    } else {
      if (last - first < 2 * width)
        return ordered_fold::of<Type>(value, operation, first, last);
      Type sums[width];
      for (std::size_t lane = 0; lane != width; ++lane)
        sums[lane] = value(first + lane);
      for (first += width; last - first >= width; first += width)
        for (std::size_t lane = 0; lane != width; ++lane)
          sums[lane] = operation(sums[lane], value(first + lane));
      for (std::size_t lane = 0; first != last; ++first, ++lane)
        sums[lane] = operation(sums[lane], value(first));
      Type sum = sums[0];
      for (std::size_t lane = 1; lane != width; ++lane)
        sum = operation(sum, sums[lane]);
      return sum;
    }
  }
};

// An operation whose operands and result have one type.
template <class Type, class Operation> struct combination {
  Operation operation;

  Type operator()(const Type &left, const Type &right) const {
    return static_cast<Type>(stdpar::call(operation, left, right));
  }
};

// True if the operands may change places.
template <class Operation> inline constexpr bool is_commutative_v = false;
template <class Type, class Of>
inline constexpr bool is_commutative_v<combination<Type, std::plus<Of>>> = std::is_arithmetic_v<Type>;
template <class Type, class Of>
inline constexpr bool is_commutative_v<combination<Type, std::multiplies<Of>>> = std::is_arithmetic_v<Type>;

// The values of every `step`-th index from `first` on, by a work-item whose neighbours have the
// indices in between.
struct stepping_fold {
  static constexpr std::size_t ahead = 8;

  template <class Type, class Value, class Operation>
  static Type of(const Value &value, const Operation &operation, std::size_t first, std::size_t last,
                 std::size_t step) {
    Type sum = value(first);
    std::size_t index = first + step;
    // The loads of all these values are under way before the first one is used.
    if constexpr (std::is_trivial_v<Type> && sizeof(Type) <= 16)
      for (; index + (ahead - 1) * step < last; index += ahead * step) {
        Type values[ahead];
        for (std::size_t n = 0; n != ahead; ++n)
          values[n] = value(index + n * step);
        for (std::size_t n = 0; n != ahead; ++n)
          sum = operation(sum, values[n]);
      }
    for (; index < last; index += step)
      sum = operation(sum, value(index));
    return sum;
  }
};

// The data of a launch of a reduction.
struct reduce_work {
  tiles parts;
  // One result of each part.
  void *results;
  // Results of another launch, which are combined in place of the values; else null.
  const void *kept;
};

// The elements of scratch memory.
template <class Type> struct kept_values {
  const Type *values;
  Type operator()(std::size_t index) const { return values[index]; }
};

template <class Fold, class Type, class Value, class Operation> struct reduce_kernel {
  Value value;
  Operation operation;
  reduce_work work;

  void run() const {
    const std::size_t tile = group_index(), first = work.parts.first(tile), last = work.parts.last(tile);
    Type *const result = static_cast<Type *>(work.results) + tile;
    if (is_alone())
      ::new (static_cast<void *>(result)) Type(Fold::template of<Type>(value, operation, first, last));
    else
      together(result, first, last);
  }

  void together(Type *result, std::size_t first, std::size_t last) const {
    Type *const sums = group_memory<Type>();
    const std::size_t own = lane(), step = width();
    if (own < last - first)
      ::new (static_cast<void *>(sums + own)) Type(sum_of_own(first + own, last, step));
    stdpar::combine_all(sums, last - first < step ? last - first : step, operation);
    if (own == 0)
      ::new (static_cast<void *>(result)) Type(sums[0]);
  }

  Type sum_of_own(std::size_t first, std::size_t last, std::size_t step) const {
    if (work.kept != nullptr)
      return stepping_fold::of<Type>(kept_values<Type>{static_cast<const Type *>(work.kept)}, operation, first, last,
                                     step);
    return stepping_fold::of<Type>(value, operation, first, last, step);
  }
};

// Combines values on the host, from left to right, into the first.
template <class Type, class Operation>
inline void combine_on_host(const void *operation, void *values, std::size_t count) {
  Type *const value = static_cast<Type *>(values);
  for (std::size_t n = 1; n < count; ++n)
    value[0] = (*static_cast<const Operation *>(operation))(value[0], value[n]);
}

// The types of a reduction, as far as the host needs to know them.
struct combined_values {
  std::size_t bytes, alignment;
  void (*combine)(const void *, void *, std::size_t);
};
template <class Type, class Operation>
inline constexpr combined_values combined_values_of{sizeof(Type), alignof(Type), combine_on_host<Type, Operation>};

// The host's side of a reduction.
struct reduction {
  bound_kernel kernel;
  reduce_work *work;
  std::size_t elements;
  const combined_values &values;
  const void *operation;

  // By groups of `size` work-items: the last one combines the results of the others.
  SINTER_STDPAR_ONCE bool run_in_groups(std::uint32_t size, void *result) const {
    const tiles parts(elements, most_group_tiles, smallest_tile);
    const std::size_t count = parts.count();
    const std::size_t bytes = values.bytes;
    const scratch_bytes sums(count * bytes, values.alignment, false), sum(bytes, values.alignment, true);
    *work = {parts, count == 1 ? sum.get() : sums.get(), nullptr};
    const shape all = stdpar::groups_of(count, size, bytes);
    if (count == 1 ? !stdpar::run(kernel, all) : !stdpar::start(kernel, all))
      return false;
    *work = {tiles(count, 1, 1), sum.get(), sums.get()};
    if (count != 1 && !stdpar::run(kernel, stdpar::groups_of(1, size, bytes)))
      return false;
    std::memcpy(result, sum.get(), bytes);
    return true;
  }

  SINTER_STDPAR_ONCE bool run_by_parts(void *result) const {
    const tiles parts(elements);
    const scratch_bytes results(parts.count() * values.bytes, values.alignment, false);
    *work = {parts, results.get(), nullptr};
    if (!stdpar::run(kernel, stdpar::parts_of(parts.count())))
      return false;
    values.combine(operation, results.get(), parts.count());
    std::memcpy(result, results.get(), values.bytes);
    return true;
  }

  SINTER_STDPAR_ONCE bool run(void *result) const {
    return stdpar::shaped([&] {
      const std::uint32_t group = stdpar::group_size_for(values.bytes);
      return group != 1 ? run_in_groups(group, result) : run_by_parts(result);
    });
  }
};

// Stores the combination of all values, of which there is one at least, in `result`, which has no
// object yet.
template <class Fold, class Type, class Value, class Operation>
inline bool reduce_into(Type *result, std::size_t size, const Value &value, const Operation &operation) {
  reduce_kernel<Fold, Type, Value, Operation> kernel{value, operation, {}};
  const reduction all{stdpar::bound_to(kernel), &kernel.work, size, combined_values_of<Type, Operation>,
                      &kernel.operation};
  return all.run(result);
}

namespace quiet {

// A reduction that is the call of an algorithm. `work` and `operation` lie in the kernel's block.
SINTER_STDPAR_ONCE bool reduce_call(std::uint32_t policy_needs, binding bound, [[clang::noescape]] const void *block,
                                    std::size_t block_size, [[clang::noescape]] reduce_work *work,
                                    std::size_t elements, const combined_values &values,
                                    [[clang::noescape]] const void *operation, [[clang::noescape]] void *result) {
  const algorithm_call call(policy_needs);
  return reduction{{bound, block, block_size, false}, work, elements, values, operation}.run(result);
}

} // namespace quiet

// The same as the call of an algorithm with a policy: kernels may still run before it.
template <class Fold, class Policy, class Type, class Value, class Operation>
[[gnu::always_inline]] inline bool call_reduce(Policy, Type *result, std::size_t size, const Value &value,
                                               const Operation &operation) {
  using kernel_of = reduce_kernel<Fold, Type, Value, Operation>;
  kernel_of kernel{value, operation, {}};
  return quiet::reduce_call(policy_needs_v<Policy>, stdpar::bind<kernel_of>(), &kernel, sizeof(kernel), &kernel.work,
                            size, combined_values_of<Type, Operation>, &kernel.operation, result);
}

// Memory for one object, which is not destroyed.
template <class Type> struct room {
  alignas(Type) unsigned char bytes[sizeof(Type)];
  Type *get() noexcept { return reinterpret_cast<Type *>(bytes); }
  const Type *get() const noexcept { return reinterpret_cast<const Type *>(bytes); }
};

} // namespace sinter::stdpar

#endif
