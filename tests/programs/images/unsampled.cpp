// standards: c++17 c++20
// unsampled_image: constructors, queries, write-back, final data and accessors.
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

using sycl::access_mode;
using sycl::image_format;
using sycl::int2;
using sycl::int4;
constexpr image_format numbers = image_format::r32b32g32a32_sint;

// Adds one to all channels.
template <class Image> void increment(sycl::queue &queue, Image &image) {
  queue.submit([&](sycl::handler &group) {
    sycl::unsampled_image_accessor<int4, 2, access_mode::read_write> pixels(image, group);
    group.parallel_for(image.get_range(), [=](sycl::id<2> i) {
      const int2 at(static_cast<int>(i[0]), static_cast<int>(i[1]));
      pixels.write(at, pixels.read(at) + int4(1));
    });
  });
}

std::vector<int4> some_pixels(std::size_t count) {
  std::vector<int4> pixels(count);
  for (std::size_t i = 0; i < count; ++i)
    pixels[i] = int4(static_cast<int>(i), 2, 3, -static_cast<int>(i));
  return pixels;
}
void check_pixels(const std::vector<int4> &pixels, int added) {
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    CHECK_EQUAL(pixels[i][0], static_cast<int>(i) + added);
    CHECK_EQUAL(pixels[i][3], added - static_cast<int>(i));
  }
}

void check_write_back(sycl::queue &queue) {
  std::vector<int4> memory = some_pixels(15);
  {
    sycl::unsampled_image<2> image(memory.data(), numbers, {5, 3});
    CHECK(image.get_range() == sycl::range<2>(5, 3) && image.size() == 15 && image.byte_size() == 15 * 16);
    CHECK(image.get_pitch() == sycl::range<1>(80));
    increment(queue, image);
    increment(queue, image);
  }
  check_pixels(memory, 2);
  {
    sycl::unsampled_image<2> image(memory.data(), numbers, {5, 3}, sycl::image_allocator());
    image.set_final_data();
    increment(queue, image);
  }
  check_pixels(memory, 2);
  {
    sycl::unsampled_image<2> image(memory.data(), numbers, {5, 3});
    image.set_write_back(false);
    increment(queue, image);
  }
  check_pixels(memory, 2);
  std::vector<int4> other(15);
  {
    sycl::unsampled_image<2> image(memory.data(), numbers, {5, 3});
    image.set_final_data(other.data());
    increment(queue, image);
  }
  check_pixels(memory, 2);
  check_pixels(other, 3);
}

void check_owners(sycl::queue &queue) {
  std::shared_ptr<void> owner(new int4[15](), [](void *memory) { delete[] static_cast<int4 *>(memory); });
  auto *const pixels = static_cast<int4 *>(owner.get());
  {
    sycl::unsampled_image<2> image(owner, numbers, sycl::range<2>(5, 3));
    increment(queue, image);
  }
  CHECK_EQUAL(pixels[14][2], 1);
  {
    sycl::unsampled_image<2> image(owner, numbers, sycl::range<2>(5, 3), sycl::range<1>(80), sycl::image_allocator());
    std::weak_ptr<void> weak = owner;
    image.set_final_data(weak);
    increment(queue, image);
  }
  CHECK_EQUAL(pixels[14][2], 2);
  {
    sycl::unsampled_image<2> image(owner, numbers, sycl::range<2>(5, 3));
    increment(queue, image);
    std::weak_ptr<void> weak = owner;
    owner.reset(); // the image has the memory
    image.set_final_data(weak);
  }
  std::list<int4> taken;
  {
    const std::vector<int4> from = some_pixels(15);
    sycl::unsampled_image<2> image(numbers, sycl::range<2>(5, 3));
    {
      auto host = image.get_host_access<int4, access_mode::write>(sycl::property_list{sycl::no_init});
      CHECK(host.has_property<sycl::property::no_init>());
      for (int i = 0; i < 15; ++i)
        host.write(int2(i % 5, i / 5), from[static_cast<std::size_t>(i)]);
    }
    increment(queue, image);
    image.set_final_data(std::back_inserter(taken));
  }
  check_pixels(std::vector<int4>(taken.begin(), taken.end()), 1);
}

