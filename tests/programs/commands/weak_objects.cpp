// Weak objects: they know if their object is gone, and give it back while it is there.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <atomic>
#include <map>
#include <thread>

#include "../check.hpp"

using sycl::ext::oneapi::owner_less;
using sycl::ext::oneapi::weak_object;

template <class Type> static bool lock_fails(const weak_object<Type> &weak) {
  try {
    weak.lock();
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::invalid;
  }
  return false;
}

// Two objects that `make` returns have different owners, copies the same one.
template <class Make> static void orders(const Make &make) {
  using type = decltype(make());
  const type a = make(), b = make(), copy = a;
  const weak_object<type> weak_a(a), weak_b(b), weak_copy(copy), empty;
  CHECK(weak_a.owner_before(weak_b) != weak_b.owner_before(weak_a));
  CHECK(weak_a.owner_before(weak_b) == a.ext_oneapi_owner_before(b));
  CHECK(weak_a.owner_before(b) == a.ext_oneapi_owner_before(weak_b));
  CHECK(!weak_a.owner_before(weak_copy) && !weak_copy.owner_before(a) && !a.ext_oneapi_owner_before(copy));
  CHECK(empty.owner_before(a) && !weak_a.owner_before(empty) && !empty.owner_before(weak_object<type>()));
  std::map<weak_object<type>, int, owner_less<type>> map{{weak_a, 1}, {weak_b, 2}};
  CHECK(map.size() == 2 && map[copy] == 1 && map[weak_b] == 2);
}

// The object lives as long as its copies and those that were locked.
template <class Make> static void expires(const Make &make) {
  using type = decltype(make());
  weak_object<type> weak, moved;
  CHECK(weak.expired() && !weak.try_lock() && lock_fails(weak));
  {
    std::optional<type> object(make());
    weak = *object;
    CHECK(!weak.expired() && weak.lock() == *object);
    const std::optional<type> locked = weak.try_lock();
    const type same = *object;
    object.reset();
    CHECK(locked && *locked == same && !weak.expired());
    moved = std::move(weak);
    weak = moved;
  }
  CHECK(weak.expired() && moved.expired() && !weak.try_lock() && lock_fails(weak));
  weak.reset();
  CHECK(weak.expired() && !weak_object<type>(weak).try_lock());
}

static void buffers(sycl::queue &queue) {
  int data[4] = {1, 2, 3, 4};
  weak_object<sycl::buffer<int>> weak;
  {
    sycl::buffer<int> buffer(data, sycl::range<1>(4));
    weak = buffer;
    queue.submit([&](sycl::handler &group) {
      sycl::buffer<int> locked = weak.lock();
      sycl::accessor accessor(locked, group, sycl::read_write);
      const weak_object<decltype(accessor)> other(accessor);
      CHECK(other.lock() == accessor);
      group.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { accessor[i] *= 10; });
    });
    CHECK_EQUAL(weak.lock().get_host_access()[3], 40);
    const sycl::buffer<int> part(buffer, sycl::id<1>(0), sycl::range<1>(2));
    CHECK(buffer.ext_oneapi_owner_before(part) != part.ext_oneapi_owner_before(buffer));
  }
  // A weak object does not delay the end of the buffer.
  CHECK(weak.expired());
  CHECK_EQUAL(data[3], 40);
}

static void accessors(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(4)};
  weak_object<sycl::host_accessor<int>> held;
  {
    const sycl::host_accessor<int> accessor(buffer);
    held = accessor;
    held.lock()[1] = 5;
    CHECK(accessor[1] == 5 && !held.expired());
  }
  CHECK(held.expired());
  // The hold has ended with the accessor.
  queue.submit([&](sycl::handler &group) {
         const sycl::local_accessor<int> first(sycl::range<1>(2), group), second(sycl::range<1>(2), group);
         CHECK(first.ext_oneapi_owner_before(second) && weak_object(first).lock() == first);
         const sycl::stream out(1024, 64, group), another(1024, 64, group);
         CHECK(out.ext_oneapi_owner_before(another) != another.ext_oneapi_owner_before(out));
         CHECK(weak_object(out).lock() == out);
         const sycl::accessor accessor(buffer, group, sycl::read_write);
         group.single_task([=] { accessor[1] += 1; });
       })
      .wait();
  CHECK_EQUAL(sycl::host_accessor(buffer)[1], 6);
}

static void events(sycl::queue &queue) {
  weak_object<sycl::event> weak;
  {
    sycl::queue own(queue.get_device());
    const sycl::event first = own.single_task([] {}), second = own.single_task(first, [] {});
    weak = second;
    CHECK(weak.lock() == second && weak.lock() != first);
    CHECK(weak.owner_before(first) != first.ext_oneapi_owner_before(weak));
    weak.lock().wait();
  }
  CHECK(weak.expired());
}

// An object that ends while others lock it is there as a whole, or gone.
static void threads() {
  for (int round = 0; round < 200; ++round) {
    std::optional<sycl::context> context(std::in_place);
    const weak_object<sycl::context> weak(*context);
    std::atomic<bool> started{false};
    std::thread other([&] {
      started = true;
      while (const auto locked = weak.try_lock())
        CHECK_EQUAL(locked->get_devices().size(), 1u);
    });
    while (!started)
      std::this_thread::yield();
    context.reset();
    other.join();
    CHECK(weak.expired());
  }
}

int main() {
  sycl::queue queue;
  orders([&] { return sycl::queue(queue.get_device()); });
  orders([] { return sycl::context(); });
  orders([] { return sycl::event(); });
  orders([] { return sycl::buffer<int>(sycl::range<1>(4)); });
  expires([&] { return sycl::queue(queue.get_device()); });
  expires([] { return sycl::context(); });
  expires([] { return sycl::buffer<float, 2>(sycl::range<2>(4, 2)); });
  buffers(queue);
  accessors(queue);
  events(queue);
  threads();
  return pass();
}
