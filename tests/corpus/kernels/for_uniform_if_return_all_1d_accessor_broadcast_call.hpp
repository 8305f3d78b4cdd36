// Written by tests/src/differential/cpp.rs;
// SINTER_BLESS=1 cargo test -p sinter-tests --test corpus writes it anew.
namespace for_uniform_if_return_all_1d_accessor_broadcast_call {

static std::uint32_t helper(const sycl::nd_item<1> &item, const sycl::local_accessor<std::uint32_t> &tile,
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
    tile[size - 1 - local] = a;
    sycl::group_barrier(item.get_group());
    a = (a * 3u) + tile[(local + k) % size];
  }
  return a + m;
}

static void submit(sycl::queue &queue, const shape &launch, const memory &data) {
  const std::uint32_t *input = data.input;
  const std::uint32_t rounds = data.rounds;
  std::uint32_t *output = data.output;
  queue.submit([&](sycl::handler &handler) {
    const sycl::local_accessor<std::uint32_t> tile(sycl::range<1>(launch.items()), handler);
    handler.parallel_for(launch.nd_range<1>(), [=](sycl::nd_item<1> item) {
      const auto local = static_cast<std::uint32_t>(item.get_local_linear_id());
      const auto size = static_cast<std::uint32_t>(item.get_local_range().size());
      const auto group = static_cast<std::uint32_t>(item.get_group_linear_id());
      tile[local] = local * 3 + 0;
      sycl::group_barrier(item.get_group());
      std::uint32_t a = 1;
      std::uint32_t b = 2;
      std::uint32_t m = 2;
      std::uint32_t n = 3;
      a = input[(local + group) % 64];
      b = mixed(item, a);
      if (group == 1u)
        return;
      for (m = 0; m < rounds; ++m) {
        if ((group + m) & 1u) {
          sycl::group_barrier(item.get_group());
          tile[local] = a + b;
          sycl::group_barrier(item.get_group());
          a = (a * 7u) + tile[(local + 1u) % size];
          n = sycl::group_broadcast(item.get_group(), std::uint32_t(a & 255u), 5 % size);
          b = b + n;
          a = helper(item, tile, a + b, m + 1u);
        } else {
          b = b + 100u;
        }
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
  std::uint32_t *output = data.output;
  std::vector<std::uint32_t> tile(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    tile[i] = i * 3 + 0;
  }
  std::vector<std::uint32_t> a(size, 1);
  std::vector<std::uint32_t> b(size, 2);
  std::uint32_t m = 2;
  std::uint32_t n = 3;
  for (std::uint32_t i = 0; i < size; ++i) {
    a[i] = input[(i + group) % 64];
    b[i] = mixed(launch.local_id(i, 0), a[i]);
  }
  if (group == 1u)
    return;
  for (m = 0; m < rounds; ++m) {
    if ((group + m) & 1u) {
      // barrier
      for (std::uint32_t i = 0; i < size; ++i) {
        tile[i] = a[i] + b[i];
      }
      // barrier
      for (std::uint32_t i = 0; i < size; ++i) {
        a[i] = (a[i] * 7u) + tile[(i + 1u) % size];
      }
      { // group_broadcast
        std::vector<std::uint32_t> value(size);
        for (std::uint32_t i = 0; i < size; ++i) {
          value[i] = a[i] & 255u;
        }
        const std::uint32_t all = value[5 % size];
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
              tile[size - 1 - i] = a[i];
            }
            // barrier
            for (std::uint32_t i = 0; i < size; ++i) {
              a[i] = (a[i] * 3u) + tile[(i + k) % size];
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
    } else {
      for (std::uint32_t i = 0; i < size; ++i) {
        b[i] = b[i] + 100u;
      }
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

} // namespace for_uniform_if_return_all_1d_accessor_broadcast_call
