// Shared by the programs of the corpus: the launches, the memory of a kernel and the comparison
// with the loop nest.
//
// A program runs each of its kernels with groups of 1, 7, 32, 64 and 256 items, prints a line for
// each, and returns 0 if every one left the same memory as its reference.
#ifndef CORPUS_CORPUS_HPP
#define CORPUS_CORPUS_HPP

#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using local_atomic = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                      sycl::access::address_space::local_space>;
using global_atomic = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                       sycl::access::address_space::global_space>;

// The sizes of a launch, the fastest dimension first.
struct shape {
  std::uint32_t group[3];
  std::uint32_t groups[3];

  std::uint32_t items() const { return group[0] * group[1] * group[2]; }
  std::uint32_t group_count() const { return groups[0] * groups[1] * groups[2]; }

  std::uint32_t local_id(std::uint32_t item, int dimension) const {
    for (int d = 0; d < dimension; ++d)
      item /= group[d];
    return item % group[dimension];
  }

  template <int Dimensions> sycl::nd_range<Dimensions> nd_range() const;
};

template <> inline sycl::nd_range<1> shape::nd_range<1>() const {
  return {sycl::range<1>(group[0] * groups[0]), sycl::range<1>(group[0])};
}

template <> inline sycl::nd_range<2> shape::nd_range<2>() const {
  return {sycl::range<2>(group[1] * groups[1], group[0] * groups[0]), sycl::range<2>(group[1], group[0])};
}

template <> inline sycl::nd_range<3> shape::nd_range<3>() const {
  return {sycl::range<3>(group[2] * groups[2], group[1] * groups[1], group[0] * groups[0]),
          sycl::range<3>(group[2], group[1], group[0])};
}

// A launch in one, two or three dimensions with groups of `items` items.
inline shape make_shape(int dimensions, std::uint32_t items) {
  if (dimensions == 1)
    return {{items, 1, 1}, {3, 1, 1}};
  if (dimensions == 2) {
    const std::uint32_t y = items == 32 || items == 64 ? 4 : items == 256 ? 16 : 1;
    return {{items / y, y, 1}, {2, 2, 1}};
  }
  if (items == 7)
    return {{1, 7, 1}, {2, 1, 2}};
  const std::uint32_t z = items == 32 ? 2 : items == 64 || items == 256 ? 4 : 1;
  const std::uint32_t y = items == 32 || items == 64 ? 4 : items == 256 ? 8 : 1;
  return {{items / y / z, y, z}, {2, 1, 2}};
}

// Memory that is passed to a kernel.
struct memory {
  std::uint32_t *input;  // 64 values
  std::uint32_t *output; // 16 values for each item
  std::uint32_t *shared; // a value for each item
  std::uint32_t *totals; // 4 values
  std::uint32_t rounds, limit;
};

// A value from one that is different in each item, in a function of its own.
inline std::uint32_t mixed(std::uint32_t x, std::uint32_t value) { return value * 5 ^ x; }

template <int Dimensions>
inline std::uint32_t mixed(const sycl::nd_item<Dimensions> &item, std::uint32_t value) {
  return mixed(static_cast<std::uint32_t>(item.get_local_id(Dimensions - 1)), value);
}

struct program {
  const char *name;
  int dimensions;
  void (*submit)(sycl::queue &, const shape &, const memory &);
  void (*reference)(const shape &, const memory &, std::uint32_t group);
};

// The values of one launch, on the host. At first they are those before it.
class values {
public:
  explicit values(const shape &launch) {
    const std::size_t items = std::size_t(launch.items()) * launch.group_count();
    sizes_ = {64, items * 16, items, 4};
    all.resize(sizes_[0] + sizes_[1] + sizes_[2] + sizes_[3]);
    const memory view = at(all.data());
    for (std::uint32_t i = 0; i < 64; ++i)
      view.input[i] = (i * 2654435761u) >> 20;
    for (std::uint32_t i = 0; i < sizes_[1]; ++i)
      view.output[i] = 0xdead0000u + i;
    for (std::uint32_t i = 0; i < items; ++i)
      view.shared[i] = i * 7 + 1;
  }

  // Memory of as many values.
  memory at(std::uint32_t *first) const {
    std::uint32_t *const output = first + sizes_[0], *const shared = output + sizes_[1];
    return {first, output, shared, shared + sizes_[2], 3, 10};
  }

  // The first difference, or nothing.
  std::string difference(const values &expected) const {
    const char *names[] = {"input", "output", "shared", "totals"};
    std::size_t place = 0;
    for (int part = 0; part < 4; ++part)
      for (std::size_t i = 0; i < sizes_[part]; ++i, ++place)
        if (all[place] != expected.all[place])
          return std::string(names[part]) + "[" + std::to_string(i) + "] is " + std::to_string(all[place]) +
                 ", not " + std::to_string(expected.all[place]);
    return {};
  }

  std::vector<std::uint32_t> all;

private:
  std::array<std::size_t, 4> sizes_;
};

// Runs a kernel on values in memory of the device, which every device has.
inline void run_on(sycl::queue &queue, const program &program, const shape &launch, values &found) {
  const auto release = [&queue](std::uint32_t *memory) { sycl::free(memory, queue); };
  const std::size_t count = found.all.size();
  const std::unique_ptr<std::uint32_t, decltype(release)> all(sycl::malloc_device<std::uint32_t>(count, queue),
                                                              release);
  queue.copy(found.all.data(), all.get(), count).wait();
  program.submit(queue, launch, found.at(all.get()));
  queue.wait_and_throw();
  queue.copy(all.get(), found.all.data(), count).wait();
}

inline std::string difference(const program &program, sycl::queue &queue, std::uint32_t items) {
  const shape launch = make_shape(program.dimensions, items);
  values found(launch), expected(launch);
  for (std::uint32_t group = 0; group < launch.group_count(); ++group)
    program.reference(launch, expected.at(expected.all.data()), group);
  try {
    run_on(queue, program, launch, found);
  } catch (const sycl::exception &error) {
    return error.what();
  }
  return found.difference(expected);
}

/// Runs all kernels but those whose names contain what CORPUS_SKIP says.
inline int run(std::initializer_list<program> programs) {
  sycl::queue queue;
  const char *skipped = std::getenv("CORPUS_SKIP");
  int failures = 0;
  for (const program &program : programs) {
    if (skipped != nullptr && std::strstr(program.name, skipped) != nullptr)
      continue;
    for (const std::uint32_t items : {1u, 7u, 32u, 64u, 256u}) {
      const std::string text = difference(program, queue, items);
      failures += !text.empty();
      std::printf("%s %u %s%s\n", program.name, items, text.empty() ? "ok" : "FAILED: ", text.c_str());
    }
  }
  return failures != 0;
}

#endif
