// <sycl/sycl.hpp> includes the parts of the standard library that programs for other
// implementations use without including them.
// standards: c++17 c++20
#include <sycl/sycl.hpp>

int main() {
  const auto start = std::chrono::steady_clock::now();
  std::array<int, 3> numbers = {3, 1, 2};
  std::iota(numbers.rbegin(), numbers.rend(), 1);
  std::sort(numbers.begin(), numbers.end());
  const std::complex<float> unit(0, 1);
  assert(std::is_sorted(numbers.begin(), numbers.end()));
  const std::string text = std::to_string(numbers[0]);
  const std::function<double(double)> root = [](double x) { return std::sqrt(x); };
  const auto owner = std::make_unique<std::string>(text);
  std::optional<std::tuple<int, float>> pair(std::make_tuple(INT_MAX, FLT_MAX));
  std::variant<int, std::vector<int>> either(1);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  char bytes[8];
  std::memset(bytes, 0, sizeof(bytes));
  if (root(4.0) != 2.0 || *owner != "1" || !pair || either.index() != 0 || taken.count() < 0 ||
      unit * unit != -1.0f)
    std::exit(1);
  std::cout << "PASS" << std::endl;
  std::printf("%d\n", std::numeric_limits<int>::digits);
}
