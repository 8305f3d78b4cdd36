// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
namespace for_divergent_if_return_some_3d_accessor_barrier {

static void submit(sycl::queue &queue, const shape &launch, const memory &data) {
  const std::uint32_t *input = data.input;
  const std::uint32_t rounds = data.rounds;
  std::uint32_t *totals = data.totals;
  std::uint32_t *output = data.output;
  queue.submit([&](sycl::handler &handler) {
    const sycl::local_accessor<std::uint32_t> tile(sycl::range<1>(launch.items()), handler);
    handler.parallel_for(launch.nd_range<3>(), [=](sycl::nd_item<3> item) {
      const auto local = static_cast<std::uint32_t>(item.get_local_linear_id());
      const auto size = static_cast<std::uint32_t>(item.get_local_range().size());
      const auto group = static_cast<std::uint32_t>(item.get_group_linear_id());
      tile[local] = local * 3 + 0;
      sycl::group_barrier(item.get_group());
      std::uint32_t a = 1;
      std::uint32_t b = 2;
      std::uint32_t m = 2;
      a = input[(local + group) % 64];
      b = mixed(item, a);
      if ((local % 3u) == 2u)
        return;
      for (m = 0; m < rounds; ++m) {
        sycl::group_barrier(item.get_group());
        tile[local] = a + b;
        sycl::group_barrier(item.get_group());
        a = (a * 7u) + tile[(local + 1u) % size];
        if (a & 1u) {
          b = (b + 1u) * 3u;
          output[(group * size + local) * 16 + 1] = a;
        } else {
          global_atomic(totals[0]).fetch_add(a & 15u);
        }
      }
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
  const std::uint32_t rounds = data.rounds;
  std::uint32_t *totals = data.totals;
  std::uint32_t *output = data.output;
  std::vector<std::uint32_t> tile(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    tile[i] = i * 3 + 0;
  }
  std::vector<std::uint32_t> a(size, 1);
  std::vector<std::uint32_t> b(size, 2);
  std::uint32_t m = 2;
  std::vector<bool> gone(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (gone[i])
      continue;
    a[i] = input[(i + group) % 64];
    b[i] = mixed(launch.local_id(i, 0), a[i]);
    if ((i % 3u) == 2u) {
      gone[i] = true;
      continue;
    }
  }
  for (m = 0; m < rounds; ++m) {
    // barrier
    for (std::uint32_t i = 0; i < size; ++i) {
      if (gone[i])
        continue;
      tile[i] = a[i] + b[i];
    }
    // barrier
    for (std::uint32_t i = 0; i < size; ++i) {
      if (gone[i])
        continue;
      a[i] = (a[i] * 7u) + tile[(i + 1u) % size];
      if (a[i] & 1u) {
        b[i] = (b[i] + 1u) * 3u;
        output[(group * size + i) * 16 + 1] = a[i];
      } else {
        totals[0] = totals[0] + std::uint32_t(a[i] & 15u);
      }
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    if (gone[i])
      continue;
    output[(group * size + i) * 16 + 0] = a[i] ^ b[i];
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    if (gone[i])
      continue;
    output[(group * size + i) * 16 + 4] = a[i];
    output[(group * size + i) * 16 + 5] = b[i];
    output[(group * size + i) * 16 + 10] = m;
  }
}

} // namespace for_divergent_if_return_some_3d_accessor_barrier
