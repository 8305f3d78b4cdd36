// Error codes, categories and the message of a failed device selection.
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include <cstring>
#include <string>
#include <system_error>

#include "../check.hpp"

int main() {
  const sycl::exception plain(sycl::errc::invalid, "the text");
  CHECK(plain.code() == sycl::errc::invalid);
  CHECK(plain.code() != sycl::errc::runtime);
  CHECK(plain.category() == sycl::sycl_category());
  CHECK(std::strcmp(plain.what(), "the text") == 0);
  CHECK(std::string(sycl::sycl_category().name()) == "sycl");
  CHECK(!sycl::make_error_code(sycl::errc::nd_range).message().empty());
  const std::error_code code = sycl::errc::build;
  CHECK(code.value() == static_cast<int>(sycl::errc::build));

  const sycl::context context;
  const std::string words = "in a context";
  const sycl::exception placed(context, 5, sycl::sycl_category(), words);
  CHECK(placed.has_context() && placed.get_context() == context && placed.code() == sycl::errc::event);
  CHECK(placed.what() == words && sycl::exception(placed).get_context() == context);
  CHECK(sycl::exception(context, sycl::errc::build).has_context());
  CHECK(sycl::exception(context, sycl::make_error_code(sycl::errc::build), "text").get_context() == context);
  CHECK(sycl::exception(context, 5, sycl::sycl_category()).code() == sycl::errc::event);
  CHECK(!plain.has_context());
  static_assert(std::is_same_v<sycl::async_handler, std::function<void(sycl::exception_list)>>);
  try {
    plain.get_context();
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::invalid);
  }

  try {
    sycl::queue queue{[](const sycl::device &) { return -1; }};
    CHECK(!"an exception");
  } catch (const std::exception &error) {
    const sycl::exception *ours = dynamic_cast<const sycl::exception *>(&error);
    CHECK(ours && ours->code() == sycl::errc::runtime);
    const std::string name = sycl::device().get_info<sycl::info::device::name>();
    CHECK(std::strstr(error.what(), name.c_str()) != nullptr);
  }
  if (sycl::device::get_devices(sycl::info::device_type::gpu).empty()) {
    try {
      sycl::queue queue{sycl::gpu_selector_v};
      CHECK(!"an exception");
    } catch (const sycl::exception &error) {
      CHECK(error.code() == sycl::errc::runtime);
      CHECK(std::strstr(error.what(), "(cpu") != nullptr);
    }
  }
  try {
    sycl::queue queue{sycl::property::queue::enable_profiling()};
    CHECK(queue.get_device().has(sycl::aspect::queue_profiling));
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::feature_not_supported);
  }
  try {
    sycl::context nothing{std::vector<sycl::device>()};
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::invalid);
    CHECK(!error.has_context());
  }

  bool called = false;
  sycl::queue queue{sycl::default_selector_v, [&](sycl::exception_list errors) { called = errors.size() != 0; }};
  queue.wait_and_throw();
  queue.throw_asynchronous();
  CHECK(!called);
  return pass();
}
