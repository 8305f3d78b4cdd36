// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
namespace divergent_for_divergent_if_break_3d_accessor_atomic {

static void submit(sycl::queue &queue, const shape &launch, const memory &data) {
  const std::uint32_t *input = data.input;
  std::uint32_t *totals = data.totals;
  std::uint32_t *output = data.output;
  queue.submit([&](sycl::handler &handler) {
    const sycl::local_accessor<std::uint32_t> tile(sycl::range<1>(launch.items()), handler);
    const sycl::local_accessor<std::uint32_t> counters(sycl::range<1>(4), handler);
    handler.parallel_for(launch.nd_range<3>(), [=](sycl::nd_item<3> item) {
      const auto local = static_cast<std::uint32_t>(item.get_local_linear_id());
      const auto size = static_cast<std::uint32_t>(item.get_local_range().size());
      const auto group = static_cast<std::uint32_t>(item.get_group_linear_id());
      tile[local] = local * 3 + 0;
      for (std::uint32_t j = 0; local == 0 && j < 4; ++j)
        counters[j] = 0;
      sycl::group_barrier(item.get_group());
      std::uint32_t a = 1;
      std::uint32_t b = 2;
      std::uint32_t c = 3;
      std::uint32_t n = 3;
      a = input[(local + group) % 64];
      b = mixed(item, a);
      for (c = 0; c < (local & 3u); ++c) {
        a = (a * 3u) + c;
        if ((a & 7u) == 2u)
          break;
      }
      tile[local] = a + b;
      sycl::group_barrier(item.get_group());
      a = (a * 7u) + tile[(local + 1u) % size];
      local_atomic(counters[0]).fetch_add(a & 255u);
      local_atomic(counters[3]).fetch_max(a & 255u);
      sycl::group_barrier(item.get_group());
      n = counters[0] + counters[3];
      b = b + n;
      if (a & 1u) {
        b = (b + 1u) * 3u;
        output[(group * size + local) * 16 + 1] = a;
      } else {
        global_atomic(totals[0]).fetch_add(a & 15u);
      }
      output[(group * size + local) * 16 + 0] = a ^ b;
      output[(group * size + local) * 16 + 4] = a;
      output[(group * size + local) * 16 + 5] = b;
      output[(group * size + local) * 16 + 6] = c;
      output[(group * size + local) * 16 + 11] = n;
    });
  });
}

static void reference(const shape &launch, const memory &data, std::uint32_t group) {
  const std::uint32_t size = launch.items();
  const std::uint32_t *input = data.input;
  std::uint32_t *totals = data.totals;
  std::uint32_t *output = data.output;
  std::vector<std::uint32_t> tile(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    tile[i] = i * 3 + 0;
  }
  std::uint32_t counters[4] = {};
  std::vector<std::uint32_t> a(size, 1);
  std::vector<std::uint32_t> b(size, 2);
  std::vector<std::uint32_t> c(size, 3);
  std::uint32_t n = 3;
  for (std::uint32_t i = 0; i < size; ++i) {
    a[i] = input[(i + group) % 64];
    b[i] = mixed(launch.local_id(i, 0), a[i]);
    for (c[i] = 0; c[i] < (i & 3u); ++c[i]) {
      a[i] = (a[i] * 3u) + c[i];
      if ((a[i] & 7u) == 2u)
        break;
    }
    tile[i] = a[i] + b[i];
  }
  // barrier
  for (std::uint32_t i = 0; i < size; ++i) {
    a[i] = (a[i] * 7u) + tile[(i + 1u) % size];
    counters[0] = counters[0] + std::uint32_t(a[i] & 255u);
    counters[3] = std::max(counters[3], std::uint32_t(a[i] & 255u));
  }
  // barrier
  n = counters[0] + counters[3];
  for (std::uint32_t i = 0; i < size; ++i) {
    b[i] = b[i] + n;
    if (a[i] & 1u) {
      b[i] = (b[i] + 1u) * 3u;
      output[(group * size + i) * 16 + 1] = a[i];
    } else {
      totals[0] = totals[0] + std::uint32_t(a[i] & 15u);
    }
    output[(group * size + i) * 16 + 0] = a[i] ^ b[i];
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    output[(group * size + i) * 16 + 4] = a[i];
    output[(group * size + i) * 16 + 5] = b[i];
    output[(group * size + i) * 16 + 6] = c[i];
    output[(group * size + i) * 16 + 11] = n;
  }
}

} // namespace divergent_for_divergent_if_break_3d_accessor_atomic
