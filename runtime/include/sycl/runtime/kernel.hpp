// From a callable to a kernel: the entry points that stage 1 splits off, and the launches that pass
// their argument blocks.
//
// A kernel is an object of one of the structs below: the program's callable and the members that
// its entry needs. The object is the argument block; the entry copies it, so that stage 1 can read
// the leaves and their offsets from one alloca. The program's name for a kernel is part of the type
// and thus of the symbol, and has no other effect.
#ifndef SYCL_KERNEL_HPP
#define SYCL_KERNEL_HPP

#include "event.hpp"
#include "../index/h_item.hpp"
#include "specialization.hpp"

namespace sycl::detail {

class unnamed;

// The type by which a program names a kernel.
template <class Name, class Callable>
using name_of_kernel = std::conditional_t<std::is_same_v<Name, unnamed>, Callable, Name>;

template <class Callable>
inline constexpr bool is_kernel_function = std::is_trivially_copyable_v<Callable> || is_device_copyable_v<Callable> ||
                                           std::is_trivially_destructible_v<Callable>;

// Calls a kernel function with its arguments, and with a kernel_handler if it takes one after them.
// The arguments are lvalues, so that `auto &` accepts them as `auto` does.
template <class Callable, class... Arguments> inline void invoke(const Callable &function, Arguments &&...arguments) {
  if constexpr (std::is_invocable_v<const Callable &, Arguments &..., kernel_handler>)
    function(arguments..., maker::make<kernel_handler>(nullptr));
  else
    function(arguments...);
}

// True for a kernel function whose one parameter is an id, which needs no item to be made from: a
// third of the functions that translating a small kernel has to read and simplify.
template <int Dimensions, class Type>
inline constexpr bool is_plain_id = std::is_same_v<Type, id<Dimensions>> ||
                                    std::is_same_v<Type, const id<Dimensions>> ||
                                    std::is_same_v<Type, const id<Dimensions> &>;
template <int Dimensions, class Result, class Callable, class Type>
std::bool_constant<is_plain_id<Dimensions, Type>> takes_id_of(Result (Callable::*)(Type) const);
template <int Dimensions, class Result, class Callable, class Type>
std::bool_constant<is_plain_id<Dimensions, Type>> takes_id_of(Result (Callable::*)(Type) const noexcept);
template <int Dimensions> std::false_type takes_id_of(...); // more parameters
template <int Dimensions, class Callable, class = void> inline constexpr bool takes_id = false;
template <int Dimensions, class Callable>
inline constexpr bool takes_id<Dimensions, Callable, std::void_t<decltype(&Callable::operator())>> =
    decltype(takes_id_of<Dimensions>(&Callable::operator()))::value;

// The item of a kernel over a range without an offset. A kernel function for any argument has the
// type that `sycl::item<Dimensions>` names, from which templates deduce the dimensions.
template <int Dimensions, class Callable, class = void> struct item_for {
  static auto make(const id<Dimensions> &index, const range<Dimensions> &size) {
    return maker::make<item<Dimensions>>(index, size, id<Dimensions>());
  }
};
template <int Dimensions, class Callable>
struct item_for<Dimensions, Callable, std::void_t<decltype(&Callable::operator())>> {
  static auto make(const id<Dimensions> &index, const range<Dimensions> &size) {
    return maker::make<item<Dimensions, false>>(index, size);
  }
};

// The launches of a kernel: the dimensions of a range, those of an nd_range as a negative number,
// and 0 for others. Stage 1 keeps it for kernels that are compiled before their first launch.
template <class Kernel, class = void> inline constexpr int form_of = 0;
template <class Kernel> inline constexpr int form_of<Kernel, std::void_t<decltype(Kernel::form)>> = Kernel::form;

template <class Name, class Callable> struct single_kernel {
  static constexpr int form = 1;
  using kernel_name = name_of_kernel<Name, Callable>;
  Callable function;

  void run() const { invoke(function); }
};

// Compares 32 bits if the launch is small enough: a 64-bit comparison is two instructions on a GPU.
inline bool is_outside(std::size_t index, std::size_t size) noexcept {
  if (__acpp_sscp_if_global_sizes_fit_in_int())
    return static_cast<std::uint32_t>(index) >= static_cast<std::uint32_t>(size);
  return index >= size;
}

template <class Name, int Dimensions, class Callable> struct range_kernel {
  static constexpr int form = Dimensions;
  using kernel_name = name_of_kernel<Name, Callable>;
  Callable function;
  range<Dimensions> size;

  void run() const {
    const id<Dimensions> index = gather<id<Dimensions>, global_id>();
    if (!__sinter_ragged_groups()) {
      // One branch for all dimensions: each branch would wait for its own index.
      bool outside = false;
      for (int d = 0; d < Dimensions; ++d)
        outside |= is_outside(index[d], size[d]);
      if (outside)
        return;
    }
    if constexpr (takes_id<Dimensions, Callable>)
      function(index);
    else
      invoke(function, item_for<Dimensions, Callable>::make(index, size));
  }
};

template <class Name, int Dimensions, class Callable> struct nd_range_kernel {
  static constexpr int form = -Dimensions;
  using kernel_name = name_of_kernel<Name, Callable>;
  Callable function;

  void run() const { invoke(function, maker::make<nd_item<Dimensions>>(nullptr)); }
};

// A kernel over a range with an offset.
template <class Name, int Dimensions, class Callable> struct offset_kernel {
  static constexpr int form = Dimensions;
  using kernel_name = name_of_kernel<Name, Callable>;
  Callable function;
  range<Dimensions> size;
  id<Dimensions> offset;

  void run() const {
    const id<Dimensions> index = gather<id<Dimensions>, global_id>();
    for (int d = 0; d < Dimensions; ++d)
      if (index[d] >= size[d])
        return;
    invoke(function, maker::make<item<Dimensions, true>>(index + offset, size, offset));
  }
};

// A hierarchical kernel: each group is one work-item of the device.
template <class Name, int Dimensions, class Callable> struct work_group_kernel {
  using kernel_name = name_of_kernel<Name, Callable>;
  Callable function;
  range<Dimensions> size;

  void run() const { invoke(function, maker::make<group<Dimensions>>(size)); }
};

template <class Kernel> SINTER_ANNOTATE("sinter_kernel", form_of<Kernel>) void kernel_entry(const Kernel &block) {
  SINTER_ANNOTATE("sinter_closure") Kernel closure = block;
  closure.run();
}

template <class Kernel> void register_name() noexcept;

// The descriptor of a kernel. Stage 1 turns the call into an assignment, so this is a constant.
template <class Kernel> inline const sinter_kernel *descriptor() {
  register_name<Kernel>();
  const sinter_kernel *kernel = nullptr;
  __sinter_bind_kernel(reinterpret_cast<const void *>(&kernel_entry<Kernel>), &kernel);
  return kernel;
}

// Makes the record of the kernel's name part of the program; no code.
template <class Kernel> inline void register_name() noexcept {
  static_cast<void>(&kernel_registration<typename Kernel::kernel_name, Kernel, &descriptor<Kernel>>::record);
}

template <class Callable> inline void check_kernel_function() {
  static_assert(is_kernel_function<Callable>,
                "a kernel and everything it captures must be device copyable: capture pointers to USM memory and plain "
                "values, not std::string, std::vector or other owners of memory");
}

inline sinter_launch launch_of_one() noexcept {
  return {sizeof(sinter_launch), 1, {1, 1, 1}, {0, 0, 0}, 0, 0, 0, nullptr};
}

template <int Dimensions> inline sinter_launch launch_of(const range<Dimensions> &size) noexcept {
  sinter_launch launch = launch_of_one();
  launch.dimensions = Dimensions;
  for (int d = 0; d < Dimensions; ++d)
    launch.global_size[Dimensions - 1 - d] = size[d];
  return launch;
}

// True if the launch has work-items.
inline bool has_work(const sinter_launch &launch) noexcept {
  return launch.global_size[0] != 0 && launch.global_size[1] != 0 && launch.global_size[2] != 0;
}

// The runtime checks the sizes, because it can name the kernel. A size that the interface cannot
// represent becomes one that exceeds every device's limit. After a zero no size is written: three
// zeros would leave the choice to the runtime.
template <int Dimensions> inline sinter_launch launch_of(const nd_range<Dimensions> &size) {
  sinter_launch launch = launch_of(size.get_global_range());
  for (std::uint32_t &axis : launch.group_size)
    axis = 1;
  for (int d = 0; d < Dimensions; ++d) {
    const std::size_t local = size.get_local_range()[d];
    launch.group_size[Dimensions - 1 - d] = local > UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(local);
    if (local == 0)
      break;
  }
  return launch;
}

template <int Dimensions> bool has_offset(const nd_range<Dimensions> &size) noexcept {
  return size.get_offset() != id<Dimensions>();
}
template <int Dimensions> bool has_offset(const range<Dimensions> &) noexcept { return false; }

// True if the kernel requires more work-items in a group than a hierarchical kernel has.
inline bool requires_large_groups(const sinter_kernel &kernel) noexcept {
  for (const std::uint32_t size : kernel.required_group_size)
    if (size > largest_hierarchical_group)
      return true;
  return kernel.required_sub_group_size > largest_hierarchical_group;
}

// Each group of a hierarchical kernel as one work-item.
template <int Dimensions>
sinter_launch launch_of_groups(const range<Dimensions> &groups, const range<Dimensions> &size,
                               const sinter_kernel &kernel) {
  std::size_t items = 1;
  for (int d = 0; d < Dimensions; ++d)
    if (__builtin_mul_overflow(items, size[d], &items) || items > largest_hierarchical_group || items == 0)
      raise(requires_large_groups(kernel) ? errc::kernel_not_supported : errc::nd_range,
            "a group of a hierarchical kernel has 1 to " + std::to_string(largest_hierarchical_group) +
                " work-items; use parallel_for over an nd_range for larger ones");
  range<Dimensions> one;
  for (int d = 0; d < Dimensions; ++d)
    one[d] = 1;
  return launch_of(nd_range<Dimensions>(groups, one));
}

} // namespace sycl::detail

#endif
