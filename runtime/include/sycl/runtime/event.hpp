// event: a queue and the ticket of one of its commands.
//
// An event keeps its queue alive, and the list of events on which its command depends, which is
// allocated only if there are any. A default-constructed event is complete.
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include "../detail/queue_state.hpp"

#include <ctime>

namespace sycl {
namespace detail {

struct wait_list;
class command_group;

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
  // Also reports the errors of the queues of the command's dependencies.
  void wait_and_throw();
  static void wait_and_throw(const std::vector<event> &events) {
    for (event one : events)
      one.wait_and_throw();
  }

  backend get_backend() const noexcept { return state ? state->target.get_backend() : detail::default_backend(); }
  // The explicit dependencies of the command, without the implicit one on all earlier commands of
  // its queue. A template, so that only programs that use it compile it.
  template <class List = std::vector<event>> List get_wait_list();

  template <class Info> typename Info::return_type get_info() const { return answer(Info()); }
  // Waits for the command, for each of the times.
  template <class Info> typename Info::return_type get_profiling_info() const {
    if (!state || !state->profiled)
      detail::raise(errc::invalid, "the event has no times: make its queue with property::queue::enable_profiling");
    sinter_profile profile = {sizeof(sinter_profile), 0, 0, 0, 0};
    if (ticket != 0 || idle_since == 0)
      detail::check(sinter_queue_profile(state->get(), ticket, &profile));
    return time(Info(), idle_since == 0 ? profile : after(profile));
  }

  SINTER_OWNER_BEFORE
  friend bool operator==(const event &a, const event &b) noexcept {
    return a.state == b.state && a.ticket == b.ticket && a.serial == b.serial;
  }
  friend bool operator!=(const event &a, const event &b) noexcept { return !(a == b); }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(state.get()) ^ ticket ^ serial; }

private:
  static std::uint64_t time(info::event_profiling::command_submit, const sinter_profile &p) { return p.submit; }
  static std::uint64_t time(info::event_profiling::command_start, const sinter_profile &p) { return p.start; }
  static std::uint64_t time(info::event_profiling::command_end, const sinter_profile &p) { return p.end; }

  friend detail::command_group;
  friend detail::weak_access;
  friend class queue;
  friend detail::wait_list;
  event(const detail::shared<detail::queue_state> &queue, std::uint64_t number, bool has_work,
        detail::shared<detail::wait_list> before = {}) noexcept
      : state(queue), waits(static_cast<detail::shared<detail::wait_list> &&>(before)), ticket(number),
        serial(has_work ? 0 : next_serial()), idle_since(!has_work && queue->profiled ? now() : 0) {}

  // Process-wide numbers for events without a ticket of their own.
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
  // The times of a command without work: it starts and ends when the previous command is complete.
  sinter_profile after(sinter_profile before) const noexcept {
    before.submit = idle_since;
    before.start = before.end = before.end > idle_since ? before.end : idle_since;
    return before;
  }

  std::uint32_t answer(info::event::reference_count) const {
    return state ? static_cast<std::uint32_t>(__atomic_load_n(&state->references, __ATOMIC_RELAXED)) : 1;
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
  // Distinguishes events with the same ticket: those of commands without work, and
  // default-constructed ones. Else 0.
  std::uint64_t serial = 0;
  // On a queue with profiling, the submit time of a command without work, which has the ticket of
  // the previous command. Else 0.
  std::uint64_t idle_since = 0;
};

namespace detail {

// A dependency of a command, with the dependency's own list, and the earlier dependencies of the
// command.
//
// Lists of a chain of commands link to one another, and would live as long as the last event of the
// chain. SYCL does not say if lists contain completed events (4.6.6.1), so the lists of completed
// events are dropped after a certain number of new lists: a chain keeps about as many as it has
// incomplete commands.
struct wait_list : counted {
  wait_list(event &&one, shared<wait_list> &&others)
      : before(static_cast<event &&>(one)), earlier(static_cast<shared<wait_list> &&>(others)),
        due((before.waits ? before.waits->due : interval) - 1) {
    if (earlier && earlier->due <= due)
      due = earlier->due - 1;
    if (due == 0)
      due = give_up_completed();
  }
  // Iterative rather than recursive: there may be more lists than the stack has room for.
  ~wait_list() {
    wait_list *last = nullptr;
    release(last);
    while (wait_list *one = last) {
      last = one->next;
      one->release(last);
      delete one;
    }
  }

