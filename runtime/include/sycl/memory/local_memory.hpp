// Local memory of a constant size that a kernel allocates: the extension
// sycl_ext_oneapi_local_memory.
//
// The functions are always inlined, because each remaining call is one allocation.
#ifndef SYCL_LOCAL_MEMORY_HPP
#define SYCL_LOCAL_MEMORY_HPP

#include "../groups/barrier.hpp"
#include "multi_ptr.hpp"
#include "../types/vec.hpp"

#include <new>
#include <utility>

#define SYCL_EXT_ONEAPI_LOCAL_MEMORY 2

namespace sycl {
namespace detail {

template <class Type, class Group> constexpr void check_group_local_memory() noexcept {
  static_assert(std::is_trivially_destructible_v<Type>,
                "nothing destroys group-local memory: its type must not need it");
  static_assert(Group::fence_scope == memory_scope::work_group, "local memory belongs to a work-group, sycl::group");
}

// True if the object must be constructed before it is overwritten. A vector, whose constructor
// writes zeros, need not be.
template <class Type> inline constexpr bool needs_construction = !std::is_trivially_default_constructible_v<Type>;
template <class Type, int Count> inline constexpr bool needs_construction<vec<Type, Count>> = false;

template <class Type> __attribute__((always_inline)) inline Type *group_local_storage() noexcept {
  return (Type *)__sinter_local_memory(sizeof(Type), alignof(Type));
}

template <class Type, class... Arguments> void construct(Type *memory, Arguments &&...arguments) {
  if constexpr (std::is_constructible_v<Type, Arguments &&...>)
    ::new (static_cast<void *>(memory)) Type(std::forward<Arguments>(arguments)...);
  else
    ::new (static_cast<void *>(memory)) Type{std::forward<Arguments>(arguments)...};
}

} // namespace detail

namespace ext::oneapi {

// The object is default-initialised: a type without a constructor has undefined content.
template <class Type, class Group>
__attribute__((always_inline)) inline multi_ptr<Type, access::address_space::local_space>
group_local_memory_for_overwrite(Group group) {
  detail::check_group_local_memory<Type, Group>();
  Type *memory = detail::group_local_storage<Type>();
  if constexpr (detail::needs_construction<std::remove_all_extents_t<Type>>) {
    if (group.leader())
      ::new (static_cast<void *>(memory)) Type;
    group_barrier(group);
  }
  return multi_ptr<Type, access::address_space::local_space>(memory);
}

// One work-item constructs the object from the arguments; all may use it after the call.
template <class Type, class Group, class... Arguments>
__attribute__((always_inline)) inline multi_ptr<Type, access::address_space::local_space>
group_local_memory(Group group, Arguments &&...arguments) {
  detail::check_group_local_memory<Type, Group>();
  Type *memory = detail::group_local_storage<Type>();
  if (group.leader())
    detail::construct(memory, std::forward<Arguments>(arguments)...);
  group_barrier(group);
  return multi_ptr<Type, access::address_space::local_space>(memory);
}

} // namespace ext::oneapi
} // namespace sycl

#endif
