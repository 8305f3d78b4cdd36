// device: a device number of the C interface, and its queries.
//
// Devices are plain values: copies compare equal and own nothing. Queries that the runtime does not
// know have the answer for all devices of Sinter here, or throw.
#ifndef SYCL_DEVICE_HPP
#define SYCL_DEVICE_HPP

#include "exception.hpp"
#include "info.hpp"
#include "properties.hpp"
#include "../index/range.hpp"

#define SYCL_EXT_ONEAPI_PEER_ACCESS 1

namespace sycl {

namespace ext::oneapi {
enum class peer_access { access_supported, access_enabled, atomics_supported };
} // namespace ext::oneapi

namespace detail {

template <class Type> inline Type device_value(std::uint32_t device, sinter_device_info what) {
  Type value{};
  check(sinter_device_get_info(device, what, &value, sizeof(value), nullptr));
  return value;
}

inline std::string device_text(std::uint32_t device, sinter_device_info what) {
  std::size_t size = 0;
  check(sinter_device_get_info(device, what, nullptr, 0, &size));
  std::string text(size, '\0');
  check(sinter_device_get_info(device, what, &text[0], size, nullptr));
  while (!text.empty() && text.back() == '\0')
    text.pop_back();
  return text;
}

inline std::vector<std::size_t> device_sizes(std::uint32_t device, sinter_device_info what) {
  std::size_t size = 0;
  check(sinter_device_get_info(device, what, nullptr, 0, &size));
  std::vector<std::uint64_t> values(size / sizeof(std::uint64_t));
  check(sinter_device_get_info(device, what, values.data(), size, nullptr));
  return {values.begin(), values.end()};
}

inline std::uint32_t device_count() {
  std::uint32_t count = 0;
  check(sinter_device_count(&count));
  return count;
}

inline backend backend_of(const std::string &driver) {
  const struct { const char *name; backend value; } known[] = {
      {"host", backend::host},         {"cuda", backend::cuda},     {"hip", backend::hip},
      {"level-zero", backend::level_zero}, {"opencl", backend::opencl}, {"vulkan", backend::vulkan}};
  for (const auto &entry : known)
    if (driver == entry.name)
      return entry.value;
  return backend::other;
}

// A selector whose function is not const is copied.
template <class Selector>
inline constexpr bool is_const_selector = std::is_invocable_r_v<int, const Selector &, const device &>;
template <class Selector>
inline constexpr bool is_selector = (is_const_selector<Selector> ||
                                     std::is_invocable_r_v<int, Selector &, const device &>) &&
                                    !is_property_v<Selector> && !std::is_same_v<Selector, device>;

std::uint32_t default_device();
template <class Selector> std::uint32_t select(const Selector &selector);

} // namespace detail

class device {
public:
  device() : number(detail::default_device()) {}
  template <class Selector, detail::enable_if<detail::is_selector<Selector>> = 0>
  explicit device(const Selector &selector) : number(detail::select(selector)) {}
  // Selectors of SYCL 1.2.1 convert implicitly, as in other implementations.
  device(const device_selector &selector);

  static std::vector<device> get_devices(info::device_type type = info::device_type::all);

  bool is_cpu() const { return type() == SINTER_DEVICE_TYPE_CPU; }
  bool is_gpu() const { return type() == SINTER_DEVICE_TYPE_GPU; }
  bool is_accelerator() const { return type() == SINTER_DEVICE_TYPE_OTHER; }
  // SYCL 1.2.1's host device runs without a driver. Here the CPU has one.
  bool is_host() const noexcept { return false; }
  bool has(aspect wanted) const;
  // Extensions are queried as aspects; none has a name.
  bool has_extension(const std::string &) const { return false; }
  platform get_platform() const;
  backend get_backend() const noexcept { return detail::backend_of(text(SINTER_DEVICE_DRIVER_NAME)); }

  template <class Info> typename Info::return_type get_info() const {
    if constexpr (detail::is_intel_info<Info>)
      detail::raise(errc::feature_not_supported, text(SINTER_DEVICE_NAME) + " has no information of Intel's extension");
    else
      return answer(Info());
  }

