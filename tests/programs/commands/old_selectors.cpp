// Selectors of SYCL 1.2.1: classes with a base class, which convert to devices and queues.
// devices: host
#include <sycl/sycl.hpp>

#include <memory>

#include "../check.hpp"

namespace {

class any_cpu : public sycl::device_selector {
public:
  int operator()(const sycl::device &device) const override { return device.is_cpu() ? 10 : -1; }
};

sycl::device chosen_by(const sycl::device_selector &selector) { return selector.select_device(); }

} // namespace

int main() {
  const sycl::device cpu(sycl::cpu_selector_v);
  CHECK(chosen_by(any_cpu()) == cpu && chosen_by(sycl::cpu_selector()) == cpu);
  CHECK(chosen_by(sycl::default_selector()) == sycl::device());
  const std::unique_ptr<sycl::device_selector> selector = std::make_unique<sycl::cpu_selector>();
  sycl::queue queue(*selector, sycl::property_list{sycl::property::queue::in_order()});
  CHECK(queue.get_device() == cpu && queue.is_in_order());
  queue = any_cpu{};
  CHECK(queue.get_device() == cpu && !queue.is_in_order());
  const auto counts = [calls = 0](const sycl::device &device) mutable { return device.is_cpu() ? ++calls : -1; };
  CHECK(sycl::queue(counts).get_device() == cpu);
  const sycl::device converted = any_cpu();
  CHECK(converted == cpu);
  CHECK(sycl::queue(sycl::cpu_selector(), [](sycl::exception_list) {}).get_device() == cpu);
  CHECK(!cpu.is_host() && !queue.is_host() && !cpu.get_platform().is_host() && !queue.get_context().is_host());
  CHECK(cpu.get_info<sycl::info::device::built_in_kernel_ids>().empty());
  using discard = sycl::ext::oneapi::property::queue::discard_events;
  const sycl::queue hinted{sycl::property_list{discard(), sycl::property::queue::in_order()}};
  CHECK(hinted.has_property<discard>() && hinted.is_in_order());
  return pass();
}
