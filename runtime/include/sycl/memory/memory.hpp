// Enumerations about memory: orders, scopes, address spaces, access modes and targets.
//
// Orders, scopes and address spaces are passed to the device interface as numbers, which are fixed
// (docs/abi.md).
#ifndef SYCL_MEMORY_HPP
#define SYCL_MEMORY_HPP

#include "../detail/config.hpp"

namespace sycl {

enum class memory_order : int { relaxed = 0, acquire = 1, release = 2, acq_rel = 3, seq_cst = 4 };
inline constexpr auto memory_order_relaxed = memory_order::relaxed;
inline constexpr auto memory_order_acquire = memory_order::acquire;
inline constexpr auto memory_order_release = memory_order::release;
inline constexpr auto memory_order_acq_rel = memory_order::acq_rel;
inline constexpr auto memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item = 0, sub_group = 1, work_group = 2, device = 3, system = 4 };
inline constexpr auto memory_scope_work_item = memory_scope::work_item;
inline constexpr auto memory_scope_sub_group = memory_scope::sub_group;
inline constexpr auto memory_scope_work_group = memory_scope::work_group;
inline constexpr auto memory_scope_device = memory_scope::device;
inline constexpr auto memory_scope_system = memory_scope::system;

enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };
enum class target {
  device,
  host_task,
  constant_buffer,
  local,
  host_buffer,
  image,
  host_image,
  image_array,
  global_buffer = device
};

namespace access {

using mode = access_mode;
using sycl::target;
enum class placeholder { false_t, true_t };
enum class decorated { no, yes, legacy };
// The memory that a barrier of SYCL 1.2.1 orders.
enum class fence_space { local_space, global_space, global_and_local };
enum class address_space : int {
  global_space = 0,
  local_space = 1,
  constant_space = 2,
  private_space = 3,
  generic_space = 4
};

} // namespace access

using addrspace = access::address_space;
inline constexpr addrspace addrspace_global = addrspace::global_space;
inline constexpr addrspace addrspace_local = addrspace::local_space;
inline constexpr addrspace addrspace_private = addrspace::private_space;
inline constexpr addrspace addrspace_generic = addrspace::generic_space;

} // namespace sycl

#endif
