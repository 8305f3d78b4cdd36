// Kinds of copies: numbers that are none, and those that contradict a variable of devices.
#include <cstdio>

__constant__ int constants[4];

static bool failed = false;

static void expect(const char *what, cudaError_t got, cudaError_t wanted) {
  if (got != wanted) {
    std::printf("%s: %s\n", what, cudaGetErrorName(got));
    failed = true;
  }
}

int main() {
  const auto none = static_cast<cudaMemcpyKind>(7);
  const auto wrong = cudaErrorInvalidMemcpyDirection;
  int host[4] = {1, 2, 3, 4}, *memory = nullptr;
  if (cudaMalloc(&memory, sizeof host) != cudaSuccess)
    return std::puts("no memory"), 1;
  expect("1D", cudaMemcpy(memory, host, sizeof host, none), wrong);
  expect("1D, later", cudaMemcpyAsync(memory, host, sizeof host, none), wrong);
  expect("2D", cudaMemcpy2D(memory, 8, host, 8, 8, 2, none), wrong);
  expect("2D, later", cudaMemcpy2DAsync(memory, 8, host, 8, 8, 2, none), wrong);
  cudaMemcpy3DParms volume = {};
  volume.srcPtr = make_cudaPitchedPtr(host, 8, 8, 2);
  volume.dstPtr = make_cudaPitchedPtr(memory, 8, 8, 2);
  volume.extent = make_cudaExtent(8, 2, 1);
  volume.kind = none;
  expect("3D", cudaMemcpy3D(&volume), wrong);
  expect("3D, later", cudaMemcpy3DAsync(&volume), wrong);
  for (cudaMemcpyKind kind : {none, cudaMemcpyHostToHost, cudaMemcpyDeviceToHost}) {
    expect("to a variable", cudaMemcpyToSymbol(constants, host, sizeof host, 0, kind), wrong);
    expect("to a variable, later", cudaMemcpyToSymbolAsync(constants, host, sizeof host, 0, kind), wrong);
  }
  for (cudaMemcpyKind kind : {none, cudaMemcpyHostToHost, cudaMemcpyHostToDevice}) {
    expect("from a variable", cudaMemcpyFromSymbol(host, constants, sizeof host, 0, kind), wrong);
    expect("from a variable, later", cudaMemcpyFromSymbolAsync(host, constants, sizeof host, 0, kind), wrong);
  }
  expect("the last error", cudaGetLastError(), wrong);

  expect("2D", cudaMemcpy2D(memory, 8, host, 8, 8, 2, cudaMemcpyHostToDevice), cudaSuccess);
  volume.kind = cudaMemcpyDefault;
  expect("3D", cudaMemcpy3D(&volume), cudaSuccess);
  expect("to a variable", cudaMemcpyToSymbol(constants, memory, 8, 8, cudaMemcpyDeviceToDevice), cudaSuccess);
  expect("to a variable", cudaMemcpyToSymbol(constants, host, 8), cudaSuccess);
  int copied[4] = {};
  expect("from a variable", cudaMemcpyFromSymbol(copied, constants, sizeof copied), cudaSuccess);
  if (copied[0] != 1 || copied[1] != 2 || copied[2] != 1 || copied[3] != 2)
    failed = std::puts("other numbers") >= 0;
  cudaFree(memory);
  if (!failed)
    std::puts("PASS");
  return failed;
}
