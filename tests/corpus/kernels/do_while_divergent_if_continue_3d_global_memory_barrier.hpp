// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
namespace do_while_divergent_if_continue_3d_global_memory_barrier {

static void submit(sycl::queue &queue, const shape &launch, const memory &data) {
  const std::uint32_t *input = data.input;
  std::uint32_t *all_shared = data.shared;
  std::uint32_t *totals = data.totals;
  std::uint32_t *output = data.output;
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(launch.nd_range<3>(), [=](sycl::nd_item<3> item) {
      const auto local = static_cast<std::uint32_t>(item.get_local_linear_id());
      const auto size = static_cast<std::uint32_t>(item.get_local_range().size());
      const auto group = static_cast<std::uint32_t>(item.get_group_linear_id());
      std::uint32_t *shared = all_shared + group * size;
      std::uint32_t a = 1;
      std::uint32_t b = 2;
      std::uint32_t m = 2;
      a = input[(local + group) % 64];
      b = mixed(item, a);
      m = 0;
      do {
        if (m == 1u)
          continue;
        sycl::group_barrier(item.get_group());
        shared[local] = a + b;
        sycl::group_barrier(item.get_group());
        a = (a * 7u) + shared[(local + 1u) % size];
        if (a & 1u) {
          b = (b + 1u) * 3u;
          output[(group * size + local) * 16 + 1] = a;
        } else {
          global_atomic(totals[0]).fetch_add(a & 15u);
        }
      } while (++m < (group & 3u));
      output[(group * size + local) * 16 + 0] = a ^ b;
      output[(group * size + local) * 16 + 4] = a;
      output[(group * size + local) * 16 + 5] = b;
      output[(group * size + local) * 16 + 10] = m;
    });
  });
}

static void reference(const shape &launch, const memory &data, std::uint32_t group) {
  const std::uint32_t size = launch.items();
  const std::uint32_t *input = data.input;
  std::uint32_t *shared = data.shared + group * size;
  std::uint32_t *totals = data.totals;
  std::uint32_t *output = data.output;
  std::vector<std::uint32_t> a(size, 1);
  std::vector<std::uint32_t> b(size, 2);
  std::uint32_t m = 2;
  for (std::uint32_t i = 0; i < size; ++i) {
    a[i] = input[(i + group) % 64];
    b[i] = mixed(launch.local_id(i, 0), a[i]);
  }
  m = 0;
  do {
    if (m == 1u)
      continue;
    // barrier
    for (std::uint32_t i = 0; i < size; ++i) {
      shared[i] = a[i] + b[i];
    }
    // barrier
    for (std::uint32_t i = 0; i < size; ++i) {
      a[i] = (a[i] * 7u) + shared[(i + 1u) % size];
      if (a[i] & 1u) {
        b[i] = (b[i] + 1u) * 3u;
        output[(group * size + i) * 16 + 1] = a[i];
      } else {
        totals[0] = totals[0] + std::uint32_t(a[i] & 15u);
      }
    }
  } while (++m < (group & 3u));
  for (std::uint32_t i = 0; i < size; ++i) {
    output[(group * size + i) * 16 + 0] = a[i] ^ b[i];
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    output[(group * size + i) * 16 + 4] = a[i];
    output[(group * size + i) * 16 + 5] = b[i];
    output[(group * size + i) * 16 + 10] = m;
  }
}

} // namespace do_while_divergent_if_continue_3d_global_memory_barrier
