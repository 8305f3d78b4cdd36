// Peer of the kernel `nbody` of cpu/groups.cpp, written by hand as ispc would compile it: a row of
// bodies in the lanes of a register, all other bodies one after another, in OpenMP C++.
#include "groups.hpp"

#include <immintrin.h>

namespace {

using namespace groups;

#ifdef __AVX512F__
constexpr std::size_t lanes = 16;
#elif defined __AVX__
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;
#endif
typedef float row __attribute__((vector_size(lanes * sizeof(float))));

// Estimate and one Newton step where the estimate has 14 bits, as ispc's rsqrt; else exact.
inline row reciprocal_root(row x) {
#ifdef __AVX512F__
  const row estimate = _mm512_rsqrt14_ps(x);
  return estimate * (1.5f - 0.5f * x * estimate * estimate);
#elif defined __AVX__
  return 1.0f / row(_mm256_sqrt_ps(x));
#else
  return 1.0f / row(_mm_sqrt_ps(x));
#endif
}

class kernels {
public:
  kernels() : from(bodies), to(bodies) {
    for (std::size_t i = 0; i < bodies; i++)
      from[i] = place(i);
  }

  void nbody() {
#pragma omp parallel for
    for (std::size_t first = 0; first < bodies; first += lanes) {
      row x, y, z, fx{}, fy{}, fz{};
      for (std::size_t lane = 0; lane < lanes; lane++) {
        x[lane] = from[first + lane].x;
        y[lane] = from[first + lane].y;
        z[lane] = from[first + lane].z;
      }
      for (std::size_t k = 0; k < bodies; k++) {
        const row dx = from[k].x - x, dy = from[k].y - y, dz = from[k].z - z;
        const row inverse = reciprocal_root(dx * dx + dy * dy + dz * dz + softening);
        const row pull = from[k].mass * inverse * inverse * inverse;
        fx += dx * pull;
        fy += dy * pull;
        fz += dz * pull;
      }
      for (std::size_t lane = 0; lane < lanes; lane++)
        to[first + lane] = {fx[lane], fy[lane], fz[lane], 0};
    }
  }

  const std::vector<body> &force() const { return to; }

private:
  std::vector<body> from, to;
};

} // namespace

int main(int argc, char **argv) {
  const std::size_t repetitions = groups::repetitions(argc, argv);
  kernels kernels;
  return groups::measure_nbody(kernels, repetitions) ? 0 : 1;
}
