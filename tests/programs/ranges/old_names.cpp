// Names of SYCL 1.2.1 that SYCL 2020 removed.
#include <CL/sycl.hpp>

#include "../check.hpp"

int main() {
  using namespace cl::sycl;
  vector_class<int> numbers(4, 1);
  const string_class text = "text";
  const function_class<int, int> twice = [](int value) { return 2 * value; };
  mutex_class mutex;
  mutex.lock();
  unique_ptr_class<int> owned(new int(3));
  shared_ptr_class<int> shared = std::make_shared<int>(4);
  weak_ptr_class<int> weak = shared;
  vector_class<exception_ptr_class> errors;
  mutex.unlock();
  CHECK_EQUAL(numbers[3] + twice(*owned) + *weak.lock(), 11);
  CHECK_EQUAL(hash_class<string_class>()(text), std::hash<std::string>()("text"));

  queue queue([&](exception_list list) { errors.assign(list.begin(), list.end()); });
  int caught = 0;
  try {
    queue.parallel_for(nd_range<1>(5, 2), [=](nd_item<1>) {}).wait();
  } catch (const nd_range_error &error) {
    caught = error.code() == sycl::errc::nd_range;
  }
  CHECK_EQUAL(caught, 1);

  cl_float4 *out = malloc_shared<cl_float4>(1, queue);
  queue.single_task([=] { *out = cl_float4(1.5f) + cl_int4(2).convert<cl_float>(); }).wait();
  CHECK_EQUAL(out->w(), 3.5f);
  sycl::free(out, queue);
  return pass();
}
