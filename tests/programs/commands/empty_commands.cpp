// A command of size 0 waits for its dependencies, and so does a wait for the queue or for an empty
// command group.
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

constexpr std::size_t size = 1 << 18;

struct heavy {
  double *data;
  void operator()(sycl::id<1> i) const {
    double x = static_cast<double>(i[0]);
    for (int k = 0; k < 1000; ++k)
      x = x * 1.0000001 + 1e-9;
    data[i] = x;
  }
};

bool is_complete(const sycl::event &event) {
  return event.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete;
}

template <class Submit> void check(double *data, const Submit &submit) {
  sycl::queue first, second;
  const sycl::event running = first.parallel_for(size, heavy{data});
  submit(second, running).wait();
  CHECK(is_complete(running));
  const sycl::event again = first.parallel_for(size, heavy{data});
  submit(second, again);
  second.wait();
  CHECK(is_complete(again));
}

} // namespace

int main() {
  sycl::queue queue;
  double *data = sycl::malloc_shared<double>(size, queue);
  check(data, [=](sycl::queue &other, sycl::event running) {
    return other.parallel_for(sycl::range<1>(0), running, heavy{data});
  });
  check(data, [=](sycl::queue &other, sycl::event running) {
    return other.parallel_for(sycl::nd_range<2>({0, 8}, {4, 4}), running, [=](sycl::nd_item<2>) { data[0] = 0; });
  });
  check(data, [=](sycl::queue &other, sycl::event running) { return other.memcpy(data, data, 0, running); });
  check(data, [=](sycl::queue &other, sycl::event running) { return other.memset(data, 0, 0, running); });
  check(data, [=](sycl::queue &other, sycl::event running) { return other.fill(data, 1.0, 0, running); });
  check(data, [=](sycl::queue &other, sycl::event running) { return other.prefetch(data, 8, running); });
  check(data, [=](sycl::queue &other, sycl::event running) { return other.mem_advise(data, 8, 0, {running}); });
  check(data, [=](sycl::queue &other, sycl::event running) {
    return other.submit([&](sycl::handler &group) { group.depends_on(running); });
  });
  sycl::free(data, queue);
  return pass();
}
