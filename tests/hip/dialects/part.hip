// The source in HIP, which has its constructors and operators of vectors.
#ifdef __CUDACC__
#error "this is HIP"
#endif

__global__ void add(float2 *x) { *x = *x + float2(2.0f); }

int of_hip() {
  float2 *x = nullptr;
  if (hipMallocManaged(&x, sizeof *x) != hipSuccess)
    return -1;
  *x = float2(1.0f, 2.0f);
  add<<<1, 1>>>(x);
  return hipDeviceSynchronize() == hipSuccess ? static_cast<int>(x->x) : -1;
}
