// Kernels whose arguments repeat, shared by the two programs, which differ in the launch of a
// kernel: `Loop` runs a body for each of so many indices.
//
// Each argument that repeats comes from `opaque`, so that no compiler sees its value.
#ifndef BENCHES_ADAPTIVE_HPP
#define BENCHES_ADAPTIVE_HPP

#include "report.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace adaptive {

constexpr int count = 1 << 18, width = 512, height = 512;
constexpr int batch = 1 << 14;

inline int opaque(int value) {
  volatile int hidden = value;
  return hidden;
}

inline std::uint32_t noise(std::size_t index) {
  std::uint32_t value = static_cast<std::uint32_t>(index) * 2654435761u + 12345u;
  value ^= value >> 15;
  value *= 2246822519u;
  return value ^ (value >> 13);
}

// Small integers over a power of two: sums of few products are exact, whatever is fused.
inline float number(std::size_t index) { return (static_cast<float>(noise(index) % 33) - 16) / 16; }

// Memory of a kernel: three arrays that hold what every case needs.
struct memory {
  float *a, *b, *c;
  int *index;
};
constexpr std::size_t capacity = std::size_t(batch) * 64;

inline void fill(const memory &m) {
  for (std::size_t i = 0; i < capacity; i++) {
    m.a[i] = number(i);
    m.b[i] = number(i + capacity);
    m.c[i] = 0;
    m.index[i] = static_cast<int>(noise(i) % count);
  }
}

// Coefficients of a polynomial in b, its order `order`.
template <class Loop> void polynomial(const Loop &loop, const memory &m, int order) {
  loop(count, [a = m.a, b = m.b, c = m.c, order](int i) {
    const float x = a[i] * 0.5f;
    float sum = b[order];
    for (int k = order - 1; k >= 0; k--)
      sum = sum * x + b[k];
    c[i] = sum;
  });
}

// Weighted sum of the 2 * radius + 1 elements around each.
template <class Loop> void stencil(const Loop &loop, const memory &m, int radius) {
  loop(count, [a = m.a, b = m.b, c = m.c, radius](int i) {
    float sum = 0;
    for (int k = 0; k <= 2 * radius; k++)
      sum += b[k] * a[i + k];
    c[i] = sum;
  });
}

// A filter of size * size on an image with a margin.
template <class Loop> void filter(const Loop &loop, const memory &m, int size) {
  loop(width * height, [a = m.a, b = m.b, c = m.c, size](int i) {
    const int x = i % width, y = i / width;
    float sum = 0;
    for (int v = 0; v < size; v++)
      for (int u = 0; u < size; u++)
        sum += b[v * size + u] * a[(y + v) * (width + 32) + x + u];
    c[i] = sum;
  });
}

// Products of small matrices, one for each work-item. Elements lie apart, so that neighbours read
// neighbours.
template <class Loop> void matrices(const Loop &loop, const memory &m, int size) {
  loop(batch, [a = m.a, b = m.b, c = m.c, size](int i) {
    for (int row = 0; row < size; row++)
      for (int column = 0; column < size; column++) {
        float sum = 0;
        for (int k = 0; k < size; k++)
          sum += a[(row * size + k) * batch + i] * b[(k * size + column) * batch + i];
        c[(row * size + column) * batch + i] = sum;
      }
  });
}

// A chain of operations, each chosen by a number.
template <class Loop> void choices(const Loop &loop, const memory &m, int first, int second, int steps) {
  loop(count, [a = m.a, b = m.b, c = m.c, first, second, steps](int i) {
    float x = a[i], y = b[i];
    for (int step = 0; step < steps; step++) {
      switch (step % 2 == 0 ? first : second) {
      case 0: x = x + y; break;
      case 1: x = x * 0.5f + y; break;
      case 2: x = x < y ? x : y; break;
      case 3: x = x > y ? x : y; break;
      case 4: x = x - y * 0.25f; break;
      default: x = x * x * 0.125f; break;
      }
    }
    c[i] = x;
  });
}

// A triad with strides.
template <class Loop> void strided(const Loop &loop, const memory &m, int stride) {
  loop(count, [a = m.a, b = m.b, c = m.c, stride](int i) {
    c[i * stride] = a[i * stride] * 0.5f + b[i * stride];
  });
}

// Turns a table by rows and columns into one by columns and rows.
template <class Loop> void transposed(const Loop &loop, const memory &m, int columns) {
  loop(count, [a = m.a, c = m.c, columns](int i) {
    const int row = i / columns, column = i % columns;
    c[i] = a[column * (count / columns) + row] + 1;
  });
}

