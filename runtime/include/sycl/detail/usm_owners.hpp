// The context of each allocation.
//
// The runtime knows no contexts: memory belongs to a device. Almost all memory is allocated in the
// default context of its device's platform, and is not recorded. This table has the other
// allocations, so a program without its own contexts pays one load per allocation or release.
#ifndef SYCL_DETAIL_USM_OWNERS_HPP
#define SYCL_DETAIL_USM_OWNERS_HPP

#include "../runtime/context.hpp"

#include <mutex>
#include <new>

namespace sycl::detail {

class usm_owners {
public:
  // The table of this process, which is never destroyed: destructors of globals may release memory.
  __attribute__((visibility("default"))) static usm_owners &instance() {
    static usm_owners *const table = new usm_owners;
    return *table;
  }

  struct entry {
    const void *base;
    context owner;
    entry *next;
  };

  // Creates an entry for memory that is about to be allocated; null if it needs none. False if
  // there is no memory for the entry.
  static bool make(const context &members, entry *&made) {
    made = members.sinter_is_default() ? nullptr : new (std::nothrow) entry{nullptr, members, nullptr};
    return made || members.sinter_is_default();
  }

  // Records the context of a new allocation; for the default context it removes an old entry of
  // this address.
  void set(const void *base, entry *added) {
    forget(base);
    if (!added)
      return;
    added->base = base;
    const std::lock_guard<std::mutex> held(mutex);
    added->next = bucket(base);
    bucket(base) = added;
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  }

  void forget(const void *base) {
    if (__atomic_load_n(&count, __ATOMIC_RELAXED) != 0)
      delete take(base);
  }

  // True if the allocation that starts at this address, on a device of the context, was made in the
  // context.
  bool is_in(const void *base, const context &members) {
    if (__atomic_load_n(&count, __ATOMIC_RELAXED) == 0)
      return members.sinter_is_default();
    const std::lock_guard<std::mutex> held(mutex);
    const entry *found = *find(base);
    return found ? found->owner == members : members.sinter_is_default();
  }

private:
  static constexpr std::size_t bucket_count = 4096;

  // Allocations are aligned to 64 bytes.
  entry *&bucket(const void *base) noexcept { return buckets[reinterpret_cast<std::size_t>(base) / 64 % bucket_count]; }

  // The link to the entry, or the null link at the end of its bucket.
  entry **find(const void *base) noexcept {
    entry **link = &bucket(base);
    while (*link && (*link)->base != base)
      link = &(*link)->next;
    return link;
  }

  entry *take(const void *base) noexcept {
    const std::lock_guard<std::mutex> held(mutex);
    entry **link = find(base);
    entry *const taken = *link;
    if (taken) {
      *link = taken->next;
      __atomic_fetch_sub(&count, 1, __ATOMIC_RELAXED);
    }
    return taken;
  }

  entry *buckets[bucket_count] = {};
  std::size_t count = 0;
  std::mutex mutex;
};

} // namespace sycl::detail

#endif