// Bytes between rows and planes are left alone.
void check_pitches(sycl::queue &queue) {
  std::vector<unsigned char> memory(3 * 4 * 24, 0x55);
  {
    sycl::unsampled_image<3> image(memory.data(), image_format::r8g8b8a8_uint, sycl::range<3>(5, 3, 3),
                                   sycl::range<2>(24, 96));
    CHECK(image.get_pitch() == sycl::range<2>(24, 96) && image.byte_size() == memory.size() && image.size() == 45);
    queue.submit([&](sycl::handler &group) {
      auto pixels = image.get_access<sycl::uint4, access_mode::write>(group);
      CHECK_EQUAL(pixels.size(), 45);
      group.parallel_for(image.get_range(), [=](sycl::id<3> i) {
        const sycl::uint4 value(static_cast<unsigned>(i[0]), static_cast<unsigned>(i[1]), static_cast<unsigned>(i[2]), 7);
        pixels.write(int4(static_cast<int>(i[0]), static_cast<int>(i[1]), static_cast<int>(i[2]), 0), value);
      });
    });
  }
  for (std::size_t z = 0; z < 3; ++z)
    for (std::size_t y = 0; y < 4; ++y)
      for (std::size_t x = 0; x < 6; ++x) {
        const unsigned char *const pixel = &memory[z * 96 + y * 24 + x * 4];
        const bool is_inside = x < 5 && y < 3;
        CHECK_EQUAL(pixel[0], is_inside ? x : 0x55);
        CHECK_EQUAL(pixel[1], is_inside ? y : 0x55);
        CHECK_EQUAL(pixel[2], is_inside ? z : 0x55);
        CHECK_EQUAL(pixel[3], is_inside ? 7 : 0x55);
      }
  sycl::unsampled_image<2> without_memory(numbers, {5, 3}, sycl::range<1>(96));
  CHECK_EQUAL(without_memory.byte_size(), 96 * 3);
}

// Outside of the image nothing is written, and the border is read.
void check_outside(sycl::queue &queue) {
  std::vector<int4> memory = some_pixels(15), read(4);
  {
    sycl::unsampled_image<2> image(memory.data(), numbers, {5, 3});
    sycl::buffer<int4> found(read.data(), sycl::range<1>(4));
    queue.submit([&](sycl::handler &group) {
      auto pixels = image.get_access<int4>(group);
      sycl::accessor out(found, group);
      group.single_task([=] {
        pixels.write(int2(5, 0), int4(99));
        pixels.write(int2(-1, 1), int4(99));
        pixels.write(int2(0, 3), int4(99));
        out[0] = pixels.read(int2(-1, 0));
        out[1] = pixels.read(int2(5, 2));
        out[2] = pixels.read(int2(0, -1));
        out[3] = pixels.read(int2(4, 2));
      });
    });
  }
  check_pixels(memory, 0);
  for (int i = 0; i < 3; ++i)
    CHECK(sycl::all(read[static_cast<std::size_t>(i)] == int4(0)));
  CHECK_EQUAL(read[3][0], 14);
}

void check_host_tasks(sycl::queue &queue) {
  std::vector<int4> memory = some_pixels(15);
  sycl::unsampled_image<2> image(memory.data(), numbers, {5, 3});
  increment(queue, image);
  queue.submit([&](sycl::handler &group) {
    sycl::unsampled_image_accessor<int4, 2, access_mode::read_write, sycl::image_target::host_task> pixels(image, group);
    group.host_task([=] {
      for (int i = 0; i < 15; ++i)
        pixels.write(int2(i % 5, i / 5), pixels.read(int2(i % 5, i / 5)) * int4(2));
    });
  });
  increment(queue, image);
  sycl::host_unsampled_image_accessor<int4, 2, access_mode::read> host(image);
  for (int i = 0; i < 15; ++i)
    CHECK_EQUAL(host.read(int2(i % 5, i / 5))[0], 2 * (i + 1) + 1);
}