  // Makes a queue wait for an event, and adds the event to the dependencies of the queue's next
  // command.
  static void add(shared<wait_list> &list, const shared<queue_state> &queue, event &&dependency) {
    if (!dependency.state)
      return; // complete
    // The queue itself is in order; its lanes, with numbers in the first byte of tickets, are not.
    // Commands that are kept back, with a number in the second byte, may fail one by one.
    if (dependency.state != queue || dependency.ticket >> 48 != 0)
      check(sinter_queue_depend(queue->get(), dependency.state->get(), dependency.ticket));
    list = shared<wait_list>::adopt(
        new wait_list(static_cast<event &&>(dependency), static_cast<shared<wait_list> &&>(list)));
  }

  event sinter_before() const {
    const guard held;
    return before;
  }
  const wait_list *sinter_earlier() const noexcept { return earlier.get(); }

private:
  static constexpr unsigned interval = 64;

  // Guards `before.waits` of lists that other threads may share, for the few instructions of an
  // access.
  struct guard {
    guard() noexcept {
      while (__atomic_test_and_set(word(), __ATOMIC_ACQUIRE)) {
      }
    }
    ~guard() { __atomic_clear(word(), __ATOMIC_RELEASE); }
    __attribute__((visibility("default"))) static bool *word() noexcept {
      static bool locked = false;
      return &locked;
    }
  };

  // Moves objects without other references into the list `last`.
  void release(wait_list *&last) noexcept {
    for (wait_list *one : {earlier.release(), before.waits.release()})
      if (one) {
        one->next = last;
        last = one;
      }
  }

  // Drops the lists of completed events. Returns the number of new lists until the next time: as
  // many as are left, so that the amortised cost per list is constant.
  unsigned give_up_completed() {
    const std::uint64_t now = event::next_serial();
    std::vector<shared<wait_list>> found;
    unsigned left = 1;
    for (look(found); !found.empty(); ++left) {
      const shared<wait_list> one = static_cast<shared<wait_list> &&>(found.back());
      found.pop_back();
      if (__atomic_exchange_n(&one->seen, now, __ATOMIC_RELAXED) != now)
        one->look(found);
    }
    return left > interval ? left : interval;
  }
  void look(std::vector<shared<wait_list>> &found) {
    if (earlier)
      found.push_back(earlier);
    event one = sinter_before();
    if (!one.waits)
      return;
    if (is_complete())
      drop();
    else
      found.push_back(static_cast<shared<wait_list> &&>(one.waits));
  }
  // False if the query fails: only events known to be complete are dropped.
  bool is_complete() const noexcept {
    std::int32_t complete = 0;
    return sinter_queue_query(before.state->get(), before.ticket, &complete) == SINTER_SUCCESS && complete != 0;
  }
  void drop() noexcept {
    shared<wait_list> dropped;
    const guard held;
    dropped.swap(before.waits);
  }

  event before;
  shared<wait_list> earlier;
  wait_list *next = nullptr;
  std::uint64_t seen = 0;
  unsigned due;
};

} // namespace detail

inline void event::wait_and_throw() {
  wait();
  for (const detail::wait_list *one = waits.get(); one; one = one->sinter_earlier())
    one->sinter_before().state->throw_asynchronous();
  if (state)
    state->throw_asynchronous();
}

template <class List> List event::get_wait_list() {
  std::size_t count = 0;
  for (const detail::wait_list *one = waits.get(); one; one = one->sinter_earlier())
    ++count;
  List events(count);
  for (const detail::wait_list *one = waits.get(); one; one = one->sinter_earlier())
    events[--count] = one->sinter_before();
  return events;
}

} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &value) const noexcept { return value.sinter_hash(); }
};

#endif
