// copy, mul, add and triad in the usual style of OpenCL C.
#define SCALAR 0.4

kernel void copy(global const double *a, global double *c) {
  const size_t i = get_global_id(0);
  c[i] = a[i];
}
kernel void mul(global const double *a, global double *c) {
  const size_t i = get_global_id(0);
  c[i] = SCALAR * a[i];
}
kernel void add(global const double *a, global const double *b, global double *c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
kernel void triad(global const double *a, global const double *b, global double *c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + SCALAR * b[i];
}
