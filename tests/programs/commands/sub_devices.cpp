// Parts of the host CPU as devices of their own.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

using property = sycl::info::partition_property;
namespace info = sycl::info::device;

template <class Call> static bool throws(sycl::errc code, const Call &call) {
  try {
    call();
  } catch (const sycl::exception &error) {
    return error.code() == code;
  }
  return false;
}

// Kernels run on the part, with memory of the whole device.
static void compute(const sycl::device &part, const sycl::device &whole) {
  sycl::queue queue(part), other(whole);
  CHECK(queue.get_device() == part);
  constexpr int count = 10000;
  int *data = sycl::malloc_shared<int>(count, queue), *more = sycl::malloc_device<int>(count, other);
  queue.parallel_for(count, [=](sycl::id<1> i) { more[i] = int(i) * 2; });
  const sycl::event done = queue.parallel_for(sycl::nd_range<1>(count, 100), [=](sycl::nd_item<1> item) {
    sycl::group_barrier(item.get_group());
    data[item.get_global_id(0)] = more[item.get_global_id(0)] + 1;
  });
  other.parallel_for(count, done, [=](sycl::id<1> i) { data[i] += 1; }).wait();
  for (int i = 0; i < count; ++i)
    CHECK_EQUAL(data[i], i * 2 + 2);
  sycl::free(data, queue);
  sycl::free(more, other);
}

static void divided(const sycl::device &device, std::size_t units) {
  const auto properties = device.get_info<info::partition_properties>();
  CHECK(properties.size() == (device.get_info<info::partition_affinity_domains>().empty() ? 2u : 3u));
  CHECK(device.get_info<info::partition_max_sub_devices>() == units);
  const std::vector<sycl::device> equal = device.create_sub_devices<property::partition_equally>(1);
  CHECK(equal.size() == units && equal.front() != equal.back() && equal[0] != device);
  CHECK(equal == device.create_sub_devices<property::partition_equally>(1));
  for (const sycl::device &part : equal) {
    CHECK(part.get_info<info::max_compute_units>() == 1 && part.get_info<info::parent_device>() == device);
    CHECK(part.get_info<info::partition_type_property>() == property::partition_equally);
    CHECK(part.get_platform() == device.get_platform() && part.is_cpu());
    CHECK(part.get_info<info::partition_max_sub_devices>() == 0);
  }
  const auto counted = device.create_sub_devices<property::partition_by_counts>(std::vector<std::size_t>{units - 1, 1});
  CHECK(counted.size() == 2 && counted[0].get_info<info::max_compute_units>() == units - 1);
  CHECK(counted[0].get_info<info::partition_type_property>() == property::partition_by_counts);
  CHECK(throws(sycl::errc::invalid, [&] { device.create_sub_devices<property::partition_equally>(units + 1); }));
  CHECK(throws(sycl::errc::invalid, [&] {
    device.create_sub_devices<property::partition_by_counts>(std::vector<std::size_t>{units, 1});
  }));
  compute(equal[0], device);
  compute(counted[0], device);
  const sycl::context context(device), own(equal);
  CHECK(sycl::queue(context, equal[0]).get_context() == context);
  CHECK(throws(sycl::errc::invalid, [&] { sycl::queue(own, device); }));
}

// One part for each of several NUMA nodes.
static void by_nodes(const sycl::device &device) {
  using domain = sycl::info::partition_affinity_domain;
  const auto divide = [&](domain by) { return device.create_sub_devices<property::partition_by_affinity_domain>(by); };
  CHECK(throws(sycl::errc::feature_not_supported, [&] { divide(domain::L1_cache); }));
  CHECK(device.get_info<info::partition_type_affinity_domain>() == domain::not_applicable);
  const std::vector<domain> domains = device.get_info<info::partition_affinity_domains>();
  if (domains.empty()) {
    CHECK(throws(sycl::errc::feature_not_supported, [&] { divide(domain::numa); }));
    CHECK(throws(sycl::errc::feature_not_supported, [&] { divide(domain::next_partitionable); }));
    return;
  }
  const std::vector<sycl::device> nodes = divide(domain::numa);
  CHECK(domains.size() == 2 && nodes.size() > 1 && nodes == divide(domain::next_partitionable));
  for (const sycl::device &node : nodes) {
    CHECK(node.get_info<info::partition_type_affinity_domain>() == domain::numa);
    CHECK(node.get_info<info::partition_affinity_domains>().empty());
    CHECK(node.get_info<info::parent_device>() == device);
    compute(node, device);
  }
}

int main() {
  const sycl::device device;
  const std::size_t units = device.get_info<info::max_compute_units>();
  CHECK(device.get_info<info::partition_type_property>() == property::no_partition);
  CHECK(throws(sycl::errc::invalid, [&] { static_cast<void>(device.get_info<info::parent_device>()); }));
  by_nodes(device);
  if (device.get_backend() == sycl::backend::host && units > 1) {
    divided(device, units);
  } else {
    CHECK(device.get_info<info::partition_properties>().empty());
    CHECK(throws(sycl::errc::feature_not_supported, [&] {
      device.create_sub_devices<property::partition_equally>(1);
    }));
    CHECK(throws(sycl::errc::feature_not_supported, [&] {
      device.create_sub_devices<property::partition_by_counts>(std::vector<std::size_t>{1});
    }));
  }
  return pass();
}
