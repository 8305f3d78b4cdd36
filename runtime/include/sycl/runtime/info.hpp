// Descriptors for get_info, the enumerations that queries return, and aspects.
//
// A descriptor is a type with its `return_type`; the queried class implements it.
#ifndef SYCL_INFO_HPP
#define SYCL_INFO_HPP

#include "../detail/kernel_records.hpp"
#include "../memory/memory.hpp"

#include <array>
#include <string>
#include <vector>

namespace sycl {

namespace detail {
using uuid_bytes = std::array<unsigned char, 16>;
} // namespace detail

enum class backend {
  host,
  cuda,
  hip,
  level_zero,
  opencl,
  vulkan,
  other,
  // Names in other implementations.
  ext_oneapi_cuda = cuda,
  ext_oneapi_hip = hip,
  ext_oneapi_level_zero = level_zero
};

enum class aspect {
#define __SYCL_ASPECT(name, number) name = number,
#include "../info/aspects.def"
#undef __SYCL_ASPECT
};

namespace detail {

// The bits of aspects, by their numbers.
template <class... Aspects> constexpr std::uint64_t aspect_bits(Aspects... aspects) noexcept {
  return (std::uint64_t(0) | ... | (std::uint64_t(1) << static_cast<int>(static_cast<aspect>(aspects))));
}

// Aspects of the standard that some device or every device of Sinter has, as compile-time answers.
constexpr bool some_device_has(aspect one) noexcept {
  return one != aspect::custom && one != aspect::emulated && one != aspect::host_debuggable &&
         one <= aspect::usm_system_allocations;
}
constexpr bool every_device_has(aspect one) noexcept {
  return one == aspect::image || one == aspect::online_compiler || one == aspect::online_linker ||
         one == aspect::queue_profiling;
}

} // namespace detail

template <aspect Aspect> struct any_device_has : std::bool_constant<detail::some_device_has(Aspect)> {};
template <aspect Aspect> struct all_devices_have : std::bool_constant<detail::every_device_has(Aspect)> {};
template <aspect Aspect> inline constexpr bool any_device_has_v = any_device_has<Aspect>::value;
template <aspect Aspect> inline constexpr bool all_devices_have_v = all_devices_have<Aspect>::value;

// A kernel of the program.
class kernel_id {
public:
  kernel_id() = delete;
  // The kernel's symbol.
  const char *get_name() const noexcept { return sinter_descriptor()->symbol; }

  friend bool operator==(const kernel_id &a, const kernel_id &b) noexcept {
    return a.sinter_descriptor() == b.sinter_descriptor();
  }
  friend bool operator!=(const kernel_id &a, const kernel_id &b) noexcept { return !(a == b); }

