// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
namespace for_2d_global_memory_any_of {

static void submit(sycl::queue &queue, const shape &launch, const memory &data) {
  const std::uint32_t *input = data.input;
  const std::uint32_t rounds = data.rounds;
  std::uint32_t *all_shared = data.shared;
  std::uint32_t *output = data.output;
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(launch.nd_range<2>(), [=](sycl::nd_item<2> item) {
      const auto local = static_cast<std::uint32_t>(item.get_local_linear_id());
      const auto size = static_cast<std::uint32_t>(item.get_local_range().size());
      const auto group = static_cast<std::uint32_t>(item.get_group_linear_id());
      std::uint32_t *shared = all_shared + group * size;
      std::uint32_t a = 1;
      std::uint32_t b = 2;
      std::uint32_t m = 2;
      std::uint32_t n = 3;
      a = input[(local + group) % 64];
      b = mixed(item, a);
      for (m = 0; m < rounds; ++m) {
        sycl::group_barrier(item.get_group());
        shared[local] = a + b;
        sycl::group_barrier(item.get_group());
        a = (a * 7u) + shared[(local + 1u) % size];
        n = sycl::all_of_group(item.get_group(), ((a & 255u) & 1u) != 0);
        b = b + n;
      }
      output[(group * size + local) * 16 + 0] = a ^ b;
      output[(group * size + local) * 16 + 4] = a;
      output[(group * size + local) * 16 + 5] = b;
      output[(group * size + local) * 16 + 10] = m;
      output[(group * size + local) * 16 + 11] = n;
    });
  });
}

static void reference(const shape &launch, const memory &data, std::uint32_t group) {
  const std::uint32_t size = launch.items();
  const std::uint32_t *input = data.input;
  const std::uint32_t rounds = data.rounds;
  std::uint32_t *shared = data.shared + group * size;
  std::uint32_t *output = data.output;
  std::vector<std::uint32_t> a(size, 1);
  std::vector<std::uint32_t> b(size, 2);
  std::uint32_t m = 2;
  std::uint32_t n = 3;
  for (std::uint32_t i = 0; i < size; ++i) {
    a[i] = input[(i + group) % 64];
    b[i] = mixed(launch.local_id(i, 0), a[i]);
  }
  for (m = 0; m < rounds; ++m) {
    // barrier
    for (std::uint32_t i = 0; i < size; ++i) {
      shared[i] = a[i] + b[i];
    }
    // barrier
    for (std::uint32_t i = 0; i < size; ++i) {
      a[i] = (a[i] * 7u) + shared[(i + 1u) % size];
    }
    { // all_of_group
      std::vector<std::uint32_t> value(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        value[i] = a[i] & 255u;
      }
      std::uint32_t all = 1;
      for (const std::uint32_t next : value)
        all = all & next & 1;
      n = all;
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      b[i] = b[i] + n;
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    output[(group * size + i) * 16 + 0] = a[i] ^ b[i];
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    output[(group * size + i) * 16 + 4] = a[i];
    output[(group * size + i) * 16 + 5] = b[i];
    output[(group * size + i) * 16 + 10] = m;
    output[(group * size + i) * 16 + 11] = n;
  }
}

} // namespace for_2d_global_memory_any_of
