// Code that no device can run gives the results of the standard library.
// libstdc++ 12 calls a deprecated function of its own in stable_partition.
// options: --stdpar -Wno-deprecated-declarations
// memory: auto shared
#include <algorithm>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string>

#include "offloaded.hpp"

static int by_name;
static thread_local int of_thread = 1;
std::mutex mutex;

static int slow(int x) {
  static const int first = x;
  return x - first + first;
}

int main() {
  const auto policy = std::execution::par_unseq;
  std::vector<int> a(5000);
  std::iota(a.begin(), a.end(), 0);
  const long sum = std::accumulate(a.begin(), a.end(), 0L);
  long found = 0;
  const auto add = [&](int x) { found += x; };

  on_host([&] { return std::for_each(policy, a.begin(), a.end(), [](int x) { by_name += x; }), 0; });
  CHECK(by_name == sum);
  on_host([&] {
    return std::for_each(std::execution::par, a.begin(), a.end(),
                         [&](int x) {
                           const std::lock_guard<std::mutex> guard(mutex);
                           add(x);
                         }),
           0;
  });
  CHECK(found == sum);
  CHECK(on_host([&] {
          return std::transform_reduce(policy, a.begin(), a.end(), 0L, std::plus<>(),
                                       [](int x) { return long(x) * of_thread; });
        }) == sum);
  CHECK(on_host([&] {
          return std::count_if(policy, a.begin(), a.end(), [](int x) {
            try {
              if (x % 2 != 0)
                throw x;
              return false;
            } catch (int thrown) {
              return thrown == x;
            }
          });
        }) == 2500);
  CHECK(on_host([&] {
          return std::count_if(policy, a.begin(), a.end(), [](int x) {
            const std::unique_ptr<int> copy(new int(x));
            return *copy < 100;
          });
        }) == 100);
  std::ostringstream text;
  on_host([&] { return std::for_each(policy, a.begin(), a.begin() + 3, [&](int x) { text << x << ' '; }), 0; });
  CHECK(text.str() == "0 1 2 ");
  CHECK(on_host([&] {
          return *std::max_element(policy, a.begin(), a.end(), [](int x, int y) { return slow(x) < slow(y); });
        }) == 4999);
  std::vector<long> sums(a.size());
  on_host([&] {
    return std::inclusive_scan(
        policy, a.begin(), a.end(), sums.begin(),
        [](long x, long y) {
          by_name += 1;
          return x + y;
        },
        0L);
  });
  CHECK(sums.back() == sum);
  on_host([&] { return std::sort(policy, a.begin(), a.end(), [](int x, int y) { return x + 0 * by_name > y; }), 0; });
  CHECK(a.front() == 4999 && std::is_sorted(a.rbegin(), a.rend()));

  // Iterators, elements and proxies that the overloads do not take.
  std::vector<bool> bits(1000);
  on_host([&] { return std::for_each(policy, bits.begin(), bits.end(), [](auto bit) { bit = true; }), 0; });
  CHECK(std::count(bits.begin(), bits.end(), true) == 1000);
  on_host([&] { return std::fill(policy, bits.begin() + 1, bits.end(), false), 0; });
  CHECK(std::count(bits.begin(), bits.end(), true) == 1);
  std::list<int> list(10, 1);
  on_host([&] { return std::for_each(policy, list.begin(), list.end(), [](int &x) { x = 2; }), 0; });
  CHECK(std::accumulate(list.begin(), list.end(), 0) == 20);
  std::vector<std::string> words = {"pear", "apple", "fig"};
  on_host([&] { return std::sort(policy, words.begin(), words.end()), 0; });
  CHECK(words.front() == "apple" && words.back() == "pear");
  on_host([&] { return std::for_each(policy, words.begin(), words.end(), [](std::string &x) { x += "s"; }), 0; });
  CHECK(words.front() == "apples");
  std::vector<std::string> copies(3);
  on_host([&] { return std::copy(policy, words.begin(), words.end(), copies.begin()), 0; });
  CHECK(copies == words);
  std::vector<int> appended;
  std::copy(policy, list.begin(), list.end(), std::back_inserter(appended));
  CHECK(appended.size() == 10);

  // Algorithms in place and those of several kernels leave their ranges as they are until the
  // standard library begins.
  std::iota(a.begin(), a.end(), 0);
  const auto is_odd = [](int x) { return (x + 0 * by_name) % 2 != 0; };
  const auto descends = [](int x, int y) { return x + 0 * by_name > y; };
  std::vector<int> b = a, out(2 * a.size());
  CHECK(on_host([&] { return std::stable_partition(policy, b.begin(), b.end(), is_odd); }) == b.begin() + 2500);
  CHECK(b[0] == 1 && b[2499] == 4999 && b[2500] == 0);
  CHECK(on_host([&] { return std::remove_if(policy, b.begin(), b.end(), is_odd); }) == b.begin() + 2500);
  on_host([&] { return std::replace_if(policy, b.begin(), b.end(), is_odd, 4), 0; });
  CHECK(on_host([&] { return std::count_if(policy, b.begin(), b.end(), is_odd); }) == 0);
  on_host([&] { return std::nth_element(policy, a.begin(), a.begin() + 10, a.end(), descends), 0; });
  CHECK(a[10] == 4989);
  on_host([&] { return std::partial_sort(policy, a.begin(), a.begin() + 10, a.end(), descends), 0; });
  CHECK(a[0] == 4999 && a[9] == 4990);
  std::sort(a.begin(), a.end(), descends);
  CHECK(on_host([&] {
          return std::set_union(policy, a.begin(), a.end(), a.begin(), a.end(), out.begin(), descends);
        }) == out.begin() + 5000);
  CHECK(on_host([&] { return std::includes(policy, a.begin(), a.end(), out.begin(), out.begin() + 9, descends); }));
  CHECK(on_host([&] {
          return std::unique(policy, a.begin(), a.end(), [](int x, int y) { return x / 2 == y / 2 + by_name * 0; });
        }) == a.begin() + 2500);
  on_host([&] { return std::reverse(policy, bits.begin(), bits.end()), 0; });
  CHECK(bits.back());
  CHECK(on_host([&] { return std::remove(policy, list.begin(), list.end(), 2); }) == list.begin());
  CHECK(on_host([&] { return std::unique(policy, words.begin(), words.end()); }) == words.end());

  // The other policies are the standard library's own.
  on_host([&] { return std::for_each(std::execution::seq, a.begin(), a.end(), [](int &x) { x = 1; }), 0; });
  CHECK(std::accumulate(a.begin(), a.end(), 0L) == 5000);
  return pass();
}
