// CUDA's native handles, imported and exported; other devices throw an exception.
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

constexpr sycl::backend cuda = sycl::backend::ext_oneapi_cuda;
static_assert(cuda == sycl::backend::cuda);
static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::queue>, CUstream_st *>);

template <class F> sycl::errc error_of(const F &function) {
  try {
    function();
  } catch (const sycl::exception &error) {
    CHECK(error.what()[0] != '\0');
    return static_cast<sycl::errc>(error.code().value());
  }
  return sycl::errc::success;
}

// The memory that an accessor of a host task leads to.
sycl::errc error_of_memory(sycl::queue &queue) {
  sycl::buffer<int> values(8);
  static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::buffer<int>>, unsigned long long>);
  sycl::errc found = sycl::errc::success;
  queue.submit([&](sycl::handler &group) {
    sycl::accessor part(values, group, sycl::write_only, sycl::no_init);
    group.host_task([=, &found](const sycl::interop_handle &handle) {
      found = error_of([&] {
        CHECK(handle.get_native_mem<cuda>(part) == reinterpret_cast<std::uintptr_t>(&part[0]));
      });
    });
  }).wait();
  return found;
}

void check_without(sycl::queue &queue) {
  CHECK(error_of_memory(queue) == sycl::errc::backend_mismatch);
  CHECK(error_of([&] { sycl::get_native<cuda>(queue); }) == sycl::errc::backend_mismatch);
  CHECK(error_of([&] { sycl::get_native<cuda>(queue.get_device()); }) == sycl::errc::backend_mismatch);
  CHECK(error_of([&] { sycl::get_native<cuda>(queue.get_context()); }) == sycl::errc::backend_mismatch);
  CHECK(error_of([&] { sycl::make_queue<cuda>(nullptr, queue.get_context()); }) == sycl::errc::backend_mismatch);
  CHECK(error_of([&] { sycl::make_device<cuda>(1 << 20); }) == sycl::errc::invalid);
}

// Two queues on one stream: their commands run in order without a dependency.
void check_with(sycl::queue &queue) {
  CHECK(error_of_memory(queue) == sycl::errc::success);
  constexpr int size = 100000;
  CHECK(sycl::make_device<cuda>(sycl::get_native<cuda>(queue.get_device())) == queue.get_device());
  const auto context = sycl::get_native<cuda>(queue.get_context());
  CHECK(context != nullptr && sycl::get_native<cuda>(sycl::make_context<cuda>(context)) == context);
  const auto stream = sycl::get_native<cuda>(queue);
  CHECK(stream != nullptr);
  sycl::queue same = sycl::make_queue<cuda>(stream, queue.get_context(), queue.get_device());
  CHECK(sycl::get_native<cuda>(same) == stream && same.get_device() == queue.get_device() && same != queue);
  int *data = sycl::malloc_shared<int>(size, queue);
  queue.fill(data, 1, size);
  for (int round = 0; round < 10; ++round)
    (round % 2 == 0 ? same : queue).parallel_for(size, [=](int i) { data[i] = data[i] * 2 + round; });
  same.wait();
  queue.wait();
  int expected = 1;
  for (int round = 0; round < 10; ++round)
    expected = expected * 2 + round;
  for (int i = 0; i < size; ++i)
    CHECK_EQUAL(data[i], expected);
  sycl::free(data, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  if (queue.get_backend() == cuda)
    check_with(queue);
  else
    check_without(queue);
  return pass();
}
