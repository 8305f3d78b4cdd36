// Graphs: passes of the Floyd-Warshall algorithm, and a breadth-first search with queues of
// vertices.
#ifndef BENCHES_GPU_PATTERNS_GRAPHS_HPP
#define BENCHES_GPU_PATTERNS_GRAPHS_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int floyd_block = 16, floyd_passes = 64;

// Shortest paths with intermediate vertices among the first 64 only.
struct floyd : pattern {
  std::size_t side;
  const int *in;
  int *paths;

  static int weight(std::size_t i, std::size_t side) {
    return i % side == i / side ? 0 : 1 + int(random_word(201, i) % 1000);
  }
  template <class Device>
  floyd(Device &device, bool small)
      : side(sized(small, 2048, 128)),
        in(device.upload(filled(side * side, [n = side](std::size_t i) { return weight(i, n); }))),
        paths(device.template allocate<int>(side * side)) {}

  template <class Device> void reset(Device &device) const { device.copy(paths, in, side * side); }

  // The first rows, on which all others depend, and every 32nd of the rest.
  template <class Device> bool correct(Device &device) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < side; row += row < floyd_passes ? 1 : 32)
      rows.push_back(row);
    std::vector<std::vector<int>> wanted;
    for (const std::size_t row : rows)
      wanted.push_back(filled(side, [row, n = side](std::size_t i) { return weight(row * n + i, n); }));
    for (std::size_t k = 0; k < floyd_passes; k++)
      for (std::vector<int> &row : wanted)
        for (std::size_t i = 0; i < side; i++)
          row[i] = std::min(row[i], row[k] + wanted[k][i]);
    for (std::size_t i = 0; i < rows.size(); i++)
      if (!same("floyd", device.read(paths + rows[i] * side, side), wanted[i]))
        return false;
    return true;
  }
};

constexpr int search_degree = 8, search_steps = 12;

// Breadth-first search from vertex 0. Each step has a queue with its own length; `queued` counts
// the vertices of all steps.
struct search : pattern {
  std::size_t vertices;
  const int *first, *target;
  int *level, *queue, *next, *queued;

  template <class Device>
  search(Device &device, bool small)
      : vertices(sized(small, 1 << 20, 1 << 12)),
        first(device.upload(filled(vertices + 1, [](std::size_t i) { return int(i) * search_degree; }))),
        target(device.upload(edges(vertices))), level(device.template allocate<int>(vertices)),
        queue(device.template allocate<int>(vertices)), next(device.template allocate<int>(vertices)),
        queued(device.template allocate<int>(search_steps + 1)) {}

  static std::vector<int> edges(std::size_t vertices) {
    return filled(search_degree * vertices, [=](std::size_t i) { return int(random_word(202, i) % vertices); });
  }

  // The other arrays are initialised at the start of a launch.
  template <class Device> void reset(Device &device) const { device.clear(level, vertices); }

  template <class Device> bool correct(Device &device) const {
    const std::vector<int> to = edges(vertices);
    std::vector<int> wanted(vertices, -1), now = {0}, then;
    wanted[0] = 0;
    for (int step = 1; step <= search_steps; step++, now.swap(then), then.clear())
      for (const int v : now)
        for (int k = v * search_degree; k < (v + 1) * search_degree; k++)
          if (wanted[to[k]] < 0) {
            wanted[to[k]] = step;
            then.push_back(to[k]);
          }
    return same("search", device.read(level, vertices), wanted);
  }
};

} // namespace gpu::patterns

#endif
