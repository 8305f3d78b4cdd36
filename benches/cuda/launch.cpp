// The cost of launching an empty kernel, with 1, 4 and 16 arguments, beside peers/launch.cu.
//
// `async` stops the clock before the wait, `sync` waits after each launch. Names with `c_` use the
// C interface. `buffer` and `address` launch the same code on the same stream with the driver's own
// function, with the arguments in a buffer, as Sinter passes them, or by their addresses, as the
// peer does; they differ from the peer only in the process and the code. The kernel reads every
// argument, so that none is dead: it writes only for values that are never passed.
#include "gpu/sycl.hpp"

#include <dlfcn.h>

namespace {

template <std::size_t Count> struct arguments {
  std::uint64_t *out;
  std::uint64_t given[Count];
};

// The body of all kernels here.
template <std::size_t Count> void use(const arguments<Count> &all) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < Count; i++)
    sum ^= all.given[i];
  if (sum == 1)
    *all.out = sum;
}

// A single argument is only the pointer.
struct pointer {
  std::uint64_t *out;
  void operator()() const {
    if (reinterpret_cast<std::uintptr_t>(out) == 1)
      *out = 1;
  }
};
template <std::size_t Count> struct more {
  arguments<Count - 1> all;
  void operator()() const { use(all); }
};

template <class Kernel> const sinter_kernel *descriptor_of() {
  return sycl::detail::descriptor<sycl::detail::single_kernel<sycl::detail::unnamed, Kernel>>();
}

void must(sinter_status status) {
  if (status == SINTER_SUCCESS)
    return;
  std::fprintf(stderr, "%s: %s\n", sinter_status_name(status), sinter_last_error());
  std::exit(1);
}

// cuLaunchKernel for the code and the stream of one kernel; unavailable on devices of other
// drivers.
class driver {
public:
  using function = unsigned (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                                void **, void **);

  template <class Kernel>
  driver(sinter_queue *queue, const sinter_kernel *descriptor, const Kernel &kernel, const sinter_launch &shape) {
    if (sinter_queue_get_native(queue, SINTER_NATIVE_STREAM, &stream) != SINTER_SUCCESS)
      return;
    must(sinter_kernel_get_native(queue, descriptor, &kernel, sizeof kernel, &shape, SINTER_NATIVE_FUNCTION, &code));
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    launch = library ? reinterpret_cast<function>(dlsym(library, "cuLaunchKernel")) : nullptr;
  }
  explicit operator bool() const { return launch != nullptr; }
  void operator()(void **addresses, void **extra) const {
    if (launch(code, 1, 1, 1, 1, 1, 1, 0, stream, addresses, extra) != 0) {
      std::fprintf(stderr, "cuLaunchKernel failed\n");
      std::exit(1);
    }
  }

private:
  void *code = nullptr, *stream = nullptr;
  function launch = nullptr;
};

constexpr sinter_launch one_item = {sizeof(sinter_launch), 1, {1, 1, 1}, {1, 1, 1}, 0, 0, 0, nullptr};

class kernels {
public:
  explicit kernels(gpu::sycl_device &on) : device(on), out(on.allocate<std::uint64_t>(1)) {
    std::uint32_t number = 0;
    const std::string wanted = device.queue.get_device().get_info<sycl::info::device::name>();
    for (char name[256]; number < 64; number++) {
      must(sinter_device_get_info(number, SINTER_DEVICE_NAME, name, sizeof name, nullptr));
      if (wanted == name)
        break;
    }
    must(sinter_queue_create(number, &plain));
  }
  ~kernels() { sinter_queue_destroy(plain); }
  kernels(const kernels &) = delete;
  kernels &operator=(const kernels &) = delete;

  std::vector<gpu::test> tests() {
    std::vector<gpu::test> all;
    add("1", pointer{out}, all);
    add("4", make<4>(), all);
    add("16", make<16>(), all);
    return all;
  }

private:
  template <std::size_t Count> more<Count> make() {
    more<Count> kernel = {{out, {}}};
    for (std::size_t i = 0; i + 1 < Count; i++)
      kernel.all.given[i] = 2 * i;
    return kernel;
  }

  template <class Kernel> void add(const std::string &count, const Kernel &kernel, std::vector<gpu::test> &all) {
    const auto through_sycl = [this, kernel] { device.queue.single_task(kernel); };
    const auto through_c = [this, kernel] {
      static const sinter_kernel *const descriptor = descriptor_of<Kernel>();
      must(sinter_queue_launch(plain, descriptor, &kernel, sizeof kernel, &one_item, nullptr));
    };
    const auto wait_in_c = [this, through_c] {
      through_c();
      must(sinter_queue_wait_all(plain));
    };
    // A C launch with a wait of its own gets no further wait, so its clock is that of submissions.
    all.push_back({"async" + count, through_sycl, {}, {}, 0, 0, gpu::timing::submission});
    all.push_back({"sync" + count, through_sycl, {}, {}, 0, 0, gpu::timing::completion});
    all.push_back({"c_async" + count, through_c, {}, {}, 0, 0, gpu::timing::submission});
    all.push_back({"c_sync" + count, wait_in_c, {}, {}, 0, 0, gpu::timing::submission});
    add_driver(count, kernel, through_c, all);
  }

  // On devices of other drivers these are launches in C, so that every program has the same tests.
  template <class Kernel>
  void add_driver(const std::string &count, const Kernel &kernel, const std::function<void()> &otherwise,
                  std::vector<gpu::test> &all) {
    const driver raw(plain, descriptor_of<Kernel>(), kernel, one_item);
    const auto with_buffer = [kernel, raw] {
      std::size_t size = sizeof kernel;
      void *extra[] = {reinterpret_cast<void *>(1), const_cast<Kernel *>(&kernel), reinterpret_cast<void *>(2), &size,
                       nullptr};
      raw(nullptr, extra);
    };
    const auto with_addresses = [kernel, raw] {
      char *block = const_cast<char *>(reinterpret_cast<const char *>(&kernel));
      void *addresses[sizeof kernel / 8];
      for (std::size_t i = 0; i < sizeof kernel / 8; i++)
        addresses[i] = block + 8 * i;
      raw(addresses, nullptr);
    };
    const std::function<void()> buffer = raw ? std::function<void()>(with_buffer) : otherwise;
    const std::function<void()> addresses = raw ? std::function<void()>(with_addresses) : otherwise;
    all.push_back({"buffer" + count, buffer, {}, {}, 0, 0, gpu::timing::submission});
    all.push_back({"address" + count, addresses, {}, {}, 0, 0, gpu::timing::submission});
  }

  gpu::sycl_device &device;
  std::uint64_t *out;
  sinter_queue *plain = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::sycl_device device;
  kernels ours(device);
  return gpu::run(device, ours.tests(), chosen);
}
