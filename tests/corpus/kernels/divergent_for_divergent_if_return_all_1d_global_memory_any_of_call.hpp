// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
namespace divergent_for_divergent_if_return_all_1d_global_memory_any_of_call {

static std::uint32_t helper(const sycl::nd_item<1> &item, std::uint32_t *shared,
                            std::uint32_t value, std::uint32_t count) {
  const auto local = static_cast<std::uint32_t>(item.get_local_linear_id());
  const auto size = static_cast<std::uint32_t>(item.get_local_range().size());
  std::uint32_t a = 1;
  std::uint32_t m = 2;
  std::uint32_t k = 4;
  a = value;
  m = count;
  for (k = 0; k < (m & 3u); ++k) {
    sycl::group_barrier(item.get_group());
    shared[size - 1 - local] = a;
    sycl::group_barrier(item.get_group());
    a = (a * 3u) + shared[(local + k) % size];
  }
  return a + m;
}

static void submit(sycl::queue &queue, const shape &launch, const memory &data) {
  const std::uint32_t *input = data.input;
  std::uint32_t *all_shared = data.shared;
  std::uint32_t *totals = data.totals;
  std::uint32_t *output = data.output;
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(launch.nd_range<1>(), [=](sycl::nd_item<1> item) {
      const auto local = static_cast<std::uint32_t>(item.get_local_linear_id());
      const auto size = static_cast<std::uint32_t>(item.get_local_range().size());
      const auto group = static_cast<std::uint32_t>(item.get_group_linear_id());
      std::uint32_t *shared = all_shared + group * size;
      std::uint32_t a = 1;
      std::uint32_t b = 2;
      std::uint32_t c = 3;
      std::uint32_t m = 2;
      std::uint32_t n = 3;
      a = input[(local + group) % 64];
      b = mixed(item, a);
      if (group == 1u)
        return;
      for (c = 0; c < (local & 3u); ++c) {
        a = (a * 3u) + c;
      }
      shared[local] = a + b;
      sycl::group_barrier(item.get_group());
      a = (a * 7u) + shared[(local + 1u) % size];
      n = sycl::all_of_group(item.get_group(), ((a & 255u) & 1u) != 0);
      b = b + n;
      a = helper(item, shared, a + b, m + 1u);
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
      output[(group * size + local) * 16 + 10] = m;
      output[(group * size + local) * 16 + 11] = n;
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
  std::vector<std::uint32_t> c(size, 3);
  std::uint32_t m = 2;
  std::uint32_t n = 3;
  for (std::uint32_t i = 0; i < size; ++i) {
    a[i] = input[(i + group) % 64];
    b[i] = mixed(launch.local_id(i, 0), a[i]);
  }
  if (group == 1u)
    return;
  for (std::uint32_t i = 0; i < size; ++i) {
    for (c[i] = 0; c[i] < (i & 3u); ++c[i]) {
      a[i] = (a[i] * 3u) + c[i];
    }
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
  { // helper
    std::vector<std::uint32_t> result(size);
    const std::uint32_t count = m + 1u;
    for (std::uint32_t i = 0; i < size; ++i) {
      result[i] = a[i] + b[i];
    }
    {
      std::vector<std::uint32_t> a(size, 1);
      std::uint32_t m = 2;
      std::uint32_t k = 4;
      a = result;
      m = count;
      for (k = 0; k < (m & 3u); ++k) {
        // barrier
        for (std::uint32_t i = 0; i < size; ++i) {
          shared[size - 1 - i] = a[i];
        }
        // barrier
        for (std::uint32_t i = 0; i < size; ++i) {
          a[i] = (a[i] * 3u) + shared[(i + k) % size];
        }
      }
      for (std::uint32_t i = 0; i < size; ++i) {
        result[i] = a[i] + m;
      }
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      a[i] = result[i];
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
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
    output[(group * size + i) * 16 + 10] = m;
    output[(group * size + i) * 16 + 11] = n;
  }
}

} // namespace divergent_for_divergent_if_return_all_1d_global_memory_any_of_call
