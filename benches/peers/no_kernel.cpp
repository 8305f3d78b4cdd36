// Peer of cpu/one_kernel.cpp: the same work without SYCL, the floor of any compiler built on clang.
int main() {
  int value[16];
  for (int i = 0; i < 16; i++)
    value[i] = i;
  return value[15] == 15 ? 0 : 1;
}