  // DPC++'s functions for access of kernels to memory of other devices. The question enables it.
  bool ext_oneapi_can_access_peer(const device &peer, ext::oneapi::peer_access value =
                                                          ext::oneapi::peer_access::access_supported) const {
    std::int32_t possible = 0;
    detail::check(sinter_device_set_peer_access(number, peer.number, 1, &possible));
    return possible != 0 && (value != ext::oneapi::peer_access::atomics_supported || *this == peer);
  }
  void ext_oneapi_enable_peer_access(const device &peer) const {
    if (!ext_oneapi_can_access_peer(peer))
      detail::raise(errc::invalid, text(SINTER_DEVICE_NAME) + " cannot access memory of the other device");
  }
  void ext_oneapi_disable_peer_access(const device &peer) const {
    detail::check(sinter_device_set_peer_access(number, peer.number, 0, nullptr));
  }

  // Parts of the device, with threads of their own and the same memory. Only the host CPU has any.
  template <info::partition_property Property, detail::enable_if<Property == info::partition_property::partition_equally> = 0>
  std::vector<device> create_sub_devices(std::size_t count) const {
    check_divisible("partition_equally");
    const std::size_t units = answer(info::device::max_compute_units());
    if (count == 0 || count > units)
      detail::raise(errc::invalid, "parts of " + std::to_string(count) + " compute units of " + std::to_string(units));
    std::vector<device> parts;
    for (std::size_t first = 0; units - first >= count; first += count)
      parts.push_back(part(first, count, Property));
    return parts;
  }
  template <info::partition_property Property, detail::enable_if<Property == info::partition_property::partition_by_counts> = 0>
  std::vector<device> create_sub_devices(const std::vector<std::size_t> &counts) const {
    check_divisible("partition_by_counts");
    const std::size_t units = answer(info::device::max_compute_units());
    std::vector<device> parts;
    std::size_t first = 0;
    for (const std::size_t count : counts) {
      if (count > units - first)
        detail::raise(errc::invalid, "parts of more than " + std::to_string(units) + " compute units");
      if (count != 0)
        parts.push_back(part(first, count, Property));
      first += count;
    }
    return parts;
  }
  template <info::partition_property Property,
            detail::enable_if<Property == info::partition_property::partition_by_affinity_domain> = 0>
  std::vector<device> create_sub_devices(info::partition_affinity_domain domain) const {
    const std::uint32_t nodes = value<std::uint32_t>(SINTER_DEVICE_NUMA_NODES);
    if (nodes < 2 || !is_node_domain(domain))
      detail::raise(errc::feature_not_supported,
                    text(SINTER_DEVICE_NAME) + " cannot be partitioned by this affinity domain: only by NUMA nodes, "
                                               "of which it has " + std::to_string(nodes));
    std::vector<device> parts;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      std::uint32_t made = 0;
      detail::check(sinter_device_take_node(number, node, static_cast<std::uint32_t>(Property), &made));
      parts.push_back(device(made));
    }
    return parts;
  }

  friend bool operator==(const device &a, const device &b) noexcept { return a.number == b.number; }
  friend bool operator!=(const device &a, const device &b) noexcept { return a.number != b.number; }

  // The number of the device in the C interface.
  std::uint32_t sinter_number() const noexcept { return number; }
  // The number of the device that it is a part of; UINT32_MAX if it is a whole device.
  std::uint32_t sinter_parent() const { return value<std::uint32_t>(SINTER_DEVICE_PARENT); }
  static device from_sinter_number(std::uint32_t number) noexcept { return device(number); }

private:
  explicit device(std::uint32_t device_number) noexcept : number(device_number) {}

  void check_divisible(const char *property) const {
    if (!is_divisible())
      detail::raise(errc::feature_not_supported,
                    text(SINTER_DEVICE_NAME) + " cannot be partitioned with info::partition_property::" + property);
  }
  device part(std::size_t first, std::size_t units, info::partition_property how) const {
    std::uint32_t made = 0;
    detail::check(sinter_device_divide(number, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(units),
                                       static_cast<std::uint32_t>(how), &made));
    return device(made);
  }

  std::uint32_t type() const { return value<std::uint32_t>(SINTER_DEVICE_TYPE); }
  std::string text(sinter_device_info what) const { return detail::device_text(number, what); }
  template <class Type> Type value(sinter_device_info what) const { return detail::device_value<Type>(number, what); }
  bool feature(std::uint64_t bit) const { return (value<std::uint64_t>(SINTER_DEVICE_FEATURES) & bit) != 0; }
  std::vector<std::size_t> sub_groups() const { return detail::device_sizes(number, SINTER_DEVICE_SUB_GROUP_SIZES); }

