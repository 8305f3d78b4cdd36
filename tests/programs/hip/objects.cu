// levels: 0 2
// Parameters that are objects: the host copies and destroys them, and a device has their bytes.
#include <cstdio>
#include <string>

int copies = 0, ends = 0;

// Owns memory of the device; its copies do not.
class Array {
public:
  explicit Array(int n) : isOwner(true), count(n), length(std::to_string(n)) {
    cudaMalloc(&data, n * sizeof(int));
  }
  Array(const Array &other) : data(other.data), isOwner(false), count(other.count), length(other.length) { ++copies; }
  Array &operator=(const Array &) = delete;
  ~Array() {
    ++ends;
    if (isOwner)
      cudaFree(data);
  }
  __host__ __device__ int size() const { return count; }
  __device__ int &operator[](int i) const { return data[i]; }
  int *begin() const { return data; }

private:
  int *data = nullptr;
  bool isOwner;
  int count;
  std::string length;
};

struct Step {
  short by;
  Step(int by) : by(static_cast<short>(by)) {}
  Step(const Step &other) : by(other.by) { ++copies; }
};

__global__ void fill(char c, Array array, double factor, Step step, const int *more, Array second) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < array.size()) {
    array[i] = static_cast<int>(i * factor) + step.by + more[0] + c;
    second[i % second.size()] = array.size();
    step.by = 0;
  }
}

template <class Type> __global__ void add(Type array) { array[threadIdx.x] += 1; }

int main() {
  constexpr int n = 100;
  int found[n] = {}, more = 1000, of_second = 0;
  int *d = nullptr;
  cudaMalloc(&d, sizeof more);
  cudaMemcpy(d, &more, sizeof more, cudaMemcpyHostToDevice);
  bool right = true;
  {
    Array array(n), second(1);
    fill<<<4, 32>>>(1, array, 2.5, Step(7), d, second);
    add<<<1, n>>>(array);
    right &= cudaDeviceSynchronize() == cudaSuccess;
    cudaMemcpy(found, array.begin(), sizeof found, cudaMemcpyDeviceToHost);
    cudaMemcpy(&of_second, second.begin(), sizeof of_second, cudaMemcpyDeviceToHost);
  }
  for (int i = 0; i < n; ++i)
    right &= found[i] == static_cast<int>(i * 2.5) + 7 + 1000 + 1 + 1;
  right &= of_second == n && copies >= 3 && ends == copies + 2;
  std::puts(right ? "PASS" : "FAIL");
}
