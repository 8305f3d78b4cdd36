// Draws a part of the Mandelbrot set: mandelbrot [OUTPUT.png [WIDTH HEIGHT]]
//
// One kernel over a two-dimensional range; each work-item computes one pixel, the mean of four
// points in it. The host computes a sample of the pixels with the same function and compares them.
#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

#include "png.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Near the edge of the set, rounding decides whether a point escapes. Device code may fuse a
// multiplication and an addition, which rounds once instead of twice; host code for older CPUs
// cannot. Without fusing, both get the same result for each point.
#pragma clang fp contract(off)

namespace {

constexpr int iteration_limit = 1000;

struct colour {
  std::uint8_t red, green, blue;
};

// A colour before rounding; channels are from 0 to 1.
struct tint {
  float red, green, blue;
};

// The part of the plane that the picture shows: the "seahorse valley".
struct view {
  std::uint32_t width, height;
  double centre_x = -0.74635, centre_y = 0.11427, extent = 0.0075; // extent: width of the picture

  double x(double column) const { return centre_x + (column - width / 2.0) * (extent / width); }
  double y(double row) const { return centre_y - (row - height / 2.0) * (extent / width); }
};

float channel(float phase, float brightness) { return brightness * (0.5f + 0.5f * std::cos(6.2831853f * phase)); }

// Escape time, made continuous by how far the last step overshot, as a colour.
tint shade(int iterations, double magnitude) {
  if (iterations == iteration_limit)
    return {0.03f, 0.02f, 0.08f};
  const float smooth = float(iterations) + 1.0f - std::log2(0.5f * std::log2(float(magnitude)));
  const float phase = 0.30f * std::log2(smooth + 1.0f) + 0.012f * std::sqrt(smooth);
  return {channel(phase + 0.55f, 1.0f), channel(phase + 0.68f, 0.92f), channel(phase + 0.85f, 0.96f)};
}

tint point(double x0, double y0) {
  double x = 0, y = 0, xx = 0, yy = 0;
  int iterations = 0;
  // Leaving the circle of radius 256 instead of 2 makes the colours continuous.
  while (iterations < iteration_limit && xx + yy <= 65536.0) {
    y = 2 * x * y + y0;
    x = xx - yy + x0;
    xx = x * x;
    yy = y * y;
    ++iterations;
  }
  return shade(iterations, xx + yy);
}

std::uint8_t rounded(float sum) { return static_cast<std::uint8_t>(255.0f * 0.25f * sum + 0.5f); }

// Four points per pixel keep details finer than a pixel from flickering.
colour pixel(const view &picture, std::size_t column, std::size_t row) {
  tint sum{0, 0, 0};
  for (int part = 0; part < 4; ++part) {
    const double right = part % 2 == 0 ? 0.25 : 0.75, down = part / 2 == 0 ? 0.25 : 0.75;
    const tint one = point(picture.x(double(column) + right), picture.y(double(row) + down));
    sum = {sum.red + one.red, sum.green + one.green, sum.blue + one.blue};
  }
  return {rounded(sum.red), rounded(sum.green), rounded(sum.blue)};
}

// Logarithms and cosines of devices differ in the last bits, which may round to the next of 256
// steps.
bool close(const colour &a, const colour &b) {
  return std::abs(a.red - b.red) <= 1 && std::abs(a.green - b.green) <= 1 && std::abs(a.blue - b.blue) <= 1;
}

// Number of sampled pixels that differ.
std::size_t differences(const view &picture, const std::vector<colour> &image, std::size_t &samples) {
  std::size_t different = 0;
  samples = 0;
  for (std::size_t index = 0; index < image.size(); index += 97) {
    ++samples;
    different += !close(image[index], pixel(picture, index % picture.width, index / picture.width));
  }
  return different;
}

} // namespace

int main(int argc, char **argv) {
  const char *output = argc > 1 ? argv[1] : "mandelbrot.png";
  view picture{640, 480};
  if (argc > 3) {
    picture.width = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
    picture.height = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  }

  sycl::queue queue;
  const std::size_t pixels = std::size_t(picture.width) * picture.height;
  std::vector<colour> image(pixels);
  colour *device_image = sycl::malloc_device<colour>(pixels, queue);

  const auto draw = [=](sycl::item<2> item) {
    device_image[item[0] * picture.width + item[1]] = pixel(picture, item[1], item[0]);
  };
  // The launch for one pixel measures the time until the code is ready: compiled, or read from the
  // cache.
  const auto start = std::chrono::steady_clock::now();
  queue.parallel_for<class mandelbrot>(sycl::range<2>(1, 1), draw).wait();
  const auto drawn_one = std::chrono::steady_clock::now();
  sinter::wait_for_jit();
  const auto next = std::chrono::steady_clock::now();
  queue.parallel_for<class mandelbrot>(sycl::range<2>(picture.height, picture.width), draw);
  queue.copy(device_image, image.data(), pixels).wait();
  const std::chrono::duration<double, std::milli> first = drawn_one - start,
                                                  all = std::chrono::steady_clock::now() - next;
  sycl::free(device_image, queue);

  std::size_t samples = 0;
  const std::size_t different = differences(picture, image, samples);
  std::printf("device   %s\n", queue.get_device().get_info<sycl::info::device::name>().c_str());
  std::printf("picture  %u x %u, 4 points a pixel, at most %d iterations a point\n", picture.width, picture.height,
              iteration_limit);
  std::printf("first    %.3f ms for the first launch, of one pixel\n", first.count());
  std::printf("time     %.1f ms from the next launch to the pixels on the host\n", all.count());
  std::printf("check    %zu of %zu sampled pixels are the host's, to one step of 256 a channel\n", samples - different,
              samples);

  if (!png::write(output, picture.width, picture.height, &image.data()->red)) {
    std::fprintf(stderr, "mandelbrot: cannot write %s\n", output);
    return 1;
  }
  std::printf("written  %s\n", output);
  const bool pass = different == 0;
  std::puts(pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
