// event: a queue and the ticket of one of its commands.
//
// An event allocates nothing; it keeps its queue alive. A default-constructed event is complete.
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include "detail/queue_state.hpp"

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
    if (!state || !state->properties.has_property<property::queue::enable_profiling>())
      detail::raise(errc::invalid, "the event has no times: make its queue with property::queue::enable_profiling");
    sinter_profile profile = {sizeof(sinter_profile), 0, 0, 0, 0};
    detail::check(sinter_queue_profile(state->get(), ticket, &profile));
    return time(Info(), profile);
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
  event(const detail::shared<detail::queue_state> &queue, std::uint64_t number) noexcept
      : state(queue), ticket(number) {}

  info::event_command_status answer(info::event::command_execution_status) const {
    std::int32_t complete = 1;
    if (state)
      detail::check(sinter_queue_query(state->get(), ticket, &complete));
    return complete ? info::event_command_status::complete : info::event_command_status::running;
  }

  detail::shared<detail::queue_state> state;
  std::uint64_t ticket = 0;
};

} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &value) const noexcept { return value.sinter_hash(); }
};

#endif
