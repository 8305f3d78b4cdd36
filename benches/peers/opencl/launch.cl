// The kernels of cuda/launch.cpp: they write only for values that are never passed.
kernel void one(global ulong *out) {
  if ((ulong)out == 1)
    *out = 1;
}
kernel void four(global ulong *out, ulong a, ulong b, ulong c) {
  const ulong sum = a ^ b ^ c;
  if (sum == 1)
    *out = sum;
}
kernel void sixteen(global ulong *out, ulong a, ulong b, ulong c, ulong d, ulong e, ulong f, ulong g, ulong h, ulong i,
                    ulong j, ulong k, ulong l, ulong m, ulong n, ulong o) {
  const ulong sum = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o;
  if (sum == 1)
    *out = sum;
}
