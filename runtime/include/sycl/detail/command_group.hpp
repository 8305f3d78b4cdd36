// command_group: the one command of a command group, and how it is submitted.
//
// In: what a handler was asked for. Out: a call of the C interface, and the event of its command.
// A kernel's argument block is copied into the object itself unless it is unusually large.
// *Invariant:* a host task is released exactly once, also if nothing is submitted.
#ifndef SYCL_DETAIL_COMMAND_GROUP_HPP
#define SYCL_DETAIL_COMMAND_GROUP_HPP

#include "../runtime/host_task.hpp"
#include "../runtime/kernel_bundle.hpp"
#include "bricks.hpp"
#include "requirements.hpp"
#include "stream_text.hpp"

namespace sycl::detail {

class command_group {
protected:
  // Limit of sinter_queue_fill, in bytes.
  static constexpr std::size_t pattern_limit = 128;
  static constexpr std::size_t inline_block = 512;

  enum class command {
    none,
    nothing,
    kernel,
    copy,
    fill,
    prefetch,
    advise,
    copy_rows,
    fill_rows,
    copy_bricks,
    fill_bricks,
    host_task,
    barrier
  };

  explicit command_group(const shared<queue_state> &queue) noexcept : state(queue) {}
  ~command_group() {
    if (bytes != storage)
      ::operator delete(bytes);
    if (task_of_host)
      task_of_host->release(task_of_host);
  }

  command_group(const command_group &) = delete;
  command_group &operator=(const command_group &) = delete;

  void begin(command next) {
    if (kind != command::none)
      raise(errc::invalid, "a command group function holds one command; submit the second one on its own");
    kind = next;
  }

  void store(const void *object, std::size_t object_size) {
    if (object_size > inline_block)
      bytes = static_cast<unsigned char *>(::operator new(object_size));
    __builtin_memcpy(bytes, object, object_size);
    extent = object_size;
  }

  event submit() {
    if (!requirements.empty())
      return submit_required();
    std::uint64_t ticket = 0;
    bool has_work = false;
    switch (kind) {
    case command::none:
    case command::nothing:
      return submit_nothing();
    case command::kernel:
      launch.local_memory = static_cast<std::uint32_t>(local_memory);
      give_constants();
      begin_streams();
      check_launch(sinter_queue_launch(state->get(), kernel, bytes, extent, &launch, &ticket));
      has_work = end_streams(ticket) || detail::has_work(launch);
      break;
    case command::copy:
      check(sinter_queue_memcpy(state->get(), to, from, extent, &ticket));
      has_work = extent != 0;
      break;
    case command::fill:
      check(sinter_queue_fill(state->get(), to, bytes, extent, repeat, &ticket));
      has_work = repeat != 0;
      break;
    case command::prefetch:
      check(sinter_queue_prefetch(state->get(), from, extent, 0, &ticket));
      break;
    case command::advise:
      check(sinter_queue_advise(state->get(), from, extent, wish, &ticket));
      break;
    case command::copy_rows:
      check(sinter_queue_memcpy_rows(state->get(), to, rows.to_pitch, from, rows.from_pitch, extent, rows.count,
                                             &ticket));
      has_work = extent != 0 && rows.count != 0;
      break;
    case command::fill_rows:
      return submit_fill_rows();
    case command::host_task:
      return submit_host_task();
    case command::barrier:
      return submit_barrier();
    case command::copy_bricks:
    case command::fill_bricks:
      not_required();
    }
    return made(ticket, has_work);
  }

  event made(std::uint64_t ticket, bool has_work) {
    return event(state, ticket, has_work, static_cast<shared<wait_list> &&>(waits));
  }

  // A command that waits for the program keeps the state of its queue, whose memory it uses.
  static void retain_queue(void *queue) { shared<queue_state>::keep(static_cast<queue_state *>(queue)); }
  static void release_queue(void *queue) { shared<queue_state>::adopt(static_cast<queue_state *>(queue)); }

