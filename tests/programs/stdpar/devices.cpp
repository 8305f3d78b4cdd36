// Each thread has its own device.
// options: --stdpar -pthread
// memory: auto shared
#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>

#include <sinter/stdpar.h>

#include "offloaded.hpp"

// The device of the calling thread, whose memory for intermediate results it is.
static std::uint32_t device_of_thread() {
  void *memory = nullptr;
  sinter_pointer_info info{};
  info.struct_size = sizeof info;
  CHECK(sinter_stdpar_scratch(64, 0, &memory) == SINTER_SUCCESS);
  CHECK(sinter_pointer_get_info(memory, &info) == SINTER_SUCCESS && info.kind == SINTER_MEMORY_SHARED);
  CHECK(sinter_stdpar_scratch_release(memory) == SINTER_SUCCESS);
  return info.device;
}

static void run() {
  std::vector<int> numbers(20000);
  std::iota(numbers.begin(), numbers.end(), 0);
  on_device([&] {
    return std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), [](int &x) { x *= 3; }), 0;
  });
  CHECK(on_device([&] { return std::reduce(std::execution::par, numbers.begin(), numbers.end(), 0L); }) ==
        3L * 19999 * 10000);
}

struct choice {
  std::uint32_t device, memory;
};

// All devices, with those whose memory they have: where the CPU of the host can be divided, halves
// of it too.
static std::vector<choice> choices() {
  std::uint32_t count = 0, half = 0;
  CHECK(sinter_device_count(&count) == SINTER_SUCCESS && count != 0);
  std::vector<choice> all;
  for (std::uint32_t device = 0; device != count; ++device) {
    all.push_back({device, device});
    for (std::uint32_t first = 0; first != 2; ++first)
      if (sinter_device_divide(device, first, 1, 1, &half) == SINTER_SUCCESS)
        all.push_back({half, device});
  }
  return all;
}

int main() {
  const std::uint32_t usual = device_of_thread();
  run();
  int chosen = 0;
  for (const auto [device, memory] : choices()) {
    const std::int32_t number = static_cast<std::int32_t>(device);
    std::uint32_t found = 0, beside = 0;
    sinter_status status = SINTER_SUCCESS;
    std::thread choosing([&] {
      status = sinter_stdpar_set_device(number);
      if (status != SINTER_SUCCESS)
        return;
      found = device_of_thread();
      run();
      // The usual one again.
      CHECK(sinter_stdpar_set_device(-1) == SINTER_SUCCESS && device_of_thread() == usual);
      run();
      CHECK(sinter_stdpar_set_device(number) == SINTER_SUCCESS);
    });
    std::thread other([&] {
      beside = device_of_thread();
      run();
    });
    choosing.join();
    other.join();
    CHECK(beside == usual && device_of_thread() == usual);
    CHECK(status == SINTER_ERROR_UNSUPPORTED || (status == SINTER_SUCCESS && found == memory));
    chosen += status == SINTER_SUCCESS;
  }
  CHECK(chosen != 0);

  // A number that no device has changes nothing.
  CHECK(sinter_stdpar_set_device(9999) == SINTER_ERROR_NO_DEVICE);
  CHECK(std::strstr(sinter_last_error(), "9999") != nullptr);
  CHECK(device_of_thread() == usual);
  run();
  return pass();
}
