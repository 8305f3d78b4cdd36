// levels: 0 2
// Every type and order of channels: kernels and the host write and read what the formulas of the
// standard give.
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

using order = sycl::image_channel_order;
using type = sycl::image_channel_type;

// Channels that an order stores, as letters.
const char *letters_of(order channels) {
  switch (channels) {
  case order::a: return "a";
  case order::r:
  case order::rx: return "r";
  case order::rg:
  case order::rgx: return "rg";
  case order::ra: return "ra";
  case order::rgb:
  case order::rgbx: return "rgb";
  case order::rgba: return "rgba";
  case order::argb: return "argb";
  case order::bgra: return "bgra";
  case order::abgr: return "abgr";
  case order::intensity: return "I";
  case order::luminance: return "L";
  }
  return "";
}

// Red, green, blue and alpha of stored channels.
void expected_colour(const char *letters, const double *stored, double *colour) {
  colour[0] = colour[1] = colour[2] = 0;
  colour[3] = 1;
  for (int i = 0; letters[i]; ++i)
    switch (letters[i]) {
    case 'r': colour[0] = stored[i]; break;
    case 'g': colour[1] = stored[i]; break;
    case 'b': colour[2] = stored[i]; break;
    case 'a': colour[3] = stored[i]; break;
    case 'I': colour[0] = colour[1] = colour[2] = colour[3] = stored[i]; break;
    case 'L': colour[0] = colour[1] = colour[2] = stored[i]; break;
    }
  if (std::strcmp(letters, "a") == 0)
    colour[0] = colour[1] = colour[2] = 0;
}

double clamped(double value, double low, double high) {
  return value != value ? 0 : value < low ? low : value > high ? high : value;
}

// The nearest number of steps, of which `largest` make one.
double steps(double value, float least, float largest) {
  const double scaled = static_cast<double>(static_cast<float>(value) * largest);
  return std::nearbyint(clamped(scaled, static_cast<double>(least), static_cast<double>(largest)));
}

// The value that a channel keeps of a number.
double kept(type stored, double value, char letter) {
  switch (stored) {
  case type::snorm_int8: return std::fmax(-1.0, steps(value, -128, 127) / 127);
  case type::snorm_int16: return std::fmax(-1.0, steps(value, -32768, 32767) / 32767);
  case type::unorm_int8: return steps(value, 0, 255) / 255;
  case type::unorm_int16: return steps(value, 0, 65535) / 65535;
  case type::unorm_short_565:
    return letter == 'g' ? steps(value, 0, 63) / 63 : steps(value, 0, 31) / 31;
  case type::unorm_short_555: return steps(value, 0, 31) / 31;
  case type::unorm_int_101010: return steps(value, 0, 1023) / 1023;
  case type::signed_int8: return clamped(value, -128, 127);
  case type::signed_int16: return clamped(value, -32768, 32767);
  case type::signed_int32: return value;
  case type::unsigned_int8: return clamped(value, 0, 255);
  case type::unsigned_int16: return clamped(value, 0, 65535);
  case type::unsigned_int32: return value;
  case type::fp16: return static_cast<double>(static_cast<float>(sycl::half(static_cast<float>(value))));
  case type::fp32: return static_cast<double>(static_cast<float>(value));
  }
  return 0;
}

std::size_t size_of(order channels, type stored) {
  const std::size_t count = std::strlen(letters_of(channels));
  switch (stored) {
  case type::snorm_int8:
  case type::unorm_int8:
  case type::signed_int8:
  case type::unsigned_int8: return count;
  case type::unorm_short_565:
  case type::unorm_short_555: return 2;
  case type::unorm_int_101010: return 4;
  case type::signed_int32:
  case type::unsigned_int32:
  case type::fp32: return 4 * count;
  default: return 2 * count;
  }
}

