// The division of a range into parts that run side by side.
//
// In: a number of elements. Out: the parts. They depend on that number alone and on the kind of the
// device, so that a program gives the same result on every CPU, and on every GPU, as far as its
// operations do.
#ifndef SINTER_STDPAR_TILES_HPP
#define SINTER_STDPAR_TILES_HPP

#include "launch.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace sinter::stdpar {

// Fewer elements take less time than waking a thread.
inline constexpr std::size_t smallest_tile = 4096;
// Enough for the largest machines; what remains to be combined is small beside the parts.
inline constexpr std::size_t most_tiles = 512;
// The same where a group has each part: a GPU of today runs 1000 to 2000 of them at a time.
inline constexpr std::size_t most_group_tiles = 2048;

struct tiles {
  std::size_t size = 0;
  std::size_t length = 1;

  tiles() = default;
  tiles(std::size_t elements, std::size_t most, std::size_t shortest) noexcept
      : size(elements), length((elements + most - 1) / most) {
    if (length < shortest)
      length = shortest;
  }
  explicit tiles(std::size_t elements) noexcept : tiles(elements, most_tiles, smallest_tile) {}
  std::size_t count() const noexcept { return (size + length - 1) / length; }
  std::size_t first(std::size_t tile) const noexcept { return tile * length; }
  std::size_t last(std::size_t tile) const noexcept {
    return size - first(tile) < length ? size : first(tile) + length;
  }
};

// A predicate of an index, as a part asks it for its indices in ascending order. One that is faster
// in that order has a member `from`, which gives the function to ask from an index on.
template <class Predicate, class = void> inline constexpr bool is_walk_v = false;
template <class Predicate>
inline constexpr bool is_walk_v<Predicate, std::void_t<decltype(std::declval<const Predicate &>().from(0))>> = true;
template <class Predicate> inline decltype(auto) asked_from(const Predicate &predicate, std::size_t first) {
  if constexpr (is_walk_v<Predicate>)
    return predicate.from(first);
  else
    return (predicate);
}

// Memory for intermediate results, without objects. The objects in it are never destroyed. Where
// the program and the kernels do not share memory at its full speed it comes from the runtime.
class scratch_bytes {
public:
  // `is_result`: the program reads it.
  SINTER_STDPAR_ONCE scratch_bytes(std::size_t bytes, std::size_t align, bool is_result)
      : is_shared(stdpar::group_size() != 1), alignment(align < 64 ? 64 : align) {
    // That operator may be the program's own.
    if (!is_shared) {
      quiet::settle();
      memory = ::operator new(bytes, std::align_val_t(alignment));
    } else if (const sinter_status status = sinter_stdpar_scratch(bytes, is_result, &memory)) {
      stdpar::give_up(status);
    }
  }
  scratch_bytes(const scratch_bytes &) = delete;
  scratch_bytes &operator=(const scratch_bytes &) = delete;
  SINTER_STDPAR_ONCE ~scratch_bytes() {
    if (is_shared)
      sinter_stdpar_scratch_release(memory);
    else
      ::operator delete(memory, std::align_val_t(alignment));
  }
  void *get() const noexcept { return memory; }

private:
  bool is_shared;
  std::size_t alignment;
  void *memory = nullptr;
};

template <class Type> class scratch : public scratch_bytes {
public:
  explicit scratch(std::size_t count, bool is_result = false)
      : scratch_bytes(count * sizeof(Type), alignof(Type), is_result) {}
  Type *get() const noexcept { return static_cast<Type *>(scratch_bytes::get()); }
};

} // namespace sinter::stdpar

#endif
