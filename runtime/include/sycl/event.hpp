// event: a queue and the ticket of one of its commands.
//
// An event allocates nothing; it keeps its queue alive, and the events that its command was told to wait for. A
// default-constructed event is complete.
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include "detail/queue_state.hpp"

#include <ctime>

namespace sycl {
namespace detail {

struct wait_list;

} // namespace detail

class event {
public:
  event() noexcept : serial(next_serial()) {}

  void wait() {
    if (state)
      state->wait(ticket);
  }
  static void wait(const std::vector<event> &events) {
    for (event one : events)
      one.wait();
  }
  void wait_and_throw() {
    wait();
    if (state)
      state->throw_asynchronous();
  }
  static void wait_and_throw(const std::vector<event> &events) {
    for (event one : events)
      one.wait_and_throw();
  }

  backend get_backend() const { return state ? state->target.get_backend() : backend::host; }
  // What the command was told to wait for. That it also comes behind all earlier commands of its queue is not in it.
  // A template, so that only programs that ask compile it.
  template <class List = std::vector<event>> List get_wait_list();

  template <class Info> typename Info::return_type get_info() const { return answer(Info()); }
  // Waits for the command, whichever time is asked for.
  template <class Info> typename Info::return_type get_profiling_info() const {
    if (!state || !state->profiled)
      detail::raise(errc::invalid, "the event has no times: make its queue with property::queue::enable_profiling");
    sinter_profile profile = {sizeof(sinter_profile), 0, 0, 0, 0};
    if (ticket != 0 || idle_since == 0)
      detail::check(sinter_queue_profile(state->get(), ticket, &profile));
    return time(Info(), idle_since == 0 ? profile : after(profile));
  }

  friend bool operator==(const event &a, const event &b) noexcept {
    return a.state == b.state && a.ticket == b.ticket && a.serial == b.serial;
  }
  friend bool operator!=(const event &a, const event &b) noexcept { return !(a == b); }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(state.get()) ^ ticket ^ serial; }

private:
  static std::uint64_t time(info::event_profiling::command_submit, const sinter_profile &p) { return p.submit; }
  static std::uint64_t time(info::event_profiling::command_start, const sinter_profile &p) { return p.start; }
  static std::uint64_t time(info::event_profiling::command_end, const sinter_profile &p) { return p.end; }

  friend class handler;
  friend class queue;
  friend detail::wait_list;
  event(const detail::shared<detail::queue_state> &queue, std::uint64_t number, bool has_work,
        detail::shared<detail::wait_list> before = {}) noexcept
      : state(queue), waits(static_cast<detail::shared<detail::wait_list> &&>(before)), ticket(number),
        serial(has_work ? 0 : next_serial()), idle_since(!has_work && queue->profiled ? now() : 0) {}

  // Numbers of the process for events that have no ticket of their own.
  __attribute__((visibility("default"))) static std::uint64_t next_serial() noexcept {
    static std::uint64_t last = 0;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  }

  // Nanoseconds of the clock of sinter_profile.
  static std::uint64_t now() noexcept {
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
  }
  // The times of a command without work: it begins and ends as soon as the one before it is over.
  sinter_profile after(sinter_profile before) const noexcept {
    before.submit = idle_since;
    before.start = before.end = before.end > idle_since ? before.end : idle_since;
    return before;
  }

  info::event_command_status answer(info::event::command_execution_status) const {
    std::int32_t complete = 1;
    if (state)
      detail::check(sinter_queue_query(state->get(), ticket, &complete));
    return complete ? info::event_command_status::complete : info::event_command_status::running;
  }

  detail::shared<detail::queue_state> state;
  detail::shared<detail::wait_list> waits;
  std::uint64_t ticket = 0;
  // Tells apart events with the same ticket: those of commands without work, and default-constructed ones. Else 0.
  std::uint64_t serial = 0;
  // On a queue with profiling, when a command without work was submitted: its ticket is that of the command before.
  // Else 0.
  std::uint64_t idle_since = 0;
};

namespace detail {

// One event that a command waits for, and the others that it was told of before. The event has a list of its own.
struct wait_list : counted {
  event before;
  shared<wait_list> earlier;
  // Lists that lie one behind the other from here on. A chain of them ends somewhere, or it would grow until the last
  // event of it is gone.
  unsigned depth;
  static constexpr unsigned deepest = 256;

  wait_list(const event &one, const shared<wait_list> &others)
      : before(one), earlier(others), depth(others ? others->depth : 1) {
    if (before.waits && before.waits->depth == deepest)
      before.waits = {};
    else if (before.waits && before.waits->depth >= depth)
      depth = before.waits->depth + 1;
  }
  // One after the other, not each inside the one before: there may be more of them than the stack has room for.
  ~wait_list() {
    shared<wait_list> next = static_cast<shared<wait_list> &&>(earlier);
    while (next && next.is_last())
      next = static_cast<shared<wait_list> &&>(next->earlier);
  }
};

} // namespace detail

template <class List> List event::get_wait_list() {
  std::size_t count = 0;
  for (const detail::wait_list *one = waits.get(); one; one = one->earlier.get())
    ++count;
  List events(count);
  for (const detail::wait_list *one = waits.get(); one; one = one->earlier.get())
    events[--count] = one->before;
  return events;
}

} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &value) const noexcept { return value.sinter_hash(); }
};

#endif
