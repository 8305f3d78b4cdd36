// levels: 0 2
// options: -fgpu-rdc -x hip
// sources: other.cpp
// What units export besides plain functions: constructors, explicit instantiations, functions whose
// name the host has too.
#include "shared.hpp"

#include <cstdio>

// Another unit has a function for devices of this name.
int apart(int x) { return x + 1; }

__global__ void here(int *out) {
  out[0] = Counted(5).get();
  out[1] = generic(2) + generic(2L);
  out[2] = side(0);
}

int main() {
  int *out = nullptr;
  if (hipMallocManaged(&out, 64) != hipSuccess)
    return std::puts("no memory"), 1;
  here<<<1, 1>>>(out);
  in_other_unit(out + 4);
  if (hipDeviceSynchronize() != hipSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  const bool fits = out[0] == 50 && out[1] == 40 && out[2] == 100 && out[4] == 200 && apart(0) == 1 && side(0) == 1;
  std::puts(fits ? "PASS" : "FAIL");
  if (!fits)
    std::printf("%d %d %d %d %d\n", out[0], out[1], out[2], out[4], apart(0));
  (void)hipFree(out);
}