  // For use by the other headers.
  explicit kernel_id(const detail::kernel_record *kernel) noexcept : record(kernel) {}
  const sinter_kernel *sinter_descriptor() const noexcept { return record->descriptor(); }

private:
  const detail::kernel_record *record;
};

namespace info {

enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class local_mem_type { none, local, global };
enum class global_mem_cache_type { none, read_only, read_write };
enum class fp_config {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  correctly_rounded_divide_sqrt,
  soft_float
};
enum class execution_capability { exec_kernel, exec_native_kernel };
enum class partition_property { no_partition, partition_equally, partition_by_counts, partition_by_affinity_domain };
enum class partition_affinity_domain {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable
};
enum class event_command_status { submitted, running, complete };

#define SINTER_INFO(name, type)                                                                                      \
  struct name {                                                                                                      \
    using return_type = type;                                                                                        \
  };

namespace platform {
SINTER_INFO(name, std::string)
SINTER_INFO(vendor, std::string)
SINTER_INFO(version, std::string)
SINTER_INFO(profile, std::string)
SINTER_INFO(extensions, std::vector<std::string>)
} // namespace platform

namespace context {
SINTER_INFO(platform, sycl::platform)
SINTER_INFO(devices, std::vector<sycl::device>)
SINTER_INFO(atomic_memory_order_capabilities, std::vector<memory_order>)
SINTER_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>)
SINTER_INFO(atomic_fence_order_capabilities, std::vector<memory_order>)
SINTER_INFO(atomic_fence_scope_capabilities, std::vector<memory_scope>)
} // namespace context

namespace queue {
SINTER_INFO(context, sycl::context)
SINTER_INFO(device, sycl::device)
SINTER_INFO(reference_count, std::uint32_t)
} // namespace queue

namespace kernel {
SINTER_INFO(function_name, std::string)
SINTER_INFO(num_args, std::uint32_t)
SINTER_INFO(context, sycl::context)
SINTER_INFO(attributes, std::string)
} // namespace kernel

namespace kernel_device_specific {
SINTER_INFO(global_work_size, range<3>)
SINTER_INFO(work_group_size, std::size_t)
SINTER_INFO(compile_work_group_size, range<3>)
SINTER_INFO(preferred_work_group_size_multiple, std::size_t)
SINTER_INFO(private_mem_size, std::size_t)
SINTER_INFO(max_num_sub_groups, std::uint32_t)
SINTER_INFO(compile_num_sub_groups, std::uint32_t)
SINTER_INFO(max_sub_group_size, std::uint32_t)
SINTER_INFO(compile_sub_group_size, std::uint32_t)
SINTER_INFO(ext_codeplay_num_regs, std::uint32_t)
} // namespace kernel_device_specific

namespace event {
SINTER_INFO(command_execution_status, event_command_status)
SINTER_INFO(reference_count, std::uint32_t)
} // namespace event

namespace event_profiling {
SINTER_INFO(command_submit, std::uint64_t)
SINTER_INFO(command_start, std::uint64_t)
SINTER_INFO(command_end, std::uint64_t)
} // namespace event_profiling

namespace device {
SINTER_INFO(device_type, info::device_type)
SINTER_INFO(name, std::string)
SINTER_INFO(vendor, std::string)
SINTER_INFO(vendor_id, std::uint32_t)
SINTER_INFO(version, std::string)
SINTER_INFO(driver_version, std::string)
SINTER_INFO(backend_version, std::string)
SINTER_INFO(profile, std::string)
SINTER_INFO(platform, sycl::platform)
SINTER_INFO(aspects, std::vector<aspect>)
SINTER_INFO(extensions, std::vector<std::string>)
SINTER_INFO(is_available, bool)
SINTER_INFO(is_compiler_available, bool)
SINTER_INFO(is_linker_available, bool)
SINTER_INFO(is_endian_little, bool)
SINTER_INFO(queue_profiling, bool)
SINTER_INFO(built_in_kernels, std::vector<std::string>)
SINTER_INFO(built_in_kernel_ids, std::vector<kernel_id>)
SINTER_INFO(preferred_interop_user_sync, bool)
SINTER_INFO(printf_buffer_size, std::size_t)
SINTER_INFO(image_support, bool)
SINTER_INFO(max_read_image_args, std::uint32_t)
SINTER_INFO(max_write_image_args, std::uint32_t)
SINTER_INFO(image2d_max_width, std::size_t)
SINTER_INFO(image2d_max_height, std::size_t)
SINTER_INFO(image3d_max_width, std::size_t)
SINTER_INFO(image3d_max_height, std::size_t)
SINTER_INFO(image3d_max_depth, std::size_t)
SINTER_INFO(image_max_buffer_size, std::size_t)
SINTER_INFO(max_samplers, std::uint32_t)
SINTER_INFO(max_constant_buffer_size, std::uint64_t)
SINTER_INFO(max_constant_args, std::uint32_t)
SINTER_INFO(atomic_fence_order_capabilities, std::vector<memory_order>)
SINTER_INFO(atomic_fence_scope_capabilities, std::vector<memory_scope>)
SINTER_INFO(usm_device_allocations, bool)
SINTER_INFO(usm_host_allocations, bool)
SINTER_INFO(usm_shared_allocations, bool)
SINTER_INFO(usm_system_allocations, bool)
SINTER_INFO(max_compute_units, std::uint32_t)
SINTER_INFO(max_clock_frequency, std::uint32_t)
SINTER_INFO(max_work_group_size, std::size_t)
SINTER_INFO(max_work_item_dimensions, std::uint32_t)
template <int Dimensions = 3> SINTER_INFO(max_work_item_sizes, range<Dimensions>)
SINTER_INFO(max_num_sub_groups, std::uint32_t)
SINTER_INFO(sub_group_sizes, std::vector<std::size_t>)
SINTER_INFO(sub_group_independent_forward_progress, bool)
SINTER_INFO(global_mem_size, std::uint64_t)
SINTER_INFO(global_mem_cache_type, info::global_mem_cache_type)
SINTER_INFO(global_mem_cache_line_size, std::uint32_t)
SINTER_INFO(global_mem_cache_size, std::uint64_t)
SINTER_INFO(max_mem_alloc_size, std::uint64_t)
SINTER_INFO(local_mem_size, std::uint64_t)
SINTER_INFO(local_mem_type, info::local_mem_type)
SINTER_INFO(max_parameter_size, std::size_t)
SINTER_INFO(host_unified_memory, bool)
SINTER_INFO(preferred_vector_width_char, std::uint32_t)
SINTER_INFO(preferred_vector_width_short, std::uint32_t)
SINTER_INFO(preferred_vector_width_int, std::uint32_t)
SINTER_INFO(preferred_vector_width_long, std::uint32_t)
SINTER_INFO(preferred_vector_width_long_long, std::uint32_t)
SINTER_INFO(preferred_vector_width_float, std::uint32_t)
SINTER_INFO(preferred_vector_width_double, std::uint32_t)
SINTER_INFO(preferred_vector_width_half, std::uint32_t)
SINTER_INFO(native_vector_width_char, std::uint32_t)
SINTER_INFO(native_vector_width_short, std::uint32_t)
SINTER_INFO(native_vector_width_int, std::uint32_t)
SINTER_INFO(native_vector_width_long, std::uint32_t)
SINTER_INFO(native_vector_width_long_long, std::uint32_t)
SINTER_INFO(native_vector_width_float, std::uint32_t)
SINTER_INFO(native_vector_width_double, std::uint32_t)
SINTER_INFO(native_vector_width_half, std::uint32_t)
SINTER_INFO(address_bits, std::uint32_t)
SINTER_INFO(mem_base_addr_align, std::uint32_t)
SINTER_INFO(error_correction_support, bool)
SINTER_INFO(profiling_timer_resolution, std::size_t)
SINTER_INFO(half_fp_config, std::vector<fp_config>)
SINTER_INFO(single_fp_config, std::vector<fp_config>)
SINTER_INFO(double_fp_config, std::vector<fp_config>)
SINTER_INFO(execution_capabilities, std::vector<execution_capability>)
SINTER_INFO(atomic_memory_order_capabilities, std::vector<memory_order>)
SINTER_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>)
SINTER_INFO(partition_max_sub_devices, std::uint32_t)
SINTER_INFO(partition_properties, std::vector<partition_property>)
SINTER_INFO(partition_affinity_domains, std::vector<partition_affinity_domain>)
SINTER_INFO(partition_type_property, partition_property)
SINTER_INFO(partition_type_affinity_domain, partition_affinity_domain)
SINTER_INFO(parent_device, sycl::device)
SINTER_INFO(reference_count, std::uint32_t)
SINTER_INFO(opencl_c_version, std::string)
SINTER_INFO(image_max_array_size, std::size_t)
} // namespace device

} // namespace info