template <class Data> void check_pixels(const std::vector<Data> &read, const std::vector<Data> &written, order channels, type stored) {
  const char *const letters = letters_of(channels);
  for (std::size_t i = 0; i < read.size(); ++i) {
    double kept_channels[4] = {}, colour[4];
    for (int k = 0; letters[k]; ++k) {
      const char letter = letters[k];
      const int component = letter == 'g' ? 1 : letter == 'b' ? 2 : letter == 'a' ? 3 : 0;
      kept_channels[k] = kept(stored, static_cast<double>(written[i][component]), letter);
    }
    expected_colour(letters, kept_channels, colour);
    for (int c = 0; c < 4; ++c) {
      using element = typename Data::element_type;
      const element wanted = static_cast<element>(colour[c]);
      if (!(read[i][c] == wanted)) {
        std::printf("order %u, type %u, pixel %zu, component %d: %.9g, not %.9g\n", static_cast<unsigned>(channels),
                    static_cast<unsigned>(stored), i, c, static_cast<double>(read[i][c]), static_cast<double>(wanted));
        std::exit(1);
      }
    }
  }
}

template <class Data> void check(sycl::queue &queue, order channels, type stored, const std::vector<Data> &values) {
  const int count = static_cast<int>(values.size());
  std::vector<Data> read(values.size());
  std::vector<unsigned char> memory(values.size() * size_of(channels, stored));
  {
    sycl::image<1> image(memory.data(), channels, stored, sycl::range<1>(values.size()));
    CHECK(image.byte_size() == memory.size() && image.get_size() == memory.size() && image.get_count() == values.size());
    sycl::buffer<Data> source(values), destination(read.data(), sycl::range<1>(read.size()));
    queue.submit([&](sycl::handler &group) {
      auto out = image.get_access<Data, sycl::access_mode::write>(group);
      sycl::accessor in(source, group, sycl::read_only);
      group.parallel_for(sycl::range<1>(values.size()), [=](sycl::id<1> i) { out.write(static_cast<int>(i[0]), in[i]); });
    });
    queue.submit([&](sycl::handler &group) {
      auto in = image.get_access<Data, sycl::access_mode::read>(group);
      sycl::accessor out(destination, group, sycl::write_only);
      group.parallel_for(sycl::range<1>(values.size()), [=](sycl::id<1> i) { out[i] = in.read(static_cast<int>(i[0])); });
    });
  }
  check_pixels(read, values, channels, stored);

  // The host reads what the kernel wrote, and writes the same.
  sycl::image<1> image(memory.data(), channels, stored, sycl::range<1>(values.size()));
  {
    auto host = image.get_access<Data, sycl::access_mode::read_write>();
    for (int i = 0; i < count; ++i)
      read[static_cast<std::size_t>(i)] = host.read(i);
    check_pixels(read, values, channels, stored);
    for (int i = 0; i < count; ++i)
      host.write(count - 1 - i, values[static_cast<std::size_t>(i)]);
    for (int i = 0; i < count; ++i)
      read[static_cast<std::size_t>(i)] = host.read(count - 1 - i);
    check_pixels(read, values, channels, stored);
  }
}

std::vector<sycl::float4> real_values() {
  std::vector<sycl::float4> values;
  for (int i = 0; i < 300; ++i) {
    const float x = static_cast<float>(i);
    values.push_back({x / 255.0f, (x - 150.0f) / 127.0f, 1.0f / (1.0f + x), -0.3f + x / 200.0f});
  }
  values.push_back({std::nanf(""), HUGE_VALF, -HUGE_VALF, 70000.0f});
  values.back() = {2.0f, HUGE_VALF, -HUGE_VALF, 60000.0f};
  return values;
}

// Formats that are given by bits.
void check_bits() {
  const std::uint16_t of_565[] = {0xf800, 0x07e0, 0x001f, 0x0821}, of_555[] = {0x7c00, 0x03e0, 0x001f, 0x8421};
  const std::uint32_t of_101010[] = {0x3ff00000, 0x000ffc00, 0x000003ff, 0xc0100401};
  const float scales[3][3] = {{31, 63, 31}, {31, 31, 31}, {1023, 1023, 1023}};
  const void *const memory[] = {of_565, of_555, of_101010};
  const type types[] = {type::unorm_short_565, type::unorm_short_555, type::unorm_int_101010};
  for (int k = 0; k < 3; ++k) {
    sycl::image<1> image(memory[k], order::rgb, types[k], sycl::range<1>(4));
    auto host = image.get_access<sycl::float4, sycl::access_mode::read>();
    for (int i = 0; i < 4; ++i) {
      const sycl::float4 pixel = host.read(i);
      for (int c = 0; c < 3; ++c)
        CHECK_EQUAL(pixel[c], i < 3 ? (i == c ? 1.0f : 0.0f) : 1.0f / scales[k][c]);
      CHECK_EQUAL(pixel[3], 1.0f);
    }
  }
}

