// Unified shared memory: allocation, release and queries.
//
// Every form of SYCL 2020 ends in one function. Running out of memory and an alignment that is not
// a power of two return a null pointer; unsupported kinds of memory throw.
#ifndef SYCL_USM_HPP
#define SYCL_USM_HPP

#include "../detail/sizes.hpp"
#include "../detail/usm_owners.hpp"
#include "../runtime/queue.hpp"

namespace sycl {
namespace usm {

enum class alloc { host = 0, device = 1, shared = 2, unknown = 3 };

} // namespace usm

namespace detail {

inline sinter_memory_kind memory_kind(usm::alloc kind) {
  switch (kind) {
  case usm::alloc::host: return SINTER_MEMORY_HOST;
  case usm::alloc::device: return SINTER_MEMORY_DEVICE;
  case usm::alloc::shared: return SINTER_MEMORY_SHARED;
  case usm::alloc::unknown: break;
  }
  raise(errc::invalid, "usm::alloc::unknown is not a kind of memory to allocate");
}

inline void *allocate(std::size_t alignment, std::size_t bytes, const device &owner, const context &members,
                      usm::alloc kind) {
  if ((alignment & (alignment - 1)) != 0)
    return nullptr;
  const sinter_memory_kind wanted = memory_kind(kind);
  usm_owners::entry *entry = nullptr;
  if (!usm_owners::make(members, entry))
    return nullptr;
  void *memory = nullptr;
  const sinter_status status = sinter_malloc(owner.sinter_number(), wanted, bytes, alignment, &memory);
  if (memory) {
    usm_owners::instance().set(memory, entry);
    return memory;
  }
  delete entry;
  if (status != SINTER_ERROR_OUT_OF_MEMORY)
    check(status);
  return nullptr;
}

template <class Type>
inline Type *allocate_array(std::size_t count, std::size_t alignment, const device &owner, const context &members,
                         usm::alloc kind) {
  std::size_t bytes = 0;
  if (!multiply(count, sizeof(Type), bytes))
    return nullptr;
  // 0 means the runtime's default of 64 bytes.
  const std::size_t wanted = alignment > alignof(Type) ? alignment : alignof(Type);
  return static_cast<Type *>(allocate(wanted > 64 || alignment != 0 ? wanted : 0, bytes, owner, members, kind));
}

// On the device and in the context of a queue.
inline void *allocate(std::size_t alignment, std::size_t bytes, const queue &owner, usm::alloc kind) {
  return allocate(alignment, bytes, owner.get_device(), owner.get_context(), kind);
}
template <class Type>
inline Type *allocate_array(std::size_t count, std::size_t alignment, const queue &owner, usm::alloc kind) {
  return allocate_array<Type>(count, alignment, owner.get_device(), owner.get_context(), kind);
}

} // namespace detail

#define SINTER_USM(name, kind)                                                                                       \
  inline void *aligned_alloc_##name(std::size_t alignment, std::size_t bytes, const device &owner,                   \
                                    const context &members, const property_list & = {}) {                            \
    return detail::allocate(alignment, bytes, owner, members, kind);                                                 \
  }                                                                                                                  \
  inline void *aligned_alloc_##name(std::size_t alignment, std::size_t bytes, const queue &owner,                    \
                                    const property_list & = {}) {                                                    \
    return detail::allocate(alignment, bytes, owner, kind);                                                          \
  }                                                                                                                  \
  template <class Type>                                                                                              \
  Type *aligned_alloc_##name(std::size_t alignment, std::size_t count, const device &owner, const context &members,  \
                             const property_list & = {}) {                                                           \
    return detail::allocate_array<Type>(count, alignment, owner, members, kind);                                     \
  }                                                                                                                  \
  template <class Type>                                                                                              \
  Type *aligned_alloc_##name(std::size_t alignment, std::size_t count, const queue &owner,                           \
                             const property_list & = {}) {                                                           \
    return detail::allocate_array<Type>(count, alignment, owner, kind);                                              \
  }                                                                                                                  \
  inline void *malloc_##name(std::size_t bytes, const device &owner, const context &members,                         \
                             const property_list & = {}) {                                                           \
    return detail::allocate(0, bytes, owner, members, kind);                                                         \
  }                                                                                                                  \
  inline void *malloc_##name(std::size_t bytes, const queue &owner, const property_list & = {}) {                    \
    return detail::allocate(0, bytes, owner, kind);                                                                  \
  }                                                                                                                  \
  template <class Type>                                                                                              \
  Type *malloc_##name(std::size_t count, const device &owner, const context &members, const property_list & = {}) {  \
    return detail::allocate_array<Type>(count, 0, owner, members, kind);                                             \
  }                                                                                                                  \
  template <class Type> Type *malloc_##name(std::size_t count, const queue &owner, const property_list & = {}) {     \
    return detail::allocate_array<Type>(count, 0, owner, kind);                                                      \
  }