  // Queries that return vectors are templates, so that a program compiles only those that it uses.
#define SINTER_LIST(type, name) template <class List = std::vector<type>> List answer(info::device::name) const

  std::string answer(info::device::name) const { return text(SINTER_DEVICE_NAME); }
  std::string answer(info::device::vendor) const { return text(SINTER_DEVICE_VENDOR); }
  std::string answer(info::device::driver_version) const { return text(SINTER_DEVICE_DRIVER_VERSION); }
  std::string answer(info::device::version) const { return text(SINTER_DEVICE_TARGET); }
  std::string answer(info::device::backend_version) const { return text(SINTER_DEVICE_DRIVER_VERSION); }
  std::string answer(info::device::profile) const { return "FULL_PROFILE"; }
  SINTER_LIST(std::string, extensions) { return {}; }
  std::uint32_t answer(info::device::vendor_id) const { return value<std::uint32_t>(SINTER_DEVICE_VENDOR_ID); }
  info::device_type answer(info::device::device_type) const {
    return is_cpu() ? info::device_type::cpu : is_gpu() ? info::device_type::gpu : info::device_type::accelerator;
  }
  platform answer(info::device::platform) const;
  SINTER_LIST(aspect, aspects) {
    List present;
    for (int value = 0; value <= static_cast<int>(aspect::usm_system_allocations); ++value)
      if (has(static_cast<aspect>(value)))
        present.push_back(static_cast<aspect>(value));
    return present;
  }
  bool answer(info::device::is_available) const { return true; }
  // Kernels are always compiled at run time.
  bool answer(info::device::is_compiler_available) const { return true; }
  bool answer(info::device::is_linker_available) const { return true; }
  bool answer(info::device::is_endian_little) const { return true; }
  bool answer(info::device::queue_profiling) const { return has(aspect::queue_profiling); }
  SINTER_LIST(std::string, built_in_kernels) { return {}; }
  SINTER_LIST(kernel_id, built_in_kernel_ids) { return {}; }
  bool answer(info::device::preferred_interop_user_sync) const { return true; }
  // CUDA's default buffer; a CPU prints at once.
  std::size_t answer(info::device::printf_buffer_size) const { return std::size_t(1) << 20; }

  // Images are buffers that code reads as images: no device has a limit of its own. The numbers of
  // arguments are OpenCL's minimum; lengths are those for which the coordinates of a sampler, which
  // are floats, leave eight bits for the place between two pixels.
  bool answer(info::device::image_support) const { return true; }
  std::uint32_t answer(info::device::max_read_image_args) const { return 128; }
  std::uint32_t answer(info::device::max_write_image_args) const { return 64; }
  std::size_t answer(info::device::image2d_max_width) const { return longest_image; }
  std::size_t answer(info::device::image2d_max_height) const { return longest_image; }
  std::size_t answer(info::device::image3d_max_width) const { return longest_image; }
  std::size_t answer(info::device::image3d_max_height) const { return longest_image; }
  std::size_t answer(info::device::image3d_max_depth) const { return longest_image; }
  std::size_t answer(info::device::image_max_buffer_size) const { return longest_image; }
  std::uint32_t answer(info::device::max_samplers) const { return 16; }
  // Constant memory is read-only global memory; the numbers are OpenCL's minimum.
  std::uint64_t answer(info::device::max_constant_buffer_size) const { return 64 << 10; }
  std::uint32_t answer(info::device::max_constant_args) const { return 8; }
  bool answer(info::device::usm_device_allocations) const { return feature(SINTER_FEATURE_USM_DEVICE); }
  bool answer(info::device::usm_host_allocations) const { return feature(SINTER_FEATURE_USM_HOST); }
  bool answer(info::device::usm_shared_allocations) const { return feature(SINTER_FEATURE_USM_SHARED); }
  bool answer(info::device::usm_system_allocations) const { return feature(SINTER_FEATURE_USM_SYSTEM); }

