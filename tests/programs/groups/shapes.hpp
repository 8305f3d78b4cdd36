// Work-group shapes shared by these programs, and a queue with memory for one value of each
// work-item.
#ifndef PROGRAMS_GROUPS_SHAPES_HPP
#define PROGRAMS_GROUPS_SHAPES_HPP

#include <sycl/sycl.hpp>

#include "../check.hpp"

// Two to three groups of each size, so that several run at the same time.
inline const sycl::nd_range<1> lines[] = {{3, 1}, {21, 7}, {96, 32}, {512, 256}};
// For tests that depend little on the shape.
inline const sycl::nd_range<1> few_lines[] = {lines[1], lines[3]};
inline const sycl::nd_range<2> planes[] = {{{2, 3}, {1, 1}}, {{6, 7}, {2, 7}}, {{8, 16}, {8, 4}}, {{32, 16}, {16, 16}}};
inline const sycl::nd_range<3> spaces[] = {{{2, 1, 3}, {1, 1, 1}}, {{4, 3, 2}, {2, 3, 1}}, {{4, 8, 8}, {4, 2, 4}}};

// Calls `check(queue, nd_range)` with every shape.
template <class Check> void for_each_shape(sycl::queue &queue, const Check &check) {
  for (const auto &shape : lines)
    check(queue, shape);
  for (const auto &shape : planes)
    check(queue, shape);
  for (const auto &shape : spaces)
    check(queue, shape);
}

// Memory accessible on the host, freed at the end.
template <class T> class shared_array {
public:
  shared_array(sycl::queue &owner, std::size_t count) : queue(owner), memory(sycl::malloc_shared<T>(count, owner)) {
    CHECK(memory != nullptr);
  }
  ~shared_array() { sycl::free(memory, queue); }
  shared_array(const shared_array &) = delete;
  shared_array &operator=(const shared_array &) = delete;
  T *get() const { return memory; }
  T &operator[](std::size_t index) const { return memory[index]; }

private:
  sycl::queue queue;
  T *memory;
};

// Index of a work-item's result: ordered by group, then by position in it.
template <int D> std::size_t position(const sycl::nd_item<D> &item) {
  return item.get_group_linear_id() * item.get_group().get_local_linear_range() + item.get_local_linear_id();
}

// A value for each work-item of a launch: small, so that products over a group stay representable,
// and varied.
template <class T> T value_at(std::size_t position) { return static_cast<T>((position * 7 + position / 5) % 11); }

#endif