// Every code of a normalised channel is the quotient, rounded to nearest.
void check_quotients() {
  std::vector<std::uint16_t> codes(65536);
  for (std::size_t i = 0; i < codes.size(); ++i)
    codes[i] = static_cast<std::uint16_t>(i);
  sycl::image<1> wide(codes.data(), order::r, type::unorm_int16, sycl::range<1>(codes.size()));
  auto plain = wide.get_access<sycl::float4, sycl::access_mode::read>();
  for (int i = 0; i < 65536; ++i)
    CHECK_EQUAL(plain.read(i)[0], static_cast<float>(i / 65535.0));
  sycl::image<1> with_sign(static_cast<const void *>(codes.data()), order::r, type::snorm_int16, sycl::range<1>(codes.size()));
  auto fractions = with_sign.get_access<sycl::float4, sycl::access_mode::read>();
  for (int i = 0; i < 65536; ++i)
    CHECK_EQUAL(fractions.read(i)[0], static_cast<float>(std::fmax(-1.0, static_cast<std::int16_t>(i) / 32767.0)));
}

void check_unaligned() {
  alignas(16) unsigned char memory[65] = {};
  const float values[4] = {1.5f, -2.0f, 3.25f, 4.0f};
  std::memcpy(memory + 1, values, sizeof(values));
  sycl::image<1> image(memory + 1, order::rgba, type::fp32, sycl::range<1>(4));
  auto host = image.get_access<sycl::float4, sycl::access_mode::read_write>();
  for (int c = 0; c < 4; ++c)
    CHECK_EQUAL(host.read(0)[c], values[c]);
  host.write(3, host.read(0));
  CHECK(std::memcmp(memory + 49, values, sizeof(values)) == 0);
}

int main() {
  sycl::queue queue;
  CHECK(queue.get_device().has(sycl::aspect::image));
  const std::vector<sycl::float4> reals = real_values();
  for (type stored : {type::snorm_int8, type::snorm_int16, type::unorm_int8, type::unorm_int16, type::fp16, type::fp32})
    check(queue, order::rgba, stored, reals);
  for (type stored : {type::unorm_short_565, type::unorm_short_555, type::unorm_int_101010})
    check(queue, order::rgbx, stored, reals);
  for (order channels : {order::a, order::r, order::rx, order::rg, order::rgx, order::ra, order::rgb, order::rgbx,
                         order::argb, order::bgra, order::abgr, order::intensity, order::luminance})
    check(queue, channels, type::unorm_int16, reals);

  std::vector<sycl::int4> numbers;
  std::vector<sycl::uint4> naturals;
  for (int i = -200; i < 200; ++i) {
    numbers.push_back({i, i * 300, i * 10000000, -i});
    naturals.push_back({static_cast<unsigned>(i + 200), static_cast<unsigned>(i + 200) * 300u,
                        static_cast<unsigned>(i + 200) * 10000000u, 4294967295u});
  }
  for (type stored : {type::signed_int8, type::signed_int16, type::signed_int32})
    check(queue, order::rgba, stored, numbers);
  for (type stored : {type::unsigned_int8, type::unsigned_int16, type::unsigned_int32})
    check(queue, order::rg, stored, naturals);

  std::vector<sycl::half4> halves;
  for (int i = 0; i < 64; ++i)
    halves.push_back({sycl::half(i / 64.0f), sycl::half(1.0f - i / 64.0f), sycl::half(0.25f), sycl::half(1.0f)});
  check(queue, order::rgba, type::fp16, halves);

  check_bits();
  check_quotients();
  check_unaligned();
  return pass();
}