  std::uint32_t answer(info::device::max_compute_units) const {
    return value<std::uint32_t>(SINTER_DEVICE_MAX_COMPUTE_UNITS);
  }
  std::uint32_t answer(info::device::max_clock_frequency) const {
    return value<std::uint32_t>(SINTER_DEVICE_MAX_CLOCK_FREQUENCY);
  }
  std::size_t answer(info::device::max_work_group_size) const {
    return value<std::uint64_t>(SINTER_DEVICE_MAX_WORK_GROUP_SIZE);
  }
  std::uint32_t answer(info::device::max_work_item_dimensions) const { return 3; }
  template <int Dims> range<Dims> answer(info::device::max_work_item_sizes<Dims>) const {
    struct sizes { std::uint64_t axis[3]; };
    const sizes all = value<sizes>(SINTER_DEVICE_MAX_WORK_ITEM_SIZES);
    range<Dims> result;
    for (int d = 0; d < Dims; ++d)
      result[d] = all.axis[Dims - 1 - d];
    return result;
  }
  std::vector<std::size_t> answer(info::device::sub_group_sizes) const { return sub_groups(); }
  // The smallest sub-group size gives the most sub-groups.
  std::uint32_t answer(info::device::max_num_sub_groups) const {
    std::size_t smallest = 0;
    for (const std::size_t size : sub_groups())
      smallest = smallest == 0 || size < smallest ? size : smallest;
    const std::size_t items = answer(info::device::max_work_group_size());
    return static_cast<std::uint32_t>(smallest == 0 ? 1 : (items + smallest - 1) / smallest);
  }
  // NVIDIA GPUs have it since Volta, the oldest supported one.
  bool answer(info::device::sub_group_independent_forward_progress) const { return get_backend() == backend::cuda; }

  std::uint64_t answer(info::device::global_mem_size) const {
    return value<std::uint64_t>(SINTER_DEVICE_GLOBAL_MEM_SIZE);
  }
  info::global_mem_cache_type answer(info::device::global_mem_cache_type) const {
    return info::global_mem_cache_type::read_write;
  }
  std::uint32_t answer(info::device::global_mem_cache_line_size) const {
    return value<std::uint32_t>(SINTER_DEVICE_GLOBAL_MEM_CACHE_LINE_SIZE);
  }
  // Unknown.
  std::uint64_t answer(info::device::global_mem_cache_size) const { return 0; }
  // An argument block may be larger; this is supported by every driver.
  std::size_t answer(info::device::max_parameter_size) const { return 4096; }
  bool answer(info::device::host_unified_memory) const { return is_cpu(); }