void check_properties(sycl::queue &queue) {
  std::mutex mutex;
  std::vector<int4> memory = some_pixels(15);
  {
    sycl::unsampled_image<2> image(memory.data(), numbers, {5, 3},
                                   {sycl::property::image::use_host_ptr(), sycl::property::image::use_mutex(mutex),
                                    sycl::property::image::context_bound(queue.get_context())});
    CHECK(image.has_property<sycl::property::image::use_host_ptr>());
    CHECK(image.get_property<sycl::property::image::use_mutex>().get_mutex_ptr() == &mutex);
    CHECK(image.get_property<sycl::property::image::context_bound>().get_context() == queue.get_context());
    increment(queue, image);
  }
  const std::lock_guard<std::mutex> lock(mutex);
  check_pixels(memory, 1);
  static_assert(sycl::is_property_of_v<sycl::property::image::use_mutex, sycl::unsampled_image<3>>);
  static_assert(sycl::is_property_of_v<sycl::property::image::use_host_ptr, sycl::sampled_image<>>);
  static_assert(!sycl::is_property_of_v<sycl::property::buffer::use_mutex, sycl::sampled_image<>>);
  static_assert(sycl::is_property_of_v<sycl::property::no_init, sycl::host_unsampled_image_accessor<int4>>);
}

void check_references(sycl::queue &queue) {
  sycl::unsampled_image<2> image(numbers, {2, 2}), other(numbers, {2, 2});
  const sycl::unsampled_image<2> copy(image);
  CHECK(copy == image && !(copy != image) && image != other);
  CHECK(std::hash<sycl::unsampled_image<2>>()(copy) == std::hash<sycl::unsampled_image<2>>()(image));
  using reader = sycl::host_unsampled_image_accessor<const int4, 2>;
  static_assert(std::is_same_v<reader::value_type, const int4>);
  static_assert(std::is_same_v<sycl::host_unsampled_image_accessor<int4, 2>::value_type, int4>);
  image.get_host_access<int4>().write(int2(1, 1), int4(5));
  {
    const sycl::host_unsampled_image_accessor<int4, 2, access_mode::read> first(image);
    const reader second(first), third = first;
    CHECK(second == third && second != reader(other));
    CHECK_EQUAL(second.read(int2(1, 1))[0], 5);
  }
  queue.submit([&](sycl::handler &group) {
    sycl::unsampled_image_accessor<int4, 2, access_mode::read> pixels(image, group);
    const sycl::unsampled_image_accessor<const int4, 2, access_mode::read> same(pixels);
    auto result = other.get_access<int4, access_mode::write>(group);
    group.single_task([=] { result.write(int2(0, 0), same.read(int2(1, 1)) + pixels.read(int2(1, 1))); });
  });
  CHECK_EQUAL(other.get_host_access<const int4>().read(int2(0, 0))[1], 10);
}

template <class Function> void check_refused(sycl::errc code, Function function) {
  try {
    function();
  } catch (const sycl::exception &error) {
    CHECK(error.code() == code);
    return;
  }
  CHECK(!"refused");
}

void check_errors(sycl::queue &queue) {
  check_refused(sycl::errc::invalid, [] { sycl::unsampled_image<2> image(numbers, {0, 3}); });
  check_refused(sycl::errc::invalid, [] { sycl::unsampled_image<2> image(numbers, {5, 3}, sycl::range<1>(79)); });
  check_refused(sycl::errc::invalid, [] { sycl::unsampled_image<1> image(numbers, sycl::range<1>(std::size_t(1) << 31)); });
  sycl::unsampled_image<2> image(numbers, {5, 3});
  check_refused(sycl::errc::invalid, [&] { image.get_host_access<sycl::float4>(); });
  check_refused(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler &group) { image.get_access<sycl::uint4, access_mode::read>(group); });
  });
  check_refused(sycl::errc::invalid, [&] { image.get_host_access<const int4>(sycl::property_list{sycl::no_init}); });
}

int main() {
  sycl::queue queue;
  check_write_back(queue);
  check_owners(queue);
  check_pitches(queue);
  check_outside(queue);
  check_host_tasks(queue);
  check_properties(queue);
  check_references(queue);
  check_errors(queue);
  return pass();
}
