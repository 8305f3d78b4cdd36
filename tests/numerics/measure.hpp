// Measures one function on one device: runs a sample in batches, and compares the results with the
// reference.
#ifndef NUMERICS_MEASURE_HPP
#define NUMERICS_MEASURE_HPP

#include "errors.hpp"

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

namespace numerics {

struct options {
  // Base-2 logarithm of the number of arguments of a function of one f32 number.
  int count = 24;
  // Time limit of each function and type.
  double seconds = 1e9;
  // The functions outside of kernels, instead of those of the device.
  bool is_host_code = false;
};

// A function of one type. `run` writes its line of the table.
struct measurement {
  std::string family, name, type;
  std::function<std::string(sycl::queue &, const options &)> run;
};

// Describes a function. Without a bound its error is only reported. The reference of an exact
// function is the C library's function of the same type, if it has one.
struct function {
  const char *family, *name;
  form arguments;
  double bound, low, high;
};

// The standard leaves the sign of a zero to some, and to those with a large error.
inline bool has_signed_zeros(const function &f) {
  const std::string name = f.name;
  return f.bound < 8192 && name != "fmax" && name != "fmin" && name != "maxmag" && name != "minmag";
}

// So may the less accurate families, and a device that does not have subnormal numbers.
inline bool may_flush(const sycl::device &device, const function &f) {
  const auto has = device.get_info<sycl::info::device::single_fp_config>();
  return f.bound >= 8192 || std::find(has.begin(), has.end(), sycl::info::fp_config::denorm) == has.end();
}

// The bound for half, from the table for half of section 7.4 of the OpenCL 3.0 specification.
inline double bound_of_half(const function &f) {
  return f.bound == no_bound || f.bound == 0 ? f.bound : f.bound >= 16 ? 4 : f.name == std::string("rsqrt") ? 1 : 2;
}

template <class T> std::uint64_t sample_size(const options &chosen, form arguments) {
  if (sizeof(T) == 2)
    return std::uint64_t(1) << (arguments == form::one ? 16 : std::min(chosen.count, 24));
  if (sizeof(T) == 8)
    return std::uint64_t(1) << std::min(chosen.count, 22);
  return std::uint64_t(1) << (arguments == form::one ? std::min(chosen.count, 32) : std::min(chosen.count, 26));
}

template <class T, class Function>
void run_on_host(const recipe<T> &arguments, std::uint64_t first, std::vector<T> &found, std::size_t count,
                 Function compute) {
  for (std::size_t i = 0; i < count; ++i) {
    const point<T> at = arguments.at(first + i);
    found[i] = T(compute(at.x, at.y, at.z, at.n));
  }
}

// Results of a batch are compared while the device computes the next one.
template <class T, class Function, class Reference>
worst<T> measure(sycl::queue &queue, const options &chosen, const function &f, double bound, Function compute,
                 Reference reference) {
  constexpr std::size_t batch = std::size_t(1) << 21;
  const std::vector<T> special = special_numbers<T>();
  T *numbers = sycl::malloc_device<T>(special.size(), queue), *results = sycl::malloc_device<T>(batch, queue);
  queue.copy(special.data(), numbers, special.size()).wait();
  const auto recipe_with = [&](const T *from) {
    return recipe<T>{f.arguments, f.low, f.high, from, std::uint32_t(special.size())};
  };
  const recipe<T> on_host = recipe_with(special.data()), on_device = recipe_with(numbers);
  const std::uint64_t total = sample_size<T>(chosen, f.arguments) + on_host.special_cases();
  std::vector<T> found(batch), before(batch);
  const rules allowed{bound, has_signed_zeros(f), may_flush(queue.get_device(), f)};
  worst<T> all;
  std::size_t pending = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > chosen.seconds;
  };
  std::uint64_t first = 0;
  for (; first < total && !(first > on_host.special_cases() && is_late()); first += batch) {
    const std::size_t count = std::size_t(std::min<std::uint64_t>(batch, total - first));
    if (chosen.is_host_code)
      run_on_host(on_host, first, found, count, compute);
    else {
      queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
        const point<T> at = on_device.at(first + i[0]);
        results[i] = T(compute(at.x, at.y, at.z, at.n));
      });
      queue.copy(results, found.data(), count);
    }
    if (pending != 0)
      all.add(compare(on_host, first - batch, before, pending, allowed, reference));
    queue.wait();
    std::swap(found, before);
    pending = count;
  }
  all.add(compare(on_host, first - batch, before, pending, allowed, reference));
  sycl::free(numbers, queue);
  sycl::free(results, queue);
  return all;
}

template <class T> std::string text(T x) {
  char shown[64];
  std::snprintf(shown, sizeof shown, "%a", widen<double>(x));
  return shown;
}

// family, name, type, bound, arguments tried, error, results beyond the bound, flushed to zero,
// arguments, result, exact result; separated by tabs.
template <class T> std::string line(const function &f, double bound, const worst<T> &found, double exact) {
  char start[256], limit[16] = "-";
  if (bound != no_bound)
    std::snprintf(limit, sizeof limit, "%g", bound);
  std::snprintf(start, sizeof start, "%s\t%s\t%s\t%s\t%llu\t%.3f\t%llu\t%llu\t", f.family, f.name, layout<T>::name,
                limit, (unsigned long long)found.tried, found.ulps, (unsigned long long)found.beyond,
                (unsigned long long)found.flushed);
  std::string at = text(found.at.x);
  if (f.arguments == form::whole)
    at += ", " + std::to_string(found.at.n);
  if (f.arguments == form::two || f.arguments == form::three)
    at += ", " + text(found.at.y);
  if (f.arguments == form::three)
    at += ", " + text(found.at.z);
  char exact_text[64];
  std::snprintf(exact_text, sizeof exact_text, "%a", exact);
  return start + at + "\t" + text(found.found) + "\t" + exact_text + "\n";
}

// True if results of a line are beyond the bound.
inline bool is_above(const std::string &line) {
  std::size_t field = 0;
  for (int i = 0; i < 6; ++i)
    field = line.find('\t', field) + 1;
  return line[field] != '0';
}

template <class W, class T, class Reference> W exactly(const point<T> &at, Reference reference) {
  return W(reference(widen<W>(at.x), widen<W>(at.y), widen<W>(at.z), at.n));
}

// Measures, and computes the largest error again with 128-bit numbers.
template <class T, class Function, class Reference>
std::string measured(sycl::queue &queue, const options &chosen, const function &f, Function compute,
                     Reference reference) {
  const bool is_exact = f.bound == 0;
  const double bound = sizeof(T) == 2 ? bound_of_half(f) : f.bound, limit = std::max(bound, 0.5);
  using same = std::conditional_t<sizeof(T) == 2, double, T>;
  if (is_exact) {
    const worst<T> found = measure<T>(queue, chosen, f, limit, compute,
                                      [=](const point<T> &at) { return wider<T>(exactly<same>(at, reference)); });
    return line(f, bound, found, double(exactly<same>(found.at, reference)));
  }
  worst<T> found = measure<T>(queue, chosen, f, limit, compute,
                              [=](const point<T> &at) { return exactly<wider<T>>(at, reference); });
  const quad exact = exactly<quad>(found.at, reference);
  found.ulps = distance(found.found, exact, has_signed_zeros(f));
  return line(f, bound, found, double(exact));
}

} // namespace numerics

#endif
