// Where the contents of a buffer go when it is destroyed.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <deque>
#include <list>
#include <memory>
#include <vector>

constexpr int count = 100;

template <class Buffer> static void add(sycl::queue &queue, Buffer &buffer, int value) {
  queue.submit([&](sycl::handler &handler) {
    auto elements = buffer.template get_access<sycl::access::mode::read_write>(handler);
    handler.parallel_for(buffer.get_range(), [=](sycl::id<1> i) { elements[i] += value; });
  });
}

template <class Elements> static void check(const Elements &elements, int expected) {
  for (int element : elements)
    CHECK_EQUAL(element, expected);
}

static void memory(sycl::queue &queue) {
  std::vector<int> own(count, 1), other(count, 9);
  {
    sycl::buffer<int> buffer(own.data(), sycl::range<1>(count));
    add(queue, buffer, 2);
  }
  check(own, 3);
  {
    sycl::buffer<int> buffer(own.data(), sycl::range<1>(count), {sycl::property::buffer::use_host_ptr()});
    CHECK(buffer.has_property<sycl::property::buffer::use_host_ptr>());
    add(queue, buffer, 2);
    const sycl::host_accessor elements(buffer, sycl::read_only);
    CHECK(&elements[0] == own.data());
  }
  check(own, 5);
  {
    sycl::buffer<int> buffer(own);
    buffer.set_final_data(other.data());
    add(queue, buffer, 2);
  }
  check(own, 5);
  check(other, 7);
  {
    sycl::buffer<int> buffer(own);
    buffer.set_write_back(false);
    add(queue, buffer, 2);
  }
  {
    sycl::buffer<int> buffer(own);
    buffer.set_final_data();
    add(queue, buffer, 2);
  }
  {
    sycl::buffer<int> buffer(own);
    buffer.set_final_data(nullptr);
    add(queue, buffer, 2);
    const sycl::host_accessor elements(buffer, sycl::read_only);
    CHECK_EQUAL(elements[count - 1], 7);
  }
  check(own, 5);
}

static void constants(sycl::queue &queue) {
  const std::vector<int> own(count, 1);
  std::vector<int> other(count);
  {
    sycl::buffer<int> buffer(own.data(), sycl::range<1>(count)), same(own), third(own.begin(), own.end());
    add(queue, buffer, 2);
    add(queue, same, 3);
    add(queue, third, 4);
    third.set_final_data(other.begin());
    const sycl::host_accessor elements(buffer, sycl::read_only), others(same, sycl::read_only);
    CHECK_EQUAL(elements[5], 3);
    CHECK_EQUAL(others[5], 4);
  }
  check(own, 1);
  check(other, 5);
}

static void iterators(sycl::queue &queue) {
  std::list<int> list(count, 4);
  std::deque<int> output;
  {
    sycl::buffer<int, 1> buffer(list.begin(), list.end());
    CHECK_EQUAL(buffer.size(), std::size_t(count));
    buffer.set_final_data(std::back_inserter(output));
    add(queue, buffer, 3);
  }
  check(list, 4);
  CHECK_EQUAL(output.size(), std::size_t(count));
  check(output, 7);
  {
    sycl::buffer buffer(list.begin(), list.end());
    buffer.set_final_data(list.begin());
    add(queue, buffer, 1);
  }
  check(list, 5);
}

static void owners(sycl::queue &queue) {
  auto shared = std::shared_ptr<int>(new int[count], [](int *memory) { delete[] memory; });
  std::shared_ptr<int[]> array(new int[count]);
  for (int i = 0; i < count; ++i)
    shared.get()[i] = array[i] = 1;
  int *const first = shared.get();
  {
    sycl::buffer<int> buffer(shared, sycl::range<1>(count)), of_array(array, sycl::range<1>(count));
    add(queue, buffer, 1);
    add(queue, of_array, 2);
    std::weak_ptr<int> weak = shared;
    CHECK(shared.use_count() >= 2);
    buffer.set_final_data(weak);
    of_array.set_final_data(array);
  }
  CHECK_EQUAL(first[count - 1], 2);
  CHECK_EQUAL(array[count - 1], 3);
  {
    sycl::buffer<int> buffer{sycl::range<1>(count)};
    auto lost = std::shared_ptr<int>(new int[count], [](int *memory) { delete[] memory; });
    buffer.set_final_data(std::weak_ptr<int>(lost));
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor elements(buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(count, [=](sycl::id<1> i) { elements[i] = 1; });
    });
  }
}

static void nothing_written(sycl::queue &queue) {
  std::vector<int> own(count, 1);
  {
    sycl::buffer<int> buffer(own.data(), sycl::range<1>(count));
    int *result = sycl::malloc_shared<int>(1, queue);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor elements(buffer, handler, sycl::read_only);
      handler.single_task([=] { *result = elements[7]; });
    });
    queue.wait();
    CHECK_EQUAL(*result, 1);
    sycl::free(result, queue);
  }
  check(own, 1);
  sycl::buffer<int> unused(own), empty{sycl::range<1>(0)};
  CHECK_EQUAL(empty.size(), std::size_t(0));
}

static void mutex(sycl::queue &queue) {
  std::vector<int> own(count, 1);
  std::mutex lock;
  {
    sycl::buffer<int> buffer(own.data(), sycl::range<1>(count), {sycl::property::buffer::use_mutex(lock)});
    CHECK(buffer.get_property<sycl::property::buffer::use_mutex>().get_mutex_ptr() == &lock);
    add(queue, buffer, 1);
  }
  const std::lock_guard<std::mutex> held(lock);
  check(own, 2);
}

int main() {
  sycl::queue queue;
  memory(queue);
  constants(queue);
  iterators(queue);
  owners(queue);
  nothing_written(queue);
  mutex(queue);
  std::puts("PASS");
}
