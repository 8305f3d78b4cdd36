// Devices, platforms, contexts, selectors and their queries.
// needs: the host
#include <sycl/sycl.hpp>

#include <sstream>
#include <string>
#include <unordered_set>

#include "../check.hpp"

// The list of aspects that programs include.
static std::string name_of(sycl::aspect wanted) {
  switch (wanted) {
#define __SYCL_ASPECT(name, number)                                                                                  \
  case sycl::aspect::name: return #name;
#include <sycl/info/aspects.def>
#undef __SYCL_ASPECT
  }
  return "";
}

int main() {
  CHECK(name_of(sycl::aspect::fp64) == "fp64" && name_of(sycl::aspect::ext_oneapi_graph) == "ext_oneapi_graph");
  namespace info = sycl::info;
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  CHECK(!devices.empty());
  const std::vector<sycl::device> cpus = sycl::device::get_devices(info::device_type::cpu);
  const std::vector<sycl::device> gpus = sycl::device::get_devices(info::device_type::gpu);
  // A visibility mask may hide the CPU.
  CHECK(cpus.size() == 1 || (cpus.empty() && gpus.size() == devices.size()));
  const bool with_gpu = !gpus.empty();
  const sycl::device first(sycl::default_selector_v), one = cpus.empty() ? first : sycl::device(sycl::cpu_selector_v);
  CHECK(first.is_gpu() == with_gpu && first == sycl::queue().get_device());
  if (!cpus.empty()) {
    CHECK(one == cpus[0] && one.is_cpu() && !one.is_gpu() && one.has(sycl::aspect::cpu));
    CHECK(one.get_info<info::device::device_type>() == info::device_type::cpu);
    CHECK(one.get_backend() == sycl::backend::host);
    CHECK(sycl::queue(sycl::host_selector()).get_device() == one);
  }
  if (with_gpu) {
    const sycl::device gpu(sycl::gpu_selector_v);
    CHECK(gpu == gpus[0] && gpu.is_gpu() && !gpu.is_cpu() && gpu.has(sycl::aspect::gpu));
    CHECK(gpu.get_info<info::device::local_mem_type>() == info::local_mem_type::local);
    CHECK(gpu.get_backend() != sycl::backend::cuda ||
          (gpu.get_info<info::device::sub_group_sizes>() == std::vector<std::size_t>{32} &&
           gpu.get_info<info::device::max_work_group_size>() == 1024 &&
           gpu.get_info<info::device::sub_group_independent_forward_progress>()));
    CHECK(one == gpu || gpu.get_platform() != one.get_platform());
  }

  for (const sycl::device &device : devices) {
    CHECK(!device.get_info<info::device::name>().empty());
    CHECK(device.get_info<info::device::name>().back() != '\0');
    CHECK(!device.get_info<info::device::vendor>().empty());
    CHECK(!device.get_info<info::device::version>().empty());
    device.get_info<info::device::driver_version>();
    CHECK(device.get_info<info::device::max_compute_units>() >= 1);
    CHECK(device.get_info<info::device::max_work_group_size>() >= 1);
    CHECK(device.get_info<info::device::max_work_item_sizes<3>>()[2] >= 1);
    CHECK(device.get_info<info::device::global_mem_size>() > (1u << 20));
    CHECK(device.get_info<info::device::local_mem_size>() >= 1024);
    CHECK(device.get_info<info::device::max_mem_alloc_size>() > 0);
    CHECK(!device.get_info<info::device::sub_group_sizes>().empty());
    CHECK(device.get_info<info::device::max_num_sub_groups>() >= 1);
    device.get_info<info::device::max_clock_frequency>();
    device.get_info<info::device::global_mem_cache_size>();
    CHECK(device.get_info<info::device::max_parameter_size>() >= 1024);
    CHECK(device.get_info<info::device::host_unified_memory>() == device.is_cpu());
    CHECK(device.get_info<info::device::preferred_vector_width_float>() >= 1);
    CHECK(device.get_info<info::device::native_vector_width_int>() >= 1);
    CHECK(!device.has_extension("cl_khr_fp64"));
    for (const sycl::aspect aspect : device.get_info<info::device::aspects>())
      CHECK(device.has(aspect));
    const sycl::platform platform = device.get_platform();
    CHECK(!platform.get_info<info::platform::name>().empty());
    bool member = false;
    for (const sycl::device &other : platform.get_devices())
      member = member || other == device;
    CHECK(member);
  }
  CHECK(one.has(sycl::aspect::fp64) && one.has(sycl::aspect::usm_shared_allocations));
  CHECK(one.get_info<info::device::usm_shared_allocations>() && one.get_info<info::device::queue_profiling>());
  CHECK(one.get_info<info::device::is_endian_little>() && one.get_info<info::device::image_support>());
  CHECK(one.has(sycl::aspect::image) && sycl::all_devices_have_v<sycl::aspect::image>);
  CHECK(one.get_info<info::device::image2d_max_width>() >= 8192 && one.get_info<info::device::max_samplers>() >= 16);
  CHECK(one.get_info<info::device::built_in_kernels>().empty());
  CHECK(one.get_info<info::device::atomic_fence_order_capabilities>().size() == 5);
  CHECK(!sycl::platform::get_platforms().empty());

  CHECK(sycl::device::get_devices(info::device_type::host).empty()); // for old programs
  std::ostringstream backends;
  backends << sycl::backend::host << ' ' << sycl::backend::cuda << ' ' << sycl::backend::opencl;
  CHECK(backends.str() == "host ext_oneapi_cuda opencl");

  int asked = 0;
  const sycl::queue chosen{[&](const sycl::device &device) {
    ++asked;
    return device == one ? 1000 : 1;
  }};
  CHECK(chosen.get_device() == one && asked == static_cast<int>(devices.size()));
  if (!cpus.empty()) {
    CHECK(sycl::device(sycl::aspect_selector(sycl::aspect::cpu)) == one);
    CHECK(sycl::device(sycl::aspect_selector<sycl::aspect::cpu>()) == one);
  }
  CHECK(sycl::device(sycl::aspect_selector({sycl::aspect::fp64}, {sycl::aspect::accelerator})) == first);

  const sycl::queue a(one), b{one, sycl::property_list{sycl::property::queue::in_order()}};
  CHECK(a.get_context() == b.get_context());
  CHECK(a != b);
  const sycl::queue c(a.get_context(), one), d = c;
  CHECK(c == d && c.get_info<info::queue::device>() == one);
  CHECK(sycl::context(one).get_devices().size() == 1);
  std::unordered_set<sycl::queue> queues{a, b, c, d};
  CHECK_EQUAL(queues.size(), 3);
  std::unordered_set<sycl::device> set(devices.begin(), devices.end());
  CHECK_EQUAL(set.size(), devices.size());
  return pass();
}
