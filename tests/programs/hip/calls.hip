// levels: 2
// Devices, their properties and limits, facts about kernels and pointers, memory of the host.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                                                   \
  if (hipError_t error = call)                                                                                       \
  return std::printf("%s: %s, %s\n", #call, hipGetErrorString(error), sinter_hip_last_message()), 1
#define EXPECT(condition)                                                                                             \
  if (!(condition))                                                                                                  \
  return std::printf("%d: %s\n", __LINE__, #condition), 1

__global__ void fill(int *out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

int devices() {
  int count = 0, device = -1, other = -1, value = 0, major = 0, minor = -1;
  CHECK(hipGetDeviceCount(&count));
  EXPECT(count > 0);
  hipDeviceProp_t p;
  CHECK(hipGetDeviceProperties(&p, 0));
  EXPECT(p.name[0] != 0 && p.totalGlobalMem > 0 && p.multiProcessorCount > 0 && p.warpSize == 32);
  EXPECT(p.maxThreadsPerBlock >= 64 && p.maxThreadsDim[0] >= 64 && p.sharedMemPerBlock >= 16384);
  CHECK(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxThreadsPerBlock, 0));
  EXPECT(value == p.maxThreadsPerBlock);
  CHECK(hipDeviceComputeCapability(&major, &minor, 0));
  EXPECT(major == p.major && minor == p.minor);
  hipDeviceProp_t wanted;
  std::memset(&wanted, 0, sizeof wanted);
  CHECK(hipChooseDevice(&device, &wanted));
  EXPECT(device == 0);
  char bus[16] = "", name[256] = "";
  CHECK(hipDeviceGetPCIBusId(bus, sizeof bus, 0));
  CHECK(hipDeviceGetByPCIBusId(&other, bus));
  EXPECT(other == 0);
  CHECK(hipDeviceGetName(name, sizeof name, 0));
  EXPECT(std::strcmp(name, p.name) == 0);
  size_t limit = 0, available = 0, total = 0;
  CHECK(hipDeviceSetLimit(hipLimitMallocHeapSize, 1 << 24));
  CHECK(hipDeviceGetLimit(&limit, hipLimitMallocHeapSize));
  EXPECT(limit == 1 << 24);
  CHECK(hipMemGetInfo(&available, &total));
  EXPECT(available > 0 && available <= total);
  int least = 1, greatest = 1, can = 1, driver = 0, runtime = 0;
  CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest <= least);
  CHECK(hipDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  CHECK(hipDriverGetVersion(&driver));
  CHECK(hipRuntimeGetVersion(&runtime));
  EXPECT(driver >= runtime && runtime > 0);
  EXPECT(hipSetDevice(count) == hipErrorInvalidDevice && hipGetLastError() == hipErrorInvalidDevice);
  EXPECT(hipGetLastError() == hipSuccess);
  return 0;
}

int kernels() {
  int blocks = 0, grid = 0, block = 0;
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 64, 0));
  EXPECT(blocks > 0);
  CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0));
  EXPECT(grid > 0 && block > 0);
  CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, fill, [](int size) { return size * 4; }));
  hipFuncAttributes attributes;
  CHECK(hipFuncGetAttributes(&attributes, fill));
  EXPECT(attributes.maxThreadsPerBlock > 0);
  CHECK(hipFuncSetAttribute(fill, hipFuncAttributeMaxDynamicSharedMemorySize, 1024));
  CHECK(hipFuncSetCacheConfig(fill, hipFuncCachePreferL1));
  int not_a_kernel[8] = {};
  EXPECT(hipFuncGetAttributes(&attributes, static_cast<const void *>(not_a_kernel)) == hipErrorInvalidDeviceFunction);
  hipGetLastError();
  return 0;
}

int memory() {
  int *device = nullptr, *managed = nullptr, *pinned = nullptr, *seen = nullptr, plain = 0;
  CHECK(hipMalloc(&device, 256 * sizeof(int)));
  CHECK(hipMallocManaged(&managed, 256 * sizeof(int)));
  CHECK(hipHostMalloc(&pinned, 256 * sizeof(int)));
  hipPointerAttribute_t attributes;
  CHECK(hipPointerGetAttributes(&attributes, device + 3));
  EXPECT(attributes.type == hipMemoryTypeDevice && attributes.devicePointer == device + 3);
  CHECK(hipPointerGetAttributes(&attributes, managed));
  EXPECT(attributes.isManaged);
  CHECK(hipPointerGetAttributes(&attributes, pinned));
  EXPECT(attributes.type == hipMemoryTypeHost && attributes.hostPointer == pinned);
  CHECK(hipPointerGetAttributes(&attributes, &plain));
  EXPECT(attributes.type == hipMemoryTypeUnregistered);
  unsigned flags = 0;
  CHECK(hipHostGetFlags(&flags, pinned));
  CHECK(hipHostGetDevicePointer(&seen, pinned, 0));
  CHECK(hipMemPrefetchAsync(managed, 256 * sizeof(int), 0));
  CHECK(hipMemAdvise(managed, 256 * sizeof(int), hipMemAdviseSetReadMostly, 0));
  fill<<<4, 64>>>(seen, 7);
  CHECK(hipMemcpyAsync(managed, pinned, 256 * sizeof(int), hipMemcpyDefault));
  CHECK(hipMemsetD32Async(reinterpret_cast<hipDeviceptr_t>(device), 9, 256));
  CHECK(hipMemcpyDtoH(pinned, reinterpret_cast<hipDeviceptr_t>(device), 256 * sizeof(int)));
  CHECK(hipDeviceSynchronize());
  EXPECT(managed[255] == 7 && pinned[255] == 9);
  EXPECT(hipFree(&plain) == hipErrorInvalidValue);
  CHECK(hipFree(device));
  CHECK(hipFree(managed));
  CHECK(hipHostFree(pinned));
  EXPECT(hipFree(device) == hipErrorInvalidValue);
  EXPECT(hipMalloc(&device, size_t(1) << 60) == hipErrorOutOfMemory);
  // A success does not replace the error; the reset does.
  EXPECT(hipPeekAtLastError() == hipErrorOutOfMemory && std::strstr(sinter_hip_last_message(), "memory"));
  CHECK(hipDeviceReset());
  EXPECT(hipGetLastError() == hipSuccess);
  return 0;
}

int main() {
  if (devices() || kernels() || memory())
    return 1;
  std::puts("PASS");
}
