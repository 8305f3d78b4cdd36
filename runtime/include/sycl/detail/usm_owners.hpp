// Which context an allocation was made in.
//
// The runtime knows no contexts: memory belongs to a device. Almost all memory is allocated in the default context of
// its device's platform, and nothing is kept about that. This table has the rest, so a program that makes no context of
// its own pays one load for an allocation or release.
#ifndef SYCL_DETAIL_USM_OWNERS_HPP
#define SYCL_DETAIL_USM_OWNERS_HPP

#include "../context.hpp"

namespace sycl::detail {

class usm_owners {
public:
  // The table of this process, which lives as long as it: destructors of globals may release memory.
  __attribute__((visibility("default"))) static usm_owners &instance() {
    static usm_owners *const table = new usm_owners;
    return *table;
  }

  // Remembers the context of a new allocation; the default one by forgetting what was at this address.
  void set(const void *base, const context &members) {
    forget(base);
    if (members.sinter_is_default() || !base)
      return;
    auto *added = new entry{base, members, nullptr};
    const guard held(*this);
    added->next = bucket(base);
    bucket(base) = added;
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  }

  void forget(const void *base) {
    if (__atomic_load_n(&count, __ATOMIC_RELAXED) != 0)
      delete take(base);
  }

  // Whether the allocation that starts there, on a device of the context, was made in the context.
  bool is_in(const void *base, const context &members) {
    const guard held(*this);
    const entry *found = *find(base);
    return found ? found->owner == members : members.sinter_is_default();
  }

private:
  struct entry {
    const void *base;
    context owner;
    entry *next;
  };
  struct guard {
    explicit guard(usm_owners &table) noexcept : owners(table) {
      while (__atomic_test_and_set(&owners.locked, __ATOMIC_ACQUIRE)) {
      }
    }
    ~guard() { __atomic_clear(&owners.locked, __ATOMIC_RELEASE); }
    usm_owners &owners;
  };

  static constexpr std::size_t bucket_count = 4096;

  // Allocations are aligned to 64 bytes.
  entry *&bucket(const void *base) noexcept { return buckets[reinterpret_cast<std::size_t>(base) / 64 % bucket_count]; }

  // The link to the entry, or the empty one at the end of its bucket.
  entry **find(const void *base) noexcept {
    entry **link = &bucket(base);
    while (*link && (*link)->base != base)
      link = &(*link)->next;
    return link;
  }

  entry *take(const void *base) noexcept {
    const guard held(*this);
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
  bool locked = false;
};

} // namespace sycl::detail

#endif
