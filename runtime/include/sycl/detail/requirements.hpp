// Buffers as command groups see them: the shared state of a buffer, and the boxes that a command
// group requires.
//
// *Invariant:* a requirement keeps its buffer until the command group is submitted; after that the
// runtime does.
#ifndef SYCL_DETAIL_REQUIREMENTS_HPP
#define SYCL_DETAIL_REQUIREMENTS_HPP

#include "queue_state.hpp"
#include "sizes.hpp"

namespace sycl::detail {

class buffer_state;

// Takes a buffer's contents at the end of its life.
struct final_data {
  virtual ~final_data() = default;
  // Waits for the commands that use the buffer, delivers the contents, and destroys the buffer.
  virtual void deliver(sinter_buffer *buffer, std::size_t size) = 0;
};

// The state that a buffer shares with its copies, sub-buffers and accessors.
class buffer_state : public counted {
public:
  buffer_state(const sinter_buffer_description &description, std::size_t byte_count) : bytes(byte_count) {
    check(sinter_buffer_create(&description, &handle));
  }
  ~buffer_state() {
    // Asynchronous errors of commands stay with their queues.
    if (destination && writes_back) {
      destination->deliver(handle, bytes);
    } else {
      sinter_buffer_destroy(handle, nullptr);
    }
    delete destination;
    delete source;
  }

  sinter_buffer *get() const noexcept { return handle; }
  std::size_t size() const noexcept { return bytes; }

  // Address for commands of a queue, or for the host.
  unsigned char *address(sinter_queue *queue) const {
    void *found = nullptr;
    check(sinter_buffer_pointer(handle, queue, &found));
    return static_cast<unsigned char *>(found);
  }

  // Takes over the object; null for no final data.
  void set_destination(final_data *given) {
    delete destination;
    destination = given;
  }
  void set_write_back(bool wanted) noexcept { writes_back = wanted; }
  // Gives the memory that the buffer was made with back to the program, unless that shares it.
  void leave_program() {
    if (!shares)
      check(sinter_buffer_detach(handle));
  }
  // Keeps an owner of the program's memory as long as the buffer.
  void keep(final_data *owner) noexcept { source = owner; }
  void share_with_program() noexcept { shares = true; }

private:
  sinter_buffer *handle = nullptr;
  std::size_t bytes;
  final_data *destination = nullptr, *source = nullptr;
  bool writes_back = true, shares = false;
};

// A box of elements of `size` bytes: `part` from `start` on in `whole`, which begins at byte
// `base`.
template <int Dimensions>
sinter_box box_of(std::size_t base, const range<Dimensions> &whole, const range<Dimensions> &part,
                  const id<Dimensions> &start, std::size_t size) noexcept {
  sinter_box box = {base + linear(start, whole) * size, part[Dimensions - 1] * size, 1, 1, 0, 0};
  if constexpr (Dimensions > 1) {
    box.height = part[Dimensions - 2];
    box.row_pitch = whole[Dimensions - 1] * size;
  }
  if constexpr (Dimensions > 2) {
    box.depth = part[0];
    box.plane_pitch = whole[1] * whole[2] * size;
  }
  return box;
}

// An accessor that was made before its command group, with the value that stands for its address
// until then.
struct placeholder_address {
  std::uintptr_t token;
  const buffer_state *owner;
  unsigned char *address;
};

// Tokens look like no address of any device: their first bits are neither all zero nor all one.
inline constexpr std::uintptr_t token_mark = std::uintptr_t(0xacce) << 48;
inline constexpr std::uintptr_t token_mask = std::uintptr_t(0xffff) << 48;

// Number of placeholders made so far in this process.
__attribute__((visibility("default"))) inline std::uintptr_t placeholder_count = 0;

inline std::uintptr_t new_token() noexcept {
  return token_mark | (__atomic_add_fetch(&placeholder_count, 1, __ATOMIC_RELAXED) & ~token_mask);
}
inline bool is_token(std::uintptr_t value) noexcept { return (value & token_mask) == token_mark; }

// The requirements of a command group.
class requirement_list {
public:
  requirement_list() noexcept {}
  requirement_list(const requirement_list &) = delete;
  requirement_list &operator=(const requirement_list &) = delete;
  ~requirement_list() {
    for (std::size_t i = 0; i < count; ++i)
      delete shared<buffer_state>::adopt(owners[i]).release();
    if (list != few) {
      delete[] list;
      delete[] owners;
    }
  }