// A sparse matrix with `entries` in each row.
template <class Loop> void sparse(const Loop &loop, const memory &m, int entries) {
  loop(count / 4, [a = m.a, b = m.b, c = m.c, index = m.index, entries](int row) {
    float sum = 0;
    for (int k = 0; k < entries; k++)
      sum += a[k * (count / 4) + row] * b[index[k * (count / 4) + row]];
    c[row] = sum;
  });
}

// The nearest of some centres in some dimensions.
template <class Loop> void nearest(const Loop &loop, const memory &m, int centres, int dimensions) {
  loop(count, [a = m.a, b = m.b, c = m.c, centres, dimensions](int i) {
    float least = 1e9f;
    int found = 0;
    for (int centre = 0; centre < centres; centre++) {
      float distance = 0;
      for (int d = 0; d < dimensions; d++) {
        const float apart = a[d * count + i] - b[centre * dimensions + d];
        distance += apart * apart;
      }
      if (distance < least) {
        least = distance;
        found = centre;
      }
    }
    c[i] = static_cast<float>(found);
  });
}

// Runs the case of a number; false behind the last. Sets its name.
template <class Loop> bool run(const Loop &loop, const memory &m, int number, const char *&name) {
  switch (number) {
  case 0: name = "polynomial"; polynomial(loop, m, opaque(7)); return true;
  case 1: name = "stencil"; stencil(loop, m, opaque(4)); return true;
  case 2: name = "filter"; filter(loop, m, opaque(5)); return true;
  case 3: name = "matrices"; matrices(loop, m, opaque(4)); return true;
  case 4: name = "choices"; choices(loop, m, opaque(1), opaque(3), opaque(16)); return true;
  case 5: name = "strided"; strided(loop, m, opaque(1)); return true;
  case 6: name = "transposed"; transposed(loop, m, opaque(64)); return true;
  case 7: name = "sparse"; sparse(loop, m, opaque(5)); return true;
  case 8: name = "nearest"; nearest(loop, m, opaque(8), opaque(3)); return true;
  default: return false;
  }
}

// Runs a body for each index, one after another: what the others must agree with.
struct plain {
  template <class Body> void operator()(int items, const Body &body) const {
    for (int i = 0; i < items; i++)
      body(i);
  }
};

inline std::vector<float> reference(const memory &m, int number) {
  std::vector<float> out(capacity, 0);
  const char *name;
  run(plain(), memory{m.a, m.b, out.data(), m.index}, number, name);
  return out;
}

// Compares with the reference, whose compiler may fuse otherwise.
inline bool agrees(const memory &m, int number, const char *name) {
  const std::vector<float> wanted = reference(m, number);
  for (std::size_t i = 0; i < capacity; i++)
    if (!(std::fabs(m.c[i] - wanted[i]) <= 1e-4f * (1 + std::fabs(wanted[i])))) {
      std::fprintf(stderr, "%s: element %zu is %g, expected %g\n", name, i, double(m.c[i]), double(wanted[i]));
      return false;
    }
  return true;
}

// A number that differs where a bit of the result does.
inline double digest(const memory &m) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < capacity; i++) {
    std::uint32_t bits;
    std::memcpy(&bits, &m.c[i], sizeof bits);
    sum = (sum ^ bits) * 16777619u;
  }
  return sum;
}

// Times each case: its first launch, the 100 after it, while code for their values may be made, and
// more launches after `settle`, once the codes were compared.
template <class Loop, class Settle>
int measure(int argc, char **argv, const memory &m, const Loop &loop, const Settle &settle) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s REPETITIONS\n", argv[0]);
    return 2;
  }
  const std::size_t repetitions = bench::positive(argv[1], "REPETITIONS");
  bool good = true;
  const char *name = "";
  fill(m);
  for (int number = 0;; number++) {
    std::memset(m.c, 0, capacity * sizeof *m.c);
    const double start = bench::now();
    if (!run(loop, m, number, name))
      break;
    const std::string text = name;
    bench::emit((text + ".first").c_str(), "s", {bench::now() - start});
    const auto early = [&] {
      for (int i = 0; i < 100; i++)
        run(loop, m, number, name);
    };
    bench::emit((text + ".early").c_str(), "s", {bench::seconds(early)});
    // Variants are made, compared on launches, and dropped where they do not gain.
    settle();
    for (int i = 0; i < 100; i++)
      run(loop, m, number, name);
    settle();
    std::vector<double> taken;
    for (std::size_t i = 0; i < repetitions; i++)
      taken.push_back(bench::seconds([&] { run(loop, m, number, name); }));
    const bool right = agrees(m, number, name);
    good = good && right;
    bench::emit(name, "s", taken, right);
    bench::emit((text + ".bits").c_str(), "digest", {digest(m)});
  }
  return good ? 0 : 1;
}

} // namespace adaptive

#endif
