// Uses the header from C++, with what stage 1 emits: a constructor and a destructor around
// everything else.
#include <sinter/sinter.h>

#include <cstdio>
#include <cstring>
#include <thread>

namespace {

const char payload[] = "not a container";

struct Registration {
  sinter_container container{};
  Registration() {
    container.struct_size = sizeof(sinter_container);
    container.abi_version = SINTER_ABI_VERSION;
    container.data = payload;
    container.size = sizeof(payload);
    sinter_register_container(&container);
  }
  ~Registration() { sinter_unregister_container(&container); }
} registration;

int failures = 0;

void check(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "%s (%s)\n", what, sinter_last_error());
    ++failures;
  }
}

sinter_queue *make_queue() {
  sinter_queue *queue = nullptr;
  check(sinter_queue_create(0, &queue) == SINTER_SUCCESS, "queue");
  return queue;
}

// Never destroyed: a program may exit with queues.
sinter_queue *leaked = make_queue();

void errors_belong_to_threads() {
  sinter_free(&failures);
  std::thread([] { check(std::strcmp(sinter_last_error(), "") == 0, "another thread's error"); }).join();
  check(std::strstr(sinter_last_error(), "pointer") != nullptr, "this thread's error");
}

void damaged_container() {
  sinter_kernel kernel{};
  kernel.struct_size = sizeof(kernel);
  kernel.container = &registration.container;
  kernel.symbol = "k";
  sinter_launch launch{sizeof(sinter_launch), 1, {1, 1, 1}, {0, 0, 0}, 0, 0, 0, nullptr};
  const auto status = sinter_queue_launch(leaked, &kernel, nullptr, 0, &launch, nullptr);
  check(status == SINTER_ERROR_KERNEL, sinter_status_name(status));
}

} // namespace

int main() {
  errors_belong_to_threads();
  damaged_container();
  if (failures == 0)
    std::puts("ok");
  return failures;
}