SINTER_USM(device, usm::alloc::device)
SINTER_USM(shared, usm::alloc::shared)
#undef SINTER_USM

// Host memory belongs to a context, not to a device.
inline void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const context &owner,
                                const property_list & = {}) {
  return detail::allocate(alignment, bytes, owner.sinter_first_device(), owner, usm::alloc::host);
}
inline void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const queue &owner,
                                const property_list & = {}) {
  return detail::allocate(alignment, bytes, owner, usm::alloc::host);
}
template <class Type>
Type *aligned_alloc_host(std::size_t alignment, std::size_t count, const context &owner, const property_list & = {}) {
  return detail::allocate_array<Type>(count, alignment, owner.sinter_first_device(), owner, usm::alloc::host);
}
template <class Type>
Type *aligned_alloc_host(std::size_t alignment, std::size_t count, const queue &owner, const property_list & = {}) {
  return detail::allocate_array<Type>(count, alignment, owner, usm::alloc::host);
}
inline void *malloc_host(std::size_t bytes, const context &owner, const property_list & = {}) {
  return aligned_alloc_host(0, bytes, owner);
}
inline void *malloc_host(std::size_t bytes, const queue &owner, const property_list & = {}) {
  return aligned_alloc_host(0, bytes, owner);
}
template <class Type> Type *malloc_host(std::size_t count, const context &owner, const property_list & = {}) {
  return aligned_alloc_host<Type>(0, count, owner);
}
template <class Type> Type *malloc_host(std::size_t count, const queue &owner, const property_list & = {}) {
  return aligned_alloc_host<Type>(0, count, owner);
}

// With the kind of memory as an argument.
inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const device &owner, const context &members,
                           usm::alloc kind, const property_list & = {}) {
  return detail::allocate(alignment, bytes, owner, members, kind);
}
inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const queue &owner, usm::alloc kind,
                           const property_list & = {}) {
  return detail::allocate(alignment, bytes, owner, kind);
}
template <class Type>
Type *aligned_alloc(std::size_t alignment, std::size_t count, const device &owner, const context &members,
                    usm::alloc kind, const property_list & = {}) {
  return detail::allocate_array<Type>(count, alignment, owner, members, kind);
}
template <class Type>
Type *aligned_alloc(std::size_t alignment, std::size_t count, const queue &owner, usm::alloc kind,
                 const property_list & = {}) {
  return detail::allocate_array<Type>(count, alignment, owner, kind);
}
inline void *malloc(std::size_t bytes, const device &owner, const context &members, usm::alloc kind,
                    const property_list & = {}) {
  return detail::allocate(0, bytes, owner, members, kind);
}
inline void *malloc(std::size_t bytes, const queue &owner, usm::alloc kind, const property_list & = {}) {
  return detail::allocate(0, bytes, owner, kind);
}
template <class Type>
Type *malloc(std::size_t count, const device &owner, const context &members, usm::alloc kind,
             const property_list & = {}) {
  return detail::allocate_array<Type>(count, 0, owner, members, kind);
}
template <class Type> Type *malloc(std::size_t count, const queue &owner, usm::alloc kind, const property_list & = {}) {
  return detail::allocate_array<Type>(count, 0, owner, kind);
}