  bool empty() const noexcept { return count == 0; }
  std::size_t size() const noexcept { return count; }
  const sinter_requirement *data() const noexcept { return list; }

  // Returns the box, which is set in place.
  sinter_box &add(buffer_state *owner, std::uint32_t access) {
    if (count == capacity)
      grow();
    sinter_requirement &added = list[count];
    added.buffer = owner->get();
    added.access = access;
    added.reserved = 0;
    owners[count] = owner;
    __atomic_fetch_add(&owner->references, 1, __ATOMIC_RELAXED);
    ++count;
    return added.box;
  }

  // Makes the accessors in a host task those of the host. Without an interop_handle it has no other
  // use for them, and programs access elements through accessors of the device, too.
  void move_to_host(unsigned char *task, std::size_t size, sinter_queue *queue) {
    for (std::size_t i = 0; i < count; ++i) {
      if ((list[i].access & SINTER_ACCESS_HOST) != 0)
        continue;
      list[i].access |= SINTER_ACCESS_HOST;
      move_addresses(task, size, owners[i], queue);
    }
  }

private:
  // In an accessor the owner follows the address.
  static void move_addresses(unsigned char *task, std::size_t size, const buffer_state *owner, sinter_queue *queue) {
    const auto from = reinterpret_cast<std::uintptr_t>(owner->address(queue));
    const auto to = reinterpret_cast<std::uintptr_t>(owner->address(nullptr));
    constexpr std::size_t word = sizeof(std::uintptr_t);
    for (std::size_t at = 0; at + 2 * word <= size; at += word) {
      std::uintptr_t pair[2];
      __builtin_memcpy(pair, task + at, sizeof(pair));
      if (pair[1] != reinterpret_cast<std::uintptr_t>(owner) || pair[0] - from > owner->size())
        continue;
      pair[0] += to - from;
      __builtin_memcpy(task + at, pair, word);
    }
  }

  static constexpr std::size_t inline_capacity = 6;

  __attribute__((noinline)) void grow() {
    auto *const more = new sinter_requirement[2 * capacity];
    auto **const more_owners = new buffer_state *[2 * capacity];
    for (std::size_t i = 0; i < count; ++i) {
      more[i] = list[i];
      more_owners[i] = owners[i];
    }
    if (list != few) {
      delete[] list;
      delete[] owners;
    }
    list = more;
    owners = more_owners;
    capacity *= 2;
  }

  std::size_t count = 0, capacity = inline_capacity;
  sinter_requirement *list = few;
  buffer_state **owners = few_owners;
  sinter_requirement few[inline_capacity];
  buffer_state *few_owners[inline_capacity];
};

[[noreturn]] __attribute__((noinline, cold)) inline void not_required() {
  raise(errc::kernel_argument, "the kernel uses a placeholder accessor that the command group does not require: call "
                               "handler::require for it, or pass the handler to the accessor's constructor");
}

// Replaces the tokens in a kernel's argument block by addresses. A token lies before the owner of
// its accessor.
inline void place_addresses(unsigned char *block, std::size_t size, const std::vector<placeholder_address> &required) {
  constexpr std::size_t word = sizeof(std::uintptr_t);
  for (std::size_t at = 0; at + 2 * word <= size; at += word) {
    std::uintptr_t pair[2];
    __builtin_memcpy(pair, block + at, sizeof(pair));
    if (!is_token(pair[0]))
      continue;
    const placeholder_address *found = nullptr;
    for (const placeholder_address &one : required)
      if (one.token == pair[0] && one.owner == reinterpret_cast<const buffer_state *>(pair[1]))
        found = &one;
    if (!found)
      not_required();
    __builtin_memcpy(block + at, &found->address, word);
  }
}

inline bool has_placeholders() noexcept { return __atomic_load_n(&placeholder_count, __ATOMIC_RELAXED) != 0; }

} // namespace sycl::detail

#endif
