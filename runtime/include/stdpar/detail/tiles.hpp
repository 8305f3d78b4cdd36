// The division of a range into parts that run side by side.
//
// In: a number of elements. Out: the parts. They depend on that number alone, so that a program
// gives the same result on every machine, as far as its operations do.
#ifndef SINTER_STDPAR_TILES_HPP
#define SINTER_STDPAR_TILES_HPP

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace sinter::stdpar {

// Fewer elements take less time than waking a thread.
inline constexpr std::size_t smallest_tile = 4096;
// Enough for the largest machines; what remains to be combined is small beside the parts.
inline constexpr std::size_t most_tiles = 512;

struct tiles {
  std::size_t size;
  std::size_t length;

  explicit tiles(std::size_t elements) noexcept : size(elements), length((elements + most_tiles - 1) / most_tiles) {
    if (length < smallest_tile)
      length = smallest_tile;
  }
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

// Memory for intermediate results, without objects. The objects in it are never destroyed.
template <class Type> class scratch {
public:
  explicit scratch(std::size_t count) : memory(static_cast<Type *>(::operator new(count * sizeof(Type), alignment))) {}
  scratch(const scratch &) = delete;
  scratch &operator=(const scratch &) = delete;
  ~scratch() { ::operator delete(memory, alignment); }
  Type *get() const noexcept { return memory; }

private:
  static constexpr std::align_val_t alignment{alignof(Type) < 64 ? 64 : alignof(Type)};
  Type *memory;
};

} // namespace sinter::stdpar

#endif