inline void free(void *memory, const context &) {
  detail::usm_owners::instance().forget(memory);
  detail::check(sinter_free(memory));
}
// Waits for the queue, because OpenCL's and CUDA's functions wait and programs rely on it after
// their last copy. The memory is freed even if a command has failed, which the wait reports.
inline void free(void *memory, const queue &owner) {
  try {
    if (memory)
      queue(owner).wait();
  } catch (...) {
    free(memory, owner.get_context());
    throw;
  }
  free(memory, owner.get_context());
}

namespace detail {

inline sinter_pointer_info pointer_info(const void *memory) {
  sinter_pointer_info info{};
  info.struct_size = sizeof(info);
  check(sinter_pointer_get_info(memory, &info));
  return info;
}

} // namespace detail

inline usm::alloc get_pointer_type(const void *memory, const context &members) {
  const sinter_pointer_info info = detail::pointer_info(memory);
  if (info.kind == SINTER_MEMORY_UNKNOWN || !members.sinter_contains(device::from_sinter_number(info.device)) ||
      !detail::usm_owners::instance().is_in(info.base, members))
    return usm::alloc::unknown;
  return info.kind == SINTER_MEMORY_DEVICE ? usm::alloc::device
         : info.kind == SINTER_MEMORY_HOST ? usm::alloc::host
                                           : usm::alloc::shared;
}

inline device get_pointer_device(const void *memory, const context &members) {
  const usm::alloc kind = get_pointer_type(memory, members);
  if (kind == usm::alloc::unknown)
    detail::raise(errc::invalid, "the pointer was not allocated by SYCL in this context");
  if (kind == usm::alloc::host)
    return members.sinter_first_device();
  return device::from_sinter_number(detail::pointer_info(memory).device);
}

// An allocator for containers of host code.
template <class Type, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator {
  static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared,
                "containers of host code need memory that it can use");

public:
  using value_type = Type;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class Another> struct rebind { using other = usm_allocator<Another, Kind, Alignment>; };

  usm_allocator() = delete;
  usm_allocator(const context &members, const device &target, const property_list & = {})
      : home(members), owner(target) {}
  usm_allocator(const queue &target, const property_list & = {})
      : home(target.get_context()), owner(target.get_device()) {}
  template <class Another>
  usm_allocator(const usm_allocator<Another, Kind, Alignment> &other) noexcept : home(other.home), owner(other.owner) {}

  Type *allocate(std::size_t count) {
    Type *memory = detail::allocate_array<Type>(count, Alignment, owner, home, Kind);
    if (!memory && count != 0)
      detail::raise(errc::memory_allocation, "usm_allocator: out of memory");
    return memory;
  }
  void deallocate(Type *memory, std::size_t) {
    if (memory)
      sycl::free(memory, home);
  }

  template <class Another, usm::alloc Other, std::size_t Align>
  friend bool operator==(const usm_allocator &a, const usm_allocator<Another, Other, Align> &b) noexcept {
    return Other == Kind && Align == Alignment && a.is_at(b);
  }
  template <class Another, usm::alloc Other, std::size_t Align>
  friend bool operator!=(const usm_allocator &a, const usm_allocator<Another, Other, Align> &b) noexcept {
    return !(a == b);
  }

private:
  template <class, usm::alloc, std::size_t> friend class usm_allocator;
  template <class Other> bool is_at(const Other &other) const noexcept {
    return home == other.home && owner == other.owner;
  }

  context home;
  device owner;
};

} // namespace sycl

#endif