namespace ext::intel::info::device {
SINTER_INFO(device_id, std::uint32_t)
SINTER_INFO(pci_address, std::string)
SINTER_INFO(uuid, sycl::detail::uuid_bytes)
SINTER_INFO(free_memory, std::uint64_t)
SINTER_INFO(max_mem_bandwidth, std::uint64_t)
SINTER_INFO(memory_clock_rate, std::uint32_t)
SINTER_INFO(memory_bus_width, std::uint32_t)
SINTER_INFO(gpu_eu_count, std::uint32_t)
SINTER_INFO(gpu_eu_simd_width, std::uint32_t)
SINTER_INFO(gpu_slices, std::uint32_t)
SINTER_INFO(gpu_subslices_per_slice, std::uint32_t)
SINTER_INFO(gpu_eu_count_per_subslice, std::uint32_t)
SINTER_INFO(gpu_hw_threads_per_eu, std::uint32_t)
} // namespace ext::intel::info::device

#undef SINTER_INFO

namespace detail {

template <class Info> inline constexpr bool is_intel_info = false;
#define SINTER_INTEL(name) template <> inline constexpr bool is_intel_info<ext::intel::info::device::name> = true;
SINTER_INTEL(device_id)
SINTER_INTEL(pci_address)
SINTER_INTEL(uuid)
SINTER_INTEL(free_memory)
SINTER_INTEL(max_mem_bandwidth)
SINTER_INTEL(memory_clock_rate)
SINTER_INTEL(memory_bus_width)
SINTER_INTEL(gpu_eu_count)
SINTER_INTEL(gpu_eu_simd_width)
SINTER_INTEL(gpu_slices)
SINTER_INTEL(gpu_subslices_per_slice)
SINTER_INTEL(gpu_eu_count_per_subslice)
SINTER_INTEL(gpu_hw_threads_per_eu)
#undef SINTER_INTEL

} // namespace detail
} // namespace sycl

#endif
