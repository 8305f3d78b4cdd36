// Quick code and the full code that replaces it compute the same, bit by bit.
// devices: host
#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

#include <cstring>
#include <vector>

#include "../check.hpp"

namespace {

constexpr int size = 1000, group = 20;

unsigned long long translated() {
  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  return statistics.translated;
}

// Values of many magnitudes and signs.
template <class T> T value(unsigned i) {
  const unsigned bits = i * 2654435761u;
  return static_cast<T>(static_cast<int>(bits >> 8) - (1 << 23)) / static_cast<T>(1 << (bits % 13));
}

// Runs a kernel with quick and with full code. Returns the number of translations.
template <class T, class Launch> unsigned long long compare(const char *name, Launch launch) {
  sycl::queue queue;
  T *in = sycl::malloc_shared<T>(size, queue), *out = sycl::malloc_shared<T>(size, queue);
  for (unsigned i = 0; i < size; ++i)
    in[i] = value<T>(i);
  const unsigned long long before = translated();
  std::vector<T> results[2];
  for (std::vector<T> &result : results) {
    std::memset(out, 0, size * sizeof(T));
    launch(queue, in, out);
    queue.wait();
    result.assign(out, out + size);
    sinter::wait_for_jit();
  }
  for (int i = 0; i < size; ++i)
    if (std::memcmp(&results[0][i], &results[1][i], sizeof(T)) != 0) {
      std::printf("%s: item %d is %.17g with quick code, %.17g with full code\n", name, i,
                  static_cast<double>(results[0][i]), static_cast<double>(results[1][i]));
      std::exit(1);
    }
  sycl::free(in, queue);
  sycl::free(out, queue);
  return translated() - before;
}

template <class T> unsigned long long contracted(const char *name) {
  return compare<T>(name, [](sycl::queue &queue, const T *a, T *out) {
    queue.parallel_for(size, [=](sycl::id<1> id) {
      const int i = static_cast<int>(id[0]), j = (i * 7) % size;
      const T p = a[i] * a[j];
      out[i] = a[i] * a[j] + a[j] * a[j] - (a[i] - a[j] * T(0.3)) * (p - a[i] * T(1.1)) + p;
    });
  });
}

template <class T> unsigned long long polynomial(const char *name) {
  return compare<T>(name, [](sycl::queue &queue, const T *a, T *out) {
    queue.parallel_for(size, [=](sycl::id<1> i) {
      T sum = 0;
      for (int k = 0; k < 11; ++k)
        sum = sum * (a[i] * T(1e-4)) + a[k] / T(k + 1);
      out[i] = sum;
    });
  });
}

template <class T> unsigned long long dot_products(const char *name) {
  return compare<T>(name, [](sycl::queue &queue, const T *a, T *out) {
    queue.parallel_for(size, [=](sycl::id<1> i) {
      T sum = 0;
      for (int k = 0; k < size; ++k)
        if (k % 3 != static_cast<int>(i[0]) % 3)
          sum += a[k] * a[(i[0] + k) % size];
      out[i] = sycl::sqrt(sycl::fabs(sum)) / (T(1) + sycl::fabs(a[i]));
    });
  });
}

template <class T> unsigned long long local_sums(const char *name) {
  return compare<T>(name, [](sycl::queue &queue, const T *a, T *out) {
    queue.submit([&](sycl::handler &handler) {
      sycl::local_accessor<T> tile(group, handler);
      handler.parallel_for(sycl::nd_range<1>(size, group), [=](sycl::nd_item<1> item) {
        const int local = static_cast<int>(item.get_local_id(0)), i = static_cast<int>(item.get_global_id(0));
        T sum = 0;
        for (int round = 0; round < 5; ++round) {
          tile[local] = a[(i * (round + 1)) % size] * T(1.5);
          sycl::group_barrier(item.get_group());
          for (int k = 0; k < group; ++k)
            sum += tile[k] * tile[(local + k) % group];
          sycl::group_barrier(item.get_group());
        }
        out[i] = sum;
      });
    });
  });
}

template <class T> unsigned long long functions(const char *name) {
  return compare<T>(name, [](sycl::queue &queue, const T *a, T *out) {
    queue.parallel_for(size, [=](sycl::id<1> i) {
      out[i] = sycl::sin(a[i]) + sycl::exp(a[i] * T(1e-6)) * sycl::pow(sycl::fabs(a[i]), T(0.7));
    });
  });
}

unsigned long long sub_groups() {
  return compare<float>("sub-groups", [](sycl::queue &queue, const float *a, float *out) {
    queue.parallel_for(sycl::nd_range<1>(960, 32), [=](sycl::nd_item<1> item) {
      const auto i = item.get_global_id(0);
      const float sum = sycl::reduce_over_group(item.get_sub_group(), a[i] * 1.25f, sycl::plus<float>());
      out[i] = sum + sycl::shift_group_left(item.get_sub_group(), a[i], 3);
    });
  });
}

unsigned long long integers() {
  return compare<int>("integers", [](sycl::queue &queue, const int *a, int *out) {
    queue.parallel_for(size, [=](sycl::id<1> i) {
      unsigned hash = static_cast<unsigned>(a[i]);
      for (int k = 0; k < 20; ++k)
        hash = (hash ^ (hash >> 7)) * 31u + hash / static_cast<unsigned>(k + 1);
      out[i] = static_cast<int>(hash);
    });
  });
}

unsigned long long halves() {
  return compare<sycl::half>("half", [](sycl::queue &queue, const sycl::half *a, sycl::half *out) {
    queue.parallel_for(size, [=](sycl::id<1> i) { out[i] = a[i] * a[(i + 1) % size] + a[i] / sycl::half(3.0f); });
  });
}

} // namespace

int main() {
  setenv("SINTER_JIT_MODE", "fallback", 1);
  // Two translations each, or more if a thread of the background was late: they have quick code.
  CHECK(contracted<float>("contracted float") >= 2);
  CHECK(contracted<double>("contracted double") >= 2);
  CHECK(polynomial<float>("polynomial of float") >= 2);
  CHECK(polynomial<double>("polynomial of double") >= 2);
  CHECK(dot_products<float>("dot products of float") >= 2);
  CHECK(dot_products<double>("dot products of double") >= 2);
  CHECK(local_sums<float>("local sums of float") >= 2);
  CHECK(local_sums<double>("local sums of double") >= 2);
  CHECK(integers() >= 2);
  CHECK(sub_groups() >= 2);
  // Kernels that call the C library have none.
  CHECK(functions<float>("functions of float") >= 1);
  CHECK(functions<double>("functions of double") >= 1);
  CHECK(halves() >= 1);
  return pass();
}
