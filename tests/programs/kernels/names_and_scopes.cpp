// Named and unnamed kernels, function objects, kernels in templates, namespaces, members and nested
// lambdas.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct add_function {
  int *out;
  int amount;
  void operator()(sycl::id<1> i) const { out[i] += amount; }
};

template <class T> class scale {
public:
  scale(T *data, T factor) : out(data), by(factor) {}
  void operator()(sycl::nd_item<1> item) const { apply(item.get_global_id(0)); }

private:
  void apply(std::size_t i) const { out[i] *= by; }
  T *out;
  T by;
};

template <class T> void templated(sycl::queue &queue, int *out, T amount) {
  queue.parallel_for(8, [=](auto i) { out[i] += static_cast<int>(amount); });
}

template <int Number> class named;
template <int Number> void numbered(sycl::queue &queue, int *out) {
  queue.parallel_for<named<Number>>(sycl::range<1>(8), [=](sycl::id<1> i) { out[i] += Number; });
}

namespace {
class hidden_name;
void in_anonymous_namespace(sycl::queue &queue, int *out) {
  queue.parallel_for<hidden_name>(sycl::range<1>(8), [=](sycl::id<1> i) { out[i] += 100; });
}
} // namespace

namespace outer::inner {
inline void in_inline_function(sycl::queue &queue, int *out) {
  queue.parallel_for(8, [=](int i) { out[i] += 1000; });
}
} // namespace outer::inner

class owner {
public:
  explicit owner(int value) : member(value) {}
  void run(sycl::queue &queue, int *out) const {
    queue.parallel_for(8, [=, self = *this](int i) { out[i] += self.member; });
  }

private:
  int member;
};

static int *make(sycl::queue &queue) {
  int *out = sycl::malloc_shared<int>(8, queue);
  queue.memset(out, 0, 8 * sizeof(int)).wait();
  return out;
}

int main() {
  sycl::queue queue;
  int *out = make(queue);
  int expected = 0;
  const auto check = [&](int amount) {
    queue.wait();
    expected += amount;
    for (int i = 0; i < 8; ++i)
      CHECK_EQUAL(out[i], expected);
  };
  queue.parallel_for(sycl::range<1>(8), add_function{out, 3});
  check(3);
  queue.parallel_for<class named_function>(sycl::range<1>(8), add_function{out, 4});
  check(4);
  queue.parallel_for(sycl::nd_range<1>(8, 4), scale<int>(out, 2));
  check(7);
  templated(queue, out, 5);
  templated(queue, out, 6.5);
  check(11);
  numbered<1>(queue, out);
  numbered<2>(queue, out);
  check(3);
  in_anonymous_namespace(queue, out);
  outer::inner::in_inline_function(queue, out);
  check(1100);
  owner(7).run(queue, out);
  check(7);
  struct local_name;
  queue.parallel_for<local_name>(sycl::range<1>(8), [=](sycl::id<1> i) {
    const auto helper = [=](int amount) { out[i] += amount; };
    helper(1);
    helper(2);
  });
  check(3);
  const auto kernel = [=](sycl::id<1> i) { out[i] += 1; };
  for (int i = 0; i < 3; ++i)
    queue.parallel_for(sycl::range<1>(8), kernel);
  check(3);
  sycl::free(out, queue);
  return pass();
}
