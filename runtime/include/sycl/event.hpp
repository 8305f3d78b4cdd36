// event: a queue and the ticket of one of its commands.
//
// An event allocates nothing; it keeps its queue alive. A default-constructed event is complete.
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include "detail/queue_state.hpp"

#include <ctime>

namespace sycl {

class event {
public:
  event() = default;

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
  // Commands keep no list of what they waited for.
  std::vector<event> get_wait_list() { return {}; }

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

  friend bool operator==(const event &a, const event &b) noexcept { return a.state == b.state && a.ticket == b.ticket; }
  friend bool operator!=(const event &a, const event &b) noexcept { return !(a == b); }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(state.get()) ^ ticket; }

private:
  static std::uint64_t time(info::event_profiling::command_submit, const sinter_profile &p) { return p.submit; }
  static std::uint64_t time(info::event_profiling::command_start, const sinter_profile &p) { return p.start; }
  static std::uint64_t time(info::event_profiling::command_end, const sinter_profile &p) { return p.end; }

  friend class handler;
  friend class queue;
  event(const detail::shared<detail::queue_state> &queue, std::uint64_t number, bool has_work) noexcept
      : state(queue), ticket(number), idle_since(!has_work && queue->profiled ? now() : 0) {}

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
  std::uint64_t ticket = 0;
  // On a queue with profiling, when a command without work was submitted: its ticket is that of the command before.
  // Else 0.
  std::uint64_t idle_since = 0;
};

} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &value) const noexcept { return value.sinter_hash(); }
};

#endif