  // Submits a command with requirements. Dependencies of the command group are dependencies of the
  // queue itself, which a command that overlaps others does not follow.
  event submit_required() {
    const bool beside = overlaps && !waits && !streams && !state->properties.has_property<property::queue::in_order>();
    sinter_command command = {};
    command.struct_size = sizeof(command);
    command.flags = beside ? SINTER_COMMAND_OVERLAPS : 0u;
    command.requirement_count = static_cast<std::uint32_t>(requirements.size());
    command.requirements = requirements.data();
    begin_streams();
    bool has_work = describe(command);
    std::uint64_t ticket = 0;
    if (kind != command::host_task) {
      command.retain = retain_queue;
      command.release = release_queue;
      command.data = state.get();
    }
    check_launch(sinter_queue_submit(state->get(), &command, &ticket));
    has_work |= end_streams(ticket);
    for (std::shared_ptr<const void> &one : kept)
      state->keep(ticket, static_cast<std::shared_ptr<const void> &&>(one));
    return made(ticket, has_work);
  }
  // The offset of an nd_range is one beside those of a bundle.
  void give_constants() {
    if (bundle)
      constants.add(bundle->constants);
    constants.give(launch);
  }
  // Returns true if the command has work.
  bool describe(sinter_command &command) {
    command.block = bytes;
    command.block_size = extent;
    command.destination = to;
    command.source = from;
    switch (kind) {
    case command::none:
    case command::nothing:
    case command::barrier:
      return false;
    case command::kernel:
      command.kind = SINTER_COMMAND_LAUNCH;
      command.kernel = kernel;
      launch.local_memory = static_cast<std::uint32_t>(local_memory);
      give_constants();
      command.launch = &launch;
      return detail::has_work(launch);
    case command::copy:
      bricks = {{extent, 1, 1}, {0, 0}, {0, 0}};
      return bricks.describe(command, SINTER_COMMAND_COPY);
    case command::copy_rows:
      bricks = {{extent, rows.count, 1}, {rows.to_pitch, 0}, {rows.from_pitch, 0}};
      return bricks.describe(command, SINTER_COMMAND_COPY);
    case command::fill:
      bricks = {{repeat, 1, 1}, {0, 0}, {0, 0}};
      return bricks.describe(command, SINTER_COMMAND_FILL);
    case command::fill_rows:
      bricks = {{repeat, rows.count, 1}, {rows.to_pitch, 0}, {0, 0}};
      return bricks.describe(command, SINTER_COMMAND_FILL);
    case command::copy_bricks:
      return bricks.describe(command, SINTER_COMMAND_COPY);
    case command::fill_bricks:
      return bricks.describe(command, SINTER_COMMAND_FILL);
    case command::host_task:
      command.kind = SINTER_COMMAND_HOST_TASK;
      command.function = task_of_host->run;
      command.release = task_of_host->release;
      command.data = task_of_host;
      task_of_host = nullptr;
      return true;
    case command::prefetch:
    case command::advise:
      raise(errc::feature_not_supported, "a command group with accessors cannot prefetch or give advice");
    }
    return false;
  }
  event submit_fill_rows() {
    if (repeat == 0 || rows.count == 0)
      return submit_nothing();
    const bool whole = rows.to_pitch == repeat * extent;
    const std::size_t commands = whole ? 1 : rows.count, count = whole ? repeat * rows.count : repeat;
    std::uint64_t ticket = 0;
    for (std::size_t row = 0; row < commands; ++row)
      check(sinter_queue_fill(state->get(), static_cast<unsigned char *>(to) + row * rows.to_pitch, bytes,
                                      extent, count, &ticket));
    return made(ticket, true);
  }

  void begin_streams() {
    for (stream_memory *one = streams.get(); one; one = one->next.get())
      one->begin();
  }
  // The streams print one after another, in the order of their construction. True if there are any.
  bool end_streams(std::uint64_t &ticket) {
    shared<stream_memory> ordered;
    while (streams) {
      shared<stream_memory> rest;
      rest.swap(streams->next);
      streams->next.swap(ordered);
      ordered.swap(streams);
      streams.swap(rest);
    }
    for (const auto *one = &ordered; *one; one = &(*one)->next)
      ticket = stream_memory::end(*one);
    return static_cast<bool>(ordered);
  }

  // The runtime owns the task from now on, also if it refuses it.
  event submit_host_task() {
    std::uint64_t ticket = 0;
    any_host_task *const task = task_of_host;
    task_of_host = nullptr;
    check(sinter_queue_host_task(state->get(), task->run, task->release, task, &ticket));
    return made(ticket, true);
  }

  // Every command of a queue that is in order is one.
  event submit_barrier() {
    if (state->properties.has_property<property::queue::in_order>())
      return submit_nothing();
    sinter_command command = {};
    command.struct_size = sizeof(command);
    command.kind = SINTER_COMMAND_BARRIER;
    std::uint64_t ticket = 0;
    check(sinter_queue_submit(state->get(), &command, &ticket));
    return made(ticket, false);
  }

  // The event of a command group without a command stands for its dependencies, which have tickets
  // of their own.
  event submit_nothing() {
    std::uint64_t ticket = 0;
    check(sinter_queue_last_ticket(state->get(), &ticket));
    return made(ticket, false);
  }

  shared<queue_state> state;
  shared<wait_list> waits;
  requirement_list requirements;
  std::vector<placeholder_address> placeholders;
  std::vector<std::shared_ptr<const void>> kept; // until the command is complete
  bool overlaps = true;
  brick_lengths bricks;
  command kind = command::none;
  const sinter_kernel *kernel = nullptr;
  any_host_task *task_of_host = nullptr;
  sinter_launch launch;
  constant_values constants;
  shared<stream_memory> streams;
  shared<bundle_content> bundle;
  void *to = nullptr;
  const void *from = nullptr;
  std::size_t extent = 0, repeat = 0, local_memory = 0;
  // How a kernel is launched whose groups the device chooses, else null.
  const char *implicit_groups = nullptr;
  struct {
    std::size_t to_pitch, from_pitch, count;
  } rows = {};
  sinter_advice wish = SINTER_ADVICE_DEFAULT;
  unsigned char *bytes = storage;
  alignas(16) unsigned char storage[inline_block];
};

} // namespace sycl::detail

#endif
