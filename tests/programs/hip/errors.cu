// Codes of wrong calls, and names of codes.
#include <cstdio>
#include <cstring>

int wrong = 0;
void expect(cudaError_t found, cudaError_t wanted, const char *call) {
  if (found != wanted || cudaGetLastError() != wanted)
    ++wrong, std::printf("%s: %s, not %s\n", call, cudaGetErrorName(found), cudaGetErrorName(wanted));
}
#define EXPECT(code, call) expect(call, code, #call)

// Each code of CUDA's is a number of its own, as programs with tables of them need it.
const char *named(cudaError_t error) {
  switch (error) {
  case cudaErrorLaunchTimeout:
    return "cudaErrorLaunchTimeout";
  case cudaErrorInvalidTexture:
    return "cudaErrorInvalidTexture";
  case cudaErrorNoKernelImageForDevice:
    return "cudaErrorNoKernelImageForDevice";
  case cudaErrorMisalignedAddress:
    return "cudaErrorMisalignedAddress";
  case cudaErrorCooperativeLaunchTooLarge:
    return "cudaErrorCooperativeLaunchTooLarge";
  case cudaErrorApiFailureBase:
    return "cudaErrorApiFailureBase";
  default:
    return "";
  }
}

int main() {
  int *d = nullptr, h[4] = {}, version = 0;
  EXPECT(cudaSuccess, cudaMalloc(&d, 64));
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, h, 16, static_cast<cudaMemcpyKind>(77)));
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(d, h, 16, static_cast<cudaMemcpyKind>(-1), 0));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(d, 8, h, 8, 16, 1, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  EXPECT(cudaErrorInvalidValue, cudaRuntimeGetVersion(nullptr));
  EXPECT(cudaSuccess, cudaRuntimeGetVersion(&version));
  EXPECT(cudaSuccess, cudaFree(d));
  if (version != CUDART_VERSION)
    ++wrong, std::printf("version %d\n", version);
  if (std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") ||
      std::strcmp(cudaGetErrorName(cudaErrorInvalidResourceHandle), "cudaErrorInvalidResourceHandle") ||
      std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"))
    ++wrong, std::puts("names");
  for (int number : {18, 209, 702, 716, 720, 10000})
    if (std::strcmp(cudaGetErrorName(static_cast<cudaError_t>(number)), named(static_cast<cudaError_t>(number))))
      ++wrong, std::printf("%d is %s\n", number, cudaGetErrorName(static_cast<cudaError_t>(number)));
  std::puts(wrong == 0 ? "PASS" : "FAIL");
}
