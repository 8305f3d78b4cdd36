// levels: 2
// Memory in rows and layers, other copies and fills.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                                   \
  if (cudaError_t error = call)                                                                                      \
  return std::printf("%s: %s, %s\n", #call, cudaGetErrorString(error), sinter_hip_last_message()), 1

constexpr int width = 37, height = 11, depth = 5;

__global__ void add(cudaPitchedPtr memory) {
  const unsigned x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  char *layer = static_cast<char *>(memory.ptr) + z * memory.pitch * height;
  reinterpret_cast<int *>(layer + y * memory.pitch)[x] += static_cast<int>(x + 100 * y + 10000 * z);
}

int volumes() {
  const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr memory;
  CHECK(cudaMalloc3D(&memory, extent));
  if (memory.pitch < extent.width || memory.xsize != extent.width || memory.ysize != height)
    return std::puts("the pitch"), 1;
  CHECK(cudaMemset3D(memory, 0, extent));
  add<<<dim3(height, depth), width>>>(memory);
  CHECK(cudaGetLastError());
  std::vector<int> host(width * height * depth, -1);
  cudaMemcpy3DParms what = {};
  what.srcPtr = memory;
  what.dstPtr = make_cudaPitchedPtr(host.data(), width * sizeof(int), width, height);
  what.extent = extent;
  what.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&what));
  for (int i = 0; i < width * height * depth; ++i)
    if (host[i] != i % width + 100 * (i / width % height) + 10000 * (i / width / height))
      return std::printf("%d: %d\n", i, host[i]), 1;
  // A part: two layers of three rows of four elements.
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  what.srcPos = make_cudaPos(8 * sizeof(int), 2, 1);
  what.dstPos = make_cudaPos(0, 0, 0);
  what.extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  CHECK(cudaMemcpy3DAsync(&what, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (host[0] != 10208 || host[3] != 10211 || host[4] != 4 || host[width * height + 2 * width + 3] != 20411)
    return std::printf("%d %d %d\n", host[0], host[3], host[4]), 1;
  CHECK(cudaMemset2DAsync(memory.ptr, memory.pitch, 1, 8, 2, stream));
  CHECK(cudaMemcpy2DAsync(host.data(), width * sizeof(int), memory.ptr, memory.pitch, width * sizeof(int), 3,
                          cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (host[0] != 0x01010101 || host[1] != 0x01010101 || host[2] != 2 || host[width] != 0x01010101 ||
      host[2 * width] != 200)
    return std::puts("a fill in two dimensions"), 1;
  if (cudaMemset2D(memory.ptr, 4, 0, 8, 2) != cudaErrorInvalidPitchValue || cudaGetLastError() == cudaSuccess)
    return std::puts("a pitch that is too small"), 1;
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(memory.ptr));
  return 0;
}

__constant__ int pattern[4] = {1, 2, 3, 4};
__global__ void read(int *out) { out[threadIdx.x] = pattern[threadIdx.x]; }

int symbols() {
  int *out = nullptr;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMallocAsync(&out, 4 * sizeof(int), stream));
  const int next[2] = {30, 40};
  CHECK(cudaMemcpyToSymbolAsync(pattern, next, sizeof next, 2 * sizeof(int), cudaMemcpyHostToDevice, stream));
  read<<<1, 4, 0, stream>>>(out);
  int host[4] = {}, back[4] = {};
  CHECK(cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaMemcpyFromSymbolAsync(back, pattern, sizeof back, 0, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (host[1] != 2 || host[3] != 40 || std::memcmp(host, back, sizeof host) != 0)
    return std::printf("%d %d\n", host[1], host[3]), 1;
  if (cudaMemcpyToSymbol(pattern, next, sizeof next, 3 * sizeof(int)) != cudaErrorInvalidValue ||
      cudaMemcpyToSymbol(host, next, sizeof next) != cudaErrorInvalidSymbol)
    return std::puts("a copy beyond the variable, or to another one"), 1;
  cudaGetLastError();
  CHECK(cudaFreeAsync(out, stream));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}

int main() {
  if (volumes() || symbols())
    return 1;
  std::puts("PASS");
}
