// Two threads submit to one stream after a command of the null stream: both commands wait for it.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

constexpr int rounds = 3000;
std::atomic<int> early{0}, current{0}, submitted{0};
std::atomic<bool> is_done[rounds + 1];

void slow(void *done) {
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  static_cast<std::atomic<bool> *>(done)->store(true);
}
void check(void *done) { early += !static_cast<std::atomic<bool> *>(done)->load(); }

int main() {
  cudaStream_t stream = nullptr;
  if (cudaStreamCreate(&stream) != cudaSuccess)
    return std::puts("no stream"), 1;
  const auto submit = [&](bool isFirst) {
    for (int round = 1; round <= rounds; ++round) {
      if (isFirst) {
        while (submitted.load() != 2 * (round - 1)) {
        }
        cudaLaunchHostFunc(0, slow, &is_done[round]);
        current.store(round);
      } else {
        while (current.load() < round) {
        }
      }
      cudaLaunchHostFunc(stream, check, &is_done[round]);
      ++submitted;
    }
  };
  std::thread second(submit, false);
  submit(true);
  second.join();
  const cudaError_t error = cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  std::printf("%d of %d started before the null stream's command\n", early.load(), 2 * rounds);
  std::puts(error == cudaSuccess && early == 0 ? "PASS" : "FAIL");
}
