// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
namespace uniform_if_return_all_3d_accessor_scan {

static void submit(sycl::queue &queue, const shape &launch, const memory &data) {
  const std::uint32_t *input = data.input;
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
      std::uint32_t c = 3;
      std::uint32_t m = 2;
      a = input[(local + group) % 64];
      b = mixed(item, a);
      if (group == 1u)
        return;
      if ((group + m) & 1u) {
        tile[local] = a + b;
        sycl::group_barrier(item.get_group());
        a = (a * 7u) + tile[(local + 1u) % size];
        b = sycl::exclusive_scan_over_group(item.get_group(), std::uint32_t(a & 255u), 5u, sycl::maximum<>());
        c = sycl::inclusive_scan_over_group(item.get_group(), std::uint32_t(a & 255u), sycl::plus<>());
        b = (b * 9u) + c;
      } else {
        b = b + 100u;
      }
      output[(group * size + local) * 16 + 0] = a ^ b;
      output[(group * size + local) * 16 + 4] = a;
      output[(group * size + local) * 16 + 5] = b;
      output[(group * size + local) * 16 + 6] = c;
      output[(group * size + local) * 16 + 10] = m;
    });
  });
}

static void reference(const shape &launch, const memory &data, std::uint32_t group) {
  const std::uint32_t size = launch.items();
  const std::uint32_t *input = data.input;
  std::uint32_t *output = data.output;
  std::vector<std::uint32_t> tile(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    tile[i] = i * 3 + 0;
  }
  std::vector<std::uint32_t> a(size, 1);
  std::vector<std::uint32_t> b(size, 2);
  std::vector<std::uint32_t> c(size, 3);
  std::uint32_t m = 2;
  for (std::uint32_t i = 0; i < size; ++i) {
    a[i] = input[(i + group) % 64];
    b[i] = mixed(launch.local_id(i, 0), a[i]);
  }
  if (group == 1u)
    return;
  if ((group + m) & 1u) {
    for (std::uint32_t i = 0; i < size; ++i) {
      tile[i] = a[i] + b[i];
    }
    // barrier
    for (std::uint32_t i = 0; i < size; ++i) {
      a[i] = (a[i] * 7u) + tile[(i + 1u) % size];
    }
    { // exclusive_scan_over_group
      std::vector<std::uint32_t> value(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        value[i] = a[i] & 255u;
      }
      std::uint32_t before = 5;
      for (std::uint32_t &next : value)
        next = std::exchange(before, std::max(before, next));
      for (std::uint32_t i = 0; i < size; ++i) {
        b[i] = value[i];
      }
    }
    { // inclusive_scan_over_group
      std::vector<std::uint32_t> value(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        value[i] = a[i] & 255u;
      }
      for (std::uint32_t i = 1; i < size; ++i)
        value[i] = value[i - 1] + value[i];
      for (std::uint32_t i = 0; i < size; ++i) {
        c[i] = value[i];
      }
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      b[i] = (b[i] * 9u) + c[i];
    }
  } else {
    for (std::uint32_t i = 0; i < size; ++i) {
      b[i] = b[i] + 100u;
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    output[(group * size + i) * 16 + 0] = a[i] ^ b[i];
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    output[(group * size + i) * 16 + 4] = a[i];
    output[(group * size + i) * 16 + 5] = b[i];
    output[(group * size + i) * 16 + 6] = c[i];
    output[(group * size + i) * 16 + 10] = m;
  }
}

} // namespace uniform_if_return_all_3d_accessor_scan
