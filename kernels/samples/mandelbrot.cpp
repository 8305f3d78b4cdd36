// Draws a part of the Mandelbrot set: mandelbrot [OUTPUT.png [WIDTH HEIGHT]]
//
// One kernel over a two-dimensional range; each work-item computes one pixel. The host computes a sample of the pixels
// with the same function and compares them.
#include <sycl/sycl.hpp>

#include "png.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int iteration_limit = 1000;

struct colour {
  std::uint8_t red, green, blue;
};

// The part of the plane that the picture shows: the "seahorse valley".
struct view {
  std::uint32_t width, height;
  double centre_x = -0.74635, centre_y = 0.11427, extent = 0.0075; // extent: width of the picture

  double x(std::size_t column) const { return centre_x + (double(column) + 0.5 - width / 2.0) * (extent / width); }
  double y(std::size_t row) const { return centre_y - (double(row) + 0.5 - height / 2.0) * (extent / width); }
};

std::uint8_t channel(float phase, float brightness) {
  const float value = 0.5f + 0.5f * std::cos(6.2831853f * phase);
  return static_cast<std::uint8_t>(255.0f * brightness * value + 0.5f);
}

// Escape time, made continuous by how far the last step overshot, as a colour.
colour shade(int iterations, double magnitude) {
  if (iterations == iteration_limit)
    return {8, 6, 20};
  const float smooth = float(iterations) + 1.0f - std::log2(0.5f * std::log2(float(magnitude)));
  const float phase = 0.30f * std::log2(smooth + 1.0f) + 0.012f * std::sqrt(smooth);
  return {channel(phase + 0.55f, 1.0f), channel(phase + 0.68f, 0.92f), channel(phase + 0.85f, 0.96f)};
}

colour pixel(const view &picture, std::size_t column, std::size_t row) {
  const double x0 = picture.x(column), y0 = picture.y(row);
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

bool close(const colour &a, const colour &b) {
  return std::abs(a.red - b.red) <= 2 && std::abs(a.green - b.green) <= 2 && std::abs(a.blue - b.blue) <= 2;
}

// How many of the sampled pixels differ. At the set's edge rounding decides, and device code may fuse a
// multiplication and an addition, so that a few are allowed to.
std::size_t differences(const view &picture, const std::vector<colour> &image, std::size_t &samples) {
  std::size_t different = 0;
  samples = 0;
  for (std::size_t index = 0; index < image.size(); index += 1999) {
    ++samples;
    different += !close(image[index], pixel(picture, index % picture.width, index / picture.width));
  }
  return different;
}

} // namespace

int main(int argc, char **argv) {
  const char *output = argc > 1 ? argv[1] : "mandelbrot.png";
  view picture{1600, 1200};
  if (argc > 3) {
    picture.width = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
    picture.height = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  }

  sycl::queue queue;
  const std::size_t pixels = std::size_t(picture.width) * picture.height;
  std::vector<colour> image(pixels);
  colour *device_image = sycl::malloc_device<colour>(pixels, queue);

  const auto start = std::chrono::steady_clock::now();
  queue.parallel_for<class mandelbrot>(sycl::range<2>(picture.height, picture.width), [=](sycl::item<2> item) {
    device_image[item.get_linear_id()] = pixel(picture, item[1], item[0]);
  });
  queue.copy(device_image, image.data(), pixels).wait();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  sycl::free(device_image, queue);

  std::size_t samples = 0;
  const std::size_t different = differences(picture, image, samples);
  std::printf("device   %s\n", queue.get_device().get_info<sycl::info::device::name>().c_str());
  std::printf("picture  %u x %u, at most %d iterations a pixel\n", picture.width, picture.height, iteration_limit);
  std::printf("time     %.1f ms from submission to the pixels on the host, first launch included\n", elapsed.count());
  std::printf("check    %zu of %zu sampled pixels equal the host's\n", samples - different, samples);

  if (!png::write(output, picture.width, picture.height, &image.data()->red)) {
    std::fprintf(stderr, "mandelbrot: cannot write %s\n", output);
    return 1;
  }
  std::printf("written  %s\n", output);
  const bool pass = different * 50 <= samples;
  std::puts(pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
