// Barriers and fences.
//
// A barrier is an acquire and a release fence for both local and global memory. All work-items of
// the group must reach the same barrier.
#ifndef SYCL_BARRIER_HPP
#define SYCL_BARRIER_HPP

#include "../detail/builtins.hpp"
#include "../memory/memory.hpp"

namespace sycl {
namespace detail {

inline void work_group_barrier(memory_scope scope = memory_scope::work_group) noexcept {
  __acpp_sscp_work_group_barrier(static_cast<int>(scope), static_cast<int>(memory_order::acq_rel));
}

inline void sub_group_barrier(memory_scope scope = memory_scope::sub_group) noexcept {
  __acpp_sscp_sub_group_barrier(static_cast<int>(scope), static_cast<int>(memory_order::acq_rel));
}

} // namespace detail

inline void atomic_fence(memory_order order, memory_scope scope) noexcept {
  if (__acpp_sscp_is_host)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  else if (order != memory_order::relaxed)
    __acpp_sscp_fence(static_cast<int>(order), static_cast<int>(scope));
}

// A group is recognised by its member fence_scope, so that this header does not need the group
// classes.
template <class Group, memory_scope Scope = Group::fence_scope>
void group_barrier(Group, memory_scope scope = Scope) noexcept {
  static_assert(Scope == memory_scope::work_group || Scope == memory_scope::sub_group,
                "group_barrier takes a work-group or a sub-group");
  if constexpr (Scope == memory_scope::sub_group)
    detail::sub_group_barrier(scope);
  else
    detail::work_group_barrier(scope);
}

namespace detail {

// The fence of SYCL 1.2.1: loads, stores or both. Global memory is ordered for the whole device,
// because programs release locks between work-groups with it.
inline void fence(access_mode mode, access::fence_space space) noexcept {
  const memory_order order = mode == access_mode::read    ? memory_order::acquire
                             : mode == access_mode::write ? memory_order::release
                                                          : memory_order::acq_rel;
  atomic_fence(order, space == access::fence_space::local_space ? memory_scope::work_group : memory_scope::device);
}

} // namespace detail
} // namespace sycl

#endif
