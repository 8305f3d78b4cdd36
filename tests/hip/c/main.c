// A host program in C that calls the API of CUDA, and kernels through a function in CUDA.
#include <cuda_runtime.h>

#include <stdio.h>

int scale(float *values, int n, float by, cudaStream_t stream);

#define CHECK(condition)                                                                                               \
  do                                                                                                                   \
    if (!(condition))                                                                                                  \
      return printf("line %d: %s: %s\n", __LINE__, #condition, cudaGetErrorString(cudaGetLastError())), 1;             \
  while (0)

static void note(cudaStream_t stream, cudaError_t status, void *data) { *(int *)data = stream && !status; }

int main(void) {
  int count = 0, device = -1, warp = 0, was_called = 0;
  struct cudaDeviceProp properties;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count > 0);
  CHECK(cudaSetDevice(0) == cudaSuccess && cudaGetDevice(&device) == cudaSuccess && device == 0);
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.totalGlobalMem > 0);
  CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0) == cudaSuccess && warp == properties.warpSize);

  float host[100], *memory = NULL;
  for (int i = 0; i < 100; ++i)
    host[i] = (float)i;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(!cudaMalloc((void **)&memory, sizeof host) && !cudaStreamCreate(&stream));
  CHECK(!cudaEventCreate(&begin) && !cudaEventCreate(&end));
  CHECK(!cudaMemcpyAsync(memory, host, sizeof host, cudaMemcpyHostToDevice, stream));
  CHECK(!cudaEventRecord(begin, stream) && scale(memory, 100, 2, stream) == 0 && !cudaEventRecord(end, stream));
  CHECK(!cudaStreamAddCallback(stream, note, &was_called, 0));
  float milliseconds = -1;
  CHECK(!cudaEventSynchronize(end) && !cudaEventElapsedTime(&milliseconds, begin, end) && milliseconds >= 0);
  enum cudaMemcpyKind back = cudaMemcpyDeviceToHost;
  CHECK(!cudaMemcpy(host, memory, sizeof host, back) && !cudaStreamSynchronize(stream) && was_called);
  for (int i = 0; i < 100; ++i)
    CHECK(host[i] == 2 * (float)i);

  struct cudaExtent extent = make_cudaExtent(16, 4, 2);
  struct cudaPitchedPtr volume;
  CHECK(!cudaMalloc3D(&volume, extent) && !cudaMemset3D(volume, 7, extent) && volume.pitch >= 16);
  unsigned char row[16];
  CHECK(!cudaMemcpy(row, (char *)volume.ptr + 7 * volume.pitch, 16, cudaMemcpyDeviceToHost) && row[15] == 7);
  dim3 grid = {1, 2, 3};
  float4 vector = make_float4(1, 2, 3, 4);
  CHECK(grid.z == 3 && vector.w == 4 && sizeof vector == 16);
  CHECK(cudaMemcpy(host, memory, 4, (enum cudaMemcpyKind)9) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaGetLastError() == cudaErrorInvalidMemcpyDirection);

  CHECK(!cudaFree(volume.ptr) && !cudaFree(memory) && !cudaEventDestroy(begin) && !cudaEventDestroy(end));
  CHECK(!cudaStreamDestroy(stream));
  puts("PASS");
  return 0;
}
