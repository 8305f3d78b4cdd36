// Gravitation between bodies, by tiles of bodies in local memory: nbody [BODIES [STEPS]]
//
// Every work-item moves one body. The group loads a tile of bodies into local memory, adds up their
// pull, and continues with the next tile.
#include "sample.hpp"

#include <cmath>

namespace {

constexpr std::size_t tile = 128;
constexpr float softening = 1e-3f, step = 1e-3f;

// Position and mass.
using body = sycl::float4;

body pull(const body &on, const body &from, body sum) {
  const float x = from.x() - on.x(), y = from.y() - on.y(), z = from.z() - on.z();
  const float distance = x * x + y * y + z * z + softening;
  const float inverse = sycl::rsqrt(distance);
  const float strength = from.w() * inverse * inverse * inverse;
  return {sum.x() + x * strength, sum.y() + y * strength, sum.z() + z * strength, 0};
}

void advance(sycl::queue &queue, std::size_t count, const body *from, body *to, body *velocity) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<body, 1> near(sycl::range<1>(tile), group);
    group.parallel_for<class nbody>(sycl::nd_range<1>(count, tile), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0), l = item.get_local_id(0);
      const body self = from[i];
      body force(0.0f);
      for (std::size_t first = 0; first < count; first += tile) {
        near[l] = from[first + l];
        item.barrier(sycl::access::fence_space::local_space);
        for (std::size_t k = 0; k < tile; ++k)
          force = pull(self, near[k], force);
        item.barrier(sycl::access::fence_space::local_space);
      }
      const body moved = velocity[i] + force * step;
      velocity[i] = moved;
      to[i] = body(self.x() + moved.x() * step, self.y() + moved.y() * step, self.z() + moved.z() * step, self.w());
    });
  });
}

std::vector<body> scatter(std::size_t count) {
  std::vector<body> bodies(count);
  const auto unit = [](std::size_t i) { return static_cast<float>(sample::noise(i) % 10007) / 10007 - 0.5f; };
  for (std::size_t i = 0; i < count; ++i)
    bodies[i] = body(unit(4 * i), unit(4 * i + 1), unit(4 * i + 2), 1.0f / static_cast<float>(count));
  return bodies;
}

// One step by the definition, in double precision; returns the largest deviation of a velocity.
double deviation(const std::vector<body> &bodies, const std::vector<body> &velocity) {
  double worst = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double force[3] = {0, 0, 0};
    for (const body &other : bodies) {
      const double d[3] = {double(other.x()) - bodies[i].x(), double(other.y()) - bodies[i].y(),
                           double(other.z()) - bodies[i].z()};
      const double distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening;
      for (int axis = 0; axis < 3; ++axis)
        force[axis] += d[axis] * other.w() / (distance * std::sqrt(distance));
    }
    const double found[3] = {velocity[i].x(), velocity[i].y(), velocity[i].z()};
    for (int axis = 0; axis < 3; ++axis)
      worst = std::fmax(worst, std::fabs(found[axis] - force[axis] * step));
  }
  return worst;
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t count = sample::number(argc, argv, 1, 4096, tile), steps = sample::number(argc, argv, 2, 4);
  sycl::queue queue{sycl::property::queue::in_order()};
  const std::vector<body> start = scatter(count);
  sample::memory<body> first(queue, start), second(queue, count), velocity(queue, count);
  queue.fill(velocity.get(), body(0.0f), count);
  advance(queue, count, first.get(), second.get(), velocity.get());
  const double worst = deviation(start, velocity.read());
  body *from = second.get(), *to = first.get();
  sample::timed("nbody", queue, [&] {
    for (std::size_t i = 0; i < steps; ++i) {
      advance(queue, count, from, to, velocity.get());
      std::swap(from, to);
    }
  });
  std::printf("largest deviation of a velocity after one step: %.1e\n", worst);
  return sample::verdict(worst < 1e-6);
}