  // Loops over work-items are vectorised, so kernels gain nothing from explicit vectors.
#define SINTER_VECTOR_WIDTH(type, present)                                                                           \
  std::uint32_t answer(info::device::preferred_vector_width_##type) const { return (present) ? 1 : 0; }              \
  std::uint32_t answer(info::device::native_vector_width_##type) const { return (present) ? 1 : 0; }
  SINTER_VECTOR_WIDTH(char, true)
  SINTER_VECTOR_WIDTH(short, true)
  SINTER_VECTOR_WIDTH(int, true)
  SINTER_VECTOR_WIDTH(long, true)
  SINTER_VECTOR_WIDTH(long_long, true)
  SINTER_VECTOR_WIDTH(float, true)
  SINTER_VECTOR_WIDTH(double, feature(SINTER_FEATURE_FP64))
  SINTER_VECTOR_WIDTH(half, feature(SINTER_FEATURE_FP16))
#undef SINTER_VECTOR_WIDTH
  std::uint64_t answer(info::device::max_mem_alloc_size) const {
    return value<std::uint64_t>(SINTER_DEVICE_MAX_MEM_ALLOC_SIZE);
  }
  std::uint64_t answer(info::device::local_mem_size) const {
    return value<std::uint64_t>(SINTER_DEVICE_LOCAL_MEM_SIZE);
  }
  info::local_mem_type answer(info::device::local_mem_type) const {
    return is_cpu() ? info::local_mem_type::global : info::local_mem_type::local;
  }
  std::uint32_t answer(info::device::address_bits) const { return 64; }
  // In bits; allocations are aligned to 64 bytes (sinter.h).
  std::uint32_t answer(info::device::mem_base_addr_align) const { return 512; }
  bool answer(info::device::error_correction_support) const { return false; }
  // The resolution of CUDA events is half a microsecond (cuEventElapsedTime).
  std::size_t answer(info::device::profiling_timer_resolution) const { return is_cpu() ? 1 : 500; }

  template <class List> List ieee(bool subnormals = true) const {
    List all = {info::fp_config::inf_nan, info::fp_config::round_to_nearest, info::fp_config::fma};
    if (subnormals)
      all.insert(all.begin(), info::fp_config::denorm);
    return all;
  }
  SINTER_LIST(info::fp_config, single_fp_config) {
    List all = ieee<List>(feature(SINTER_FEATURE_SUBNORMALS));
    all.push_back(info::fp_config::correctly_rounded_divide_sqrt);
    return all;
  }
  SINTER_LIST(info::fp_config, double_fp_config) {
    return feature(SINTER_FEATURE_FP64) ? ieee<List>() : List();
  }
  SINTER_LIST(info::fp_config, half_fp_config) {
    return feature(SINTER_FEATURE_FP16) ? ieee<List>() : List();
  }
  SINTER_LIST(info::execution_capability, execution_capabilities) {
    return {info::execution_capability::exec_kernel};
  }
  SINTER_LIST(memory_order, atomic_memory_order_capabilities) {
    return {memory_order::relaxed, memory_order::acquire, memory_order::release, memory_order::acq_rel,
            memory_order::seq_cst};
  }
  SINTER_LIST(memory_scope, atomic_memory_scope_capabilities) {
    return {memory_scope::work_item, memory_scope::sub_group, memory_scope::work_group, memory_scope::device,
            memory_scope::system};
  }
  SINTER_LIST(memory_order, atomic_fence_order_capabilities) {
    return answer<List>(info::device::atomic_memory_order_capabilities());
  }
  SINTER_LIST(memory_scope, atomic_fence_scope_capabilities) {
    return answer<List>(info::device::atomic_memory_scope_capabilities());
  }

  device answer(info::device::parent_device) const {
    const std::uint32_t parent = sinter_parent();
    if (parent == UINT32_MAX)
      detail::raise(errc::invalid, text(SINTER_DEVICE_NAME) + " is not a part of another device");
    return device(parent);
  }
  // Devices are numbers.
  std::uint32_t answer(info::device::reference_count) const { return 1; }
  std::string answer(info::device::opencl_c_version) const { return {}; }
  std::size_t answer(info::device::image_max_array_size) const { return longest_image; }
  // The host CPU can be divided into its compute units.
  bool is_divisible() const { return get_backend() == backend::host && answer(info::device::max_compute_units()) > 1; }
  std::uint32_t answer(info::device::partition_max_sub_devices) const {
    return is_divisible() ? answer(info::device::max_compute_units()) : 0;
  }
  SINTER_LIST(info::partition_property, partition_properties) {
    if (!is_divisible())
      return {};
    List all{info::partition_property::partition_equally, info::partition_property::partition_by_counts};
    if (value<std::uint32_t>(SINTER_DEVICE_NUMA_NODES) > 1)
      all.push_back(info::partition_property::partition_by_affinity_domain);
    return all;
  }
  // The nodes are the outermost domain that can be divided.
  static bool is_node_domain(info::partition_affinity_domain domain) noexcept {
    return domain == info::partition_affinity_domain::numa ||
           domain == info::partition_affinity_domain::next_partitionable;
  }
  SINTER_LIST(info::partition_affinity_domain, partition_affinity_domains) {
    if (value<std::uint32_t>(SINTER_DEVICE_NUMA_NODES) < 2)
      return {};
    return {info::partition_affinity_domain::numa, info::partition_affinity_domain::next_partitionable};
  }
  info::partition_property answer(info::device::partition_type_property) const {
    return static_cast<info::partition_property>(value<std::uint32_t>(SINTER_DEVICE_PARTITION));
  }
  info::partition_affinity_domain answer(info::device::partition_type_affinity_domain) const {
    return answer(info::device::partition_type_property()) == info::partition_property::partition_by_affinity_domain
               ? info::partition_affinity_domain::numa
               : info::partition_affinity_domain::not_applicable;
  }

#undef SINTER_LIST

  static constexpr std::uint32_t longest_image = 1u << 16; // pixels

  std::uint32_t number;
};

inline std::vector<device> device::get_devices(info::device_type type) {
  std::vector<device> found;
  for (std::uint32_t number = 0, count = detail::device_count(); number < count; ++number) {
    const device candidate(number);
    if (type == info::device_type::all || type == info::device_type::automatic ||
        type == candidate.get_info<info::device::device_type>())
      found.push_back(candidate);
  }
  return found;
}

inline bool device::has(aspect wanted) const {
  return (value<std::uint64_t>(SINTER_DEVICE_ASPECTS) & detail::aspect_bits(wanted)) != 0;
}

} // namespace sycl

#endif
