// queue: submits commands to a device.
//
// Every queue runs its commands in order, which is a valid order for an out-of-order queue. The
// shortcuts pass a kernel's argument block straight from the stack to the runtime, which copies it:
// a launch does not allocate.
#ifndef SYCL_QUEUE_HPP
#define SYCL_QUEUE_HPP

#include "handler.hpp"

#define SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS 1
#define SYCL_EXT_ONEAPI_QUEUE_EMPTY 1
#define SYCL_EXT_ONEAPI_QUEUE_PRIORITY 1
#define SYCL_EXT_ONEAPI_ENQUEUE_BARRIER 1
#define SYCL_EXT_ONEAPI_DISCARD_QUEUE_EVENTS 1
#define SYCL_KHR_QUEUE_EMPTY_QUERY 1

namespace sycl {

class queue {
public:
  // Bodies rather than delegation, which would make every constructor depend on every other one at
  // compile time.
  explicit queue(const property_list &properties = {}) { create(device(), async_handler(), properties); }
  explicit queue(const async_handler &async, const property_list &properties = {}) {
    create(device(), async, properties);
  }
  template <class Selector, detail::enable_if<detail::is_selector<Selector>> = 0>
  explicit queue(const Selector &selector, const property_list &properties = {}) {
    create(device(selector), async_handler(), properties);
  }
  template <class Selector, detail::enable_if<detail::is_selector<Selector>> = 0>
  explicit queue(const Selector &selector, const async_handler &async, const property_list &properties = {}) {
    create(device(selector), async, properties);
  }
  queue(const device_selector &selector, const property_list &properties = {}) {
    create(device(selector), async_handler(), properties);
  }
  explicit queue(const device &target, const property_list &properties = {}) {
    create(target, async_handler(), properties);
  }
  explicit queue(const device &target, const async_handler &async, const property_list &properties = {}) {
    create(target, async, properties);
  }
  template <class Selector, detail::enable_if<detail::is_selector<Selector>> = 0>
  explicit queue(const context &members, const Selector &selector, const property_list &properties = {}) {
    create_in(members, device(selector), async_handler(), properties);
  }
  template <class Selector, detail::enable_if<detail::is_selector<Selector>> = 0>
  explicit queue(const context &members, const Selector &selector, const async_handler &async,
                 const property_list &properties = {}) {
    create_in(members, device(selector), async, properties);
  }
  explicit queue(const context &members, const device &target, const property_list &properties = {}) {
    create_in(members, target, async_handler(), properties);
  }
  explicit queue(const context &members, const device &target, const async_handler &async,
                 const property_list &properties = {}) {
    create_in(members, target, async, properties);
  }

  context get_context() const { return state->members; }
  device get_device() const { return state->target; }
  backend get_backend() const noexcept { return state->target.get_backend(); }
  bool is_host() const noexcept { return false; }
  bool is_in_order() const { return has_property<property::queue::in_order>(); }
  template <class Property> bool has_property() const noexcept { return state->properties.has_property<Property>(); }
  template <class Property> Property get_property() const { return state->properties.get_property<Property>(); }
  template <class Info> typename Info::return_type get_info() const { return answer(Info()); }

  void wait() { state->wait_all(); }
  void wait_and_throw() {
    wait();
    throw_asynchronous();
  }
  void throw_asynchronous() { state->throw_asynchronous(); }

  template <class CommandGroup> event submit(CommandGroup &&group) {
    handler one(state);
    group(one);
    return one.submit();
  }
  // If submission to this queue fails, the command group is submitted to the second one.
  template <class CommandGroup> event submit(CommandGroup &&group, queue &second) {
    try {
      return submit(group);
    } catch (const exception &) {
      return second.submit(group);
    }
  }

  template <class Name = detail::unnamed, class Callable> event single_task(const Callable &function) {
    return launch_one<Name>(function, {});
  }
  template <class Name = detail::unnamed, class Callable>
  event single_task(event dependency, const Callable &function) {
    return launch_one<Name>(function, wait_for(static_cast<event &&>(dependency)));
  }
  template <class Name = detail::unnamed, class Callable>
  event single_task(const std::vector<event> &dependencies, const Callable &function) {
    return launch_one<Name>(function, wait_for(dependencies));
  }

#define SINTER_PARALLEL_FOR(dimensions)                                                                              \
  template <class Name = detail::unnamed, class Callable>                                                            \
  event parallel_for(range<dimensions> size, const Callable &function) {                                             \
    return launch_range<Name>(size, function, {});                                                                   \
  }                                                                                                                  \
  template <class Name = detail::unnamed, class Callable>                                                            \
  event parallel_for(range<dimensions> size, event dependency, const Callable &function) {                           \
    return launch_range<Name>(size, function, wait_for(static_cast<event &&>(dependency)));                          \
  }                                                                                                                  \
  template <class Name = detail::unnamed, class Callable>                                                            \
  event parallel_for(range<dimensions> size, const std::vector<event> &dependencies, const Callable &function) {     \
    return launch_range<Name>(size, function, wait_for(dependencies));                                               \
  }
  SINTER_PARALLEL_FOR(1)
  SINTER_PARALLEL_FOR(2)
  SINTER_PARALLEL_FOR(3)
#undef SINTER_PARALLEL_FOR

  // With an offset that is added to the index.
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  event parallel_for(range<Dimensions> size, id<Dimensions> offset, const Callable &function) {
    return after({}, [&](handler &one) { one.parallel_for<Name>(size, offset, function); });
  }
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  event parallel_for(range<Dimensions> size, id<Dimensions> offset, event dependency, const Callable &function) {
    return after({dependency}, [&](handler &one) { one.parallel_for<Name>(size, offset, function); });
  }
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  event parallel_for(range<Dimensions> size, id<Dimensions> offset, const std::vector<event> &dependencies,
                     const Callable &function) {
    return after(dependencies, [&](handler &one) { one.parallel_for<Name>(size, offset, function); });
  }

#define SINTER_REDUCE(size_type, ...)                                                                                \
  template <class Name = detail::unnamed, __VA_ARGS__ class First, class... Rest,                                    \
            detail::enable_if<detail::is_reduction<First>> = 0>                                                      \
  event parallel_for(size_type size, const First &first, const Rest &...rest) {                                      \
    return after({}, [&](handler &one) { one.parallel_for<Name>(size, first, rest...); });                           \
  }                                                                                                                  \
  template <class Name = detail::unnamed, __VA_ARGS__ class First, class... Rest,                                    \
            detail::enable_if<detail::is_reduction<First>> = 0>                                                      \
  event parallel_for(size_type size, event dependency, const First &first, const Rest &...rest) {                    \
    return after({dependency}, [&](handler &one) { one.parallel_for<Name>(size, first, rest...); });                 \
  }                                                                                                                  \
  template <class Name = detail::unnamed, __VA_ARGS__ class First, class... Rest,                                    \
            detail::enable_if<detail::is_reduction<First>> = 0>                                                      \
  event parallel_for(size_type size, const std::vector<event> &dependencies, const First &first,                     \
                     const Rest &...rest) {                                                                          \
    return after(dependencies, [&](handler &one) { one.parallel_for<Name>(size, first, rest...); });                 \
  }
  SINTER_REDUCE(range<1>, )
  SINTER_REDUCE(range<2>, )
  SINTER_REDUCE(range<3>, )
  SINTER_REDUCE(nd_range<Dimensions>, int Dimensions, )
#undef SINTER_REDUCE

  // With a list of compile-time properties (launch_properties.hpp).
  template <class Name = detail::unnamed, class List, class Callable, detail::enable_if<detail::is_launch_list<List>> = 0>
  event single_task(List list, const Callable &function) {
    return after({}, [&](handler &one) { one.single_task<Name>(list, function); });
  }
#define SINTER_PROPERTIES(size_type, ...)                                                                            \
  template <class Name = detail::unnamed, __VA_ARGS__ class List, class Callable,                                    \
            detail::enable_if<detail::is_launch_list<List>> = 0>                                                     \
  event parallel_for(size_type size, List list, const Callable &function) {                                          \
    return after({}, [&](handler &one) { one.parallel_for<Name>(size, list, function); });                           \
  }                                                                                                                  \
  template <class Name = detail::unnamed, __VA_ARGS__ class List, class Callable,                                    \
            detail::enable_if<detail::is_launch_list<List>> = 0>                                                     \
  event parallel_for(size_type size, const std::vector<event> &dependencies, List list, const Callable &function) {  \
    return after(dependencies, [&](handler &one) { one.parallel_for<Name>(size, list, function); });                 \
  }
  SINTER_PROPERTIES(range<1>, )
  SINTER_PROPERTIES(range<2>, )
  SINTER_PROPERTIES(range<3>, )
  SINTER_PROPERTIES(nd_range<Dimensions>, int Dimensions, )
#undef SINTER_PROPERTIES

  template <class Name = detail::unnamed, int Dimensions, class Callable>
  event parallel_for(nd_range<Dimensions> size, const Callable &function) {
    return launch_nd_range<Name>(size, function, {});
  }
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  event parallel_for(nd_range<Dimensions> size, event dependency, const Callable &function) {
    return launch_nd_range<Name>(size, function, wait_for(static_cast<event &&>(dependency)));
  }
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  event parallel_for(nd_range<Dimensions> size, const std::vector<event> &dependencies, const Callable &function) {
    return launch_nd_range<Name>(size, function, wait_for(dependencies));
  }

  event memcpy(void *destination, const void *source, std::size_t bytes) {
    return memcpy(destination, source, bytes, std::vector<event>());
  }
  event memcpy(void *destination, const void *source, std::size_t bytes, event dependency) {
    return memcpy(destination, source, bytes, std::vector<event>{dependency});
  }
  event memcpy(void *destination, const void *source, std::size_t bytes, const std::vector<event> &dependencies) {
    return after(dependencies, [&](handler &one) { one.memcpy(destination, source, bytes); });
  }
  template <class Type> event copy(const Type *source, Type *destination, std::size_t count) {
    return memcpy(destination, source, detail::bytes_of<Type>(count));
  }
  template <class Type> event copy(const Type *source, Type *destination, std::size_t count, event dependency) {
    return memcpy(destination, source, detail::bytes_of<Type>(count), dependency);
  }
  template <class Type>
  event copy(const Type *source, Type *destination, std::size_t count, const std::vector<event> &dependencies) {
    return memcpy(destination, source, detail::bytes_of<Type>(count), dependencies);
  }
  // To and from device globals: bytes from an offset on, elements from an index on.
#define SINTER_DEVICE_GLOBAL ext::oneapi::experimental::device_global<Type, List>
#define SINTER_COPY(name, one_type, other_type, length, all)                                                         \
  template <class Type, class List>                                                                                  \
  event name(one_type first, other_type second, std::size_t length = all, std::size_t start = 0) {                   \
    return submit([&](handler &one) { one.name(first, second, length, start); });                                    \
  }                                                                                                                  \
  template <class Type, class List>                                                                                  \
  event name(one_type first, other_type second, std::size_t length, std::size_t start, event dependency) {           \
    return after({dependency}, [&](handler &one) { one.name(first, second, length, start); });                       \
  }                                                                                                                  \
  template <class Type, class List>                                                                                  \
  event name(one_type first, other_type second, std::size_t length, std::size_t start,                               \
             const std::vector<event> &dependencies) {                                                               \
    return after(dependencies, [&](handler &one) { one.name(first, second, length, start); });                       \
  }
  SINTER_COPY(memcpy, SINTER_DEVICE_GLOBAL &, const void *, bytes, sizeof(Type))
  SINTER_COPY(memcpy, void *, const SINTER_DEVICE_GLOBAL &, bytes, sizeof(Type))
  SINTER_COPY(copy, const detail::global_element<Type> *, SINTER_DEVICE_GLOBAL &, count, detail::elements_of<Type>)
  SINTER_COPY(copy, const SINTER_DEVICE_GLOBAL &, detail::global_element<Type> *, count, detail::elements_of<Type>)
#undef SINTER_COPY
#undef SINTER_DEVICE_GLOBAL
  event memset(void *destination, int value, std::size_t bytes) {
    return memset(destination, value, bytes, std::vector<event>());
  }
  event memset(void *destination, int value, std::size_t bytes, event dependency) {
    return memset(destination, value, bytes, std::vector<event>{dependency});
  }
  event memset(void *destination, int value, std::size_t bytes, const std::vector<event> &dependencies) {
    return after(dependencies, [&](handler &one) { one.memset(destination, value, bytes); });
  }
  template <class Type> event fill(void *destination, const Type &pattern, std::size_t count) {
    return fill(destination, pattern, count, std::vector<event>());
  }
  template <class Type> event fill(void *destination, const Type &pattern, std::size_t count, event dependency) {
    return fill(destination, pattern, count, std::vector<event>{dependency});
  }
  template <class Type>
  event fill(void *destination, const Type &pattern, std::size_t count, const std::vector<event> &dependencies) {
    return after(dependencies, [&](handler &one) { one.fill(destination, pattern, count); });
  }
  event prefetch(const void *memory, std::size_t bytes) {
    return submit([&](handler &one) { one.prefetch(memory, bytes); });
  }
  event prefetch(const void *memory, std::size_t bytes, event dependency) {
    return after({dependency}, [&](handler &one) { one.prefetch(memory, bytes); });
  }
  event prefetch(const void *memory, std::size_t bytes, const std::vector<event> &dependencies) {
    return after(dependencies, [&](handler &one) { one.prefetch(memory, bytes); });
  }
  event mem_advise(const void *memory, std::size_t bytes, int advice) {
    return submit([&](handler &one) { one.mem_advise(memory, bytes, advice); });
  }
  event mem_advise(const void *memory, std::size_t bytes, int advice, event dependency) {
    return after({dependency}, [&](handler &one) { one.mem_advise(memory, bytes, advice); });
  }
  event mem_advise(const void *memory, std::size_t bytes, int advice, const std::vector<event> &dependencies) {
    return after(dependencies, [&](handler &one) { one.mem_advise(memory, bytes, advice); });
  }

  // Copies and fills through placeholder accessors, which the command requires.
#define SINTER_ACCESSOR(type, mode) accessor<type, Dimensions, mode, Target, Kind>
#define SINTER_ACCESSORS class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind
  template <SINTER_ACCESSORS, class Another>
  event copy(const SINTER_ACCESSOR(Type, Mode) &source, Another *destination) {
    return with(source, [&](handler &one) { one.copy(source, destination); });
  }
  template <SINTER_ACCESSORS, class Another>
  event copy(const Another *source, const SINTER_ACCESSOR(Type, Mode) &destination) {
    return with(destination, [&](handler &one) { one.copy(source, destination); });
  }
  template <SINTER_ACCESSORS, class Another>
  event copy(const SINTER_ACCESSOR(Type, Mode) &source, const std::shared_ptr<Another> &destination) {
    return with(source, [&](handler &one) { one.copy(source, destination); });
  }
  template <SINTER_ACCESSORS, class Another>
  event copy(const std::shared_ptr<Another> &source, const SINTER_ACCESSOR(Type, Mode) &destination) {
    return with(destination, [&](handler &one) { one.copy(source, destination); });
  }
  template <SINTER_ACCESSORS, class Another, int Dims, access_mode Other, target Place, access::placeholder Kind2>
  event copy(const SINTER_ACCESSOR(Type, Mode) &source,
             const accessor<Another, Dims, Other, Place, Kind2> &destination) {
    return with(source, [&](handler &one) {
      one.require(destination);
      one.copy(source, destination);
    });
  }
  template <SINTER_ACCESSORS> event update_host(const SINTER_ACCESSOR(Type, Mode) &part) {
    return submit([&](handler &one) { one.update_host(part); });
  }
  template <SINTER_ACCESSORS, class Value>
  event fill(const SINTER_ACCESSOR(Type, Mode) &part, const Value &value) {
    return with(part, [&](handler &one) { one.fill(part, value); });
  }
#undef SINTER_ACCESSORS
#undef SINTER_ACCESSOR

  // Two-dimensional copies, as in the extension sycl_ext_oneapi_memcpy2d.
#define SINTER_RECTANGLES(head, name, arguments, ...)                                                                \
  head event name(__VA_ARGS__) {                                                                                     \
    return after({}, [&](handler &one) { one.name arguments; });                                                     \
  }                                                                                                                  \
  head event name(__VA_ARGS__, event dependency) {                                                                   \
    return after({dependency}, [&](handler &one) { one.name arguments; });                                           \
  }                                                                                                                  \
  head event name(__VA_ARGS__, const std::vector<event> &dependencies) {                                             \
    return after(dependencies, [&](handler &one) { one.name arguments; });                                           \
  }
  SINTER_RECTANGLES(, ext_oneapi_memcpy2d, (destination, destination_pitch, source, source_pitch, width, height),
                    void *destination, std::size_t destination_pitch, const void *source, std::size_t source_pitch,
                    std::size_t width, std::size_t height)
  SINTER_RECTANGLES(template <class Type>, ext_oneapi_copy2d,
                    (source, source_pitch, destination, destination_pitch, width, height), const Type *source,
                    std::size_t source_pitch, Type *destination, std::size_t destination_pitch, std::size_t width,
                    std::size_t height)
  SINTER_RECTANGLES(, ext_oneapi_memset2d, (destination, pitch, value, width, height), void *destination,
                    std::size_t pitch, int value, std::size_t width, std::size_t height)
  SINTER_RECTANGLES(template <class Type>, ext_oneapi_fill2d, (destination, pitch, pattern, width, height),
                    void *destination, std::size_t pitch, const Type &pattern, std::size_t width, std::size_t height)
#undef SINTER_RECTANGLES

  event ext_oneapi_submit_barrier() {
    return after({}, [](handler &one) { one.ext_oneapi_barrier(); });
  }
  // Waits for all earlier commands, too.
  event ext_oneapi_submit_barrier(const std::vector<event> &dependencies) {
    return after(dependencies, [](handler &one) { one.ext_oneapi_barrier(); });
  }

  // True if all commands are complete.
  bool ext_oneapi_empty() const {
    std::uint64_t last = 0;
    std::int32_t complete = 0;
    detail::check(sinter_queue_last_ticket(state->get(), &last));
    detail::check(sinter_queue_query(state->get(), last, &complete));
    return complete != 0;
  }
  bool khr_empty() const { return ext_oneapi_empty(); }
  // The event of the last command, of a queue that is in order.
  event ext_oneapi_get_last_event() const {
    std::uint64_t last = 0;
    check_in_order("ext_oneapi_get_last_event");
    detail::check(sinter_queue_last_ticket(state->get(), &last));
    return event(state, last, last != 0);
  }
  // The next command of a queue that is in order waits for the event.
  void ext_oneapi_set_external_event(const event &other) {
    check_in_order("ext_oneapi_set_external_event");
    wait_for(event(other));
  }

  SINTER_OWNER_BEFORE
  friend bool operator==(const queue &a, const queue &b) noexcept { return a.state == b.state; }
  friend bool operator!=(const queue &a, const queue &b) noexcept { return !(a == b); }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(state.get()); }

  // For use by the other headers.
  void *sinter_native_stream() const {
    void *stream = nullptr;
    detail::check(sinter_queue_get_native(state->get(), SINTER_NATIVE_STREAM, &stream));
    return stream;
  }
  static queue from_sinter_stream(const context &members, const device &target, const async_handler &async,
                                  void *stream) {
    return queue(detail::shared<detail::queue_state>::adopt(
        new detail::queue_state(members, target, async, stream)));
  }

private:
  friend detail::weak_access;
  explicit queue(const detail::shared<detail::queue_state> &whole) noexcept : state(whole) {}

  void create(const device &target, const async_handler &async, const property_list &properties) {
    create_in(context::sinter_default_of(target), target, async, properties);
  }
  void create_in(const context &members, const device &target, const async_handler &async,
                 const property_list &properties) {
    state = detail::shared<detail::queue_state>::adopt(
        new detail::queue_state(members, target, async, properties));
  }

  void check_in_order(const char *name) const {
    if (!is_in_order())
      detail::raise(errc::invalid, std::string(name) + " is for queues with property::queue::in_order");
  }

  context answer(info::queue::context) const { return get_context(); }
  device answer(info::queue::device) const { return get_device(); }
  std::uint32_t answer(info::queue::reference_count) const {
    return static_cast<std::uint32_t>(__atomic_load_n(&state->references, __ATOMIC_RELAXED));
  }

  using wait_list = detail::shared<detail::wait_list>;

  wait_list wait_for(event &&dependency) {
    wait_list waits;
    detail::wait_list::add(waits, state, static_cast<event &&>(dependency));
    return waits;
  }
  wait_list wait_for(const std::vector<event> &dependencies) {
    wait_list waits;
    for (const event &one : dependencies)
      detail::wait_list::add(waits, state, event(one));
    return waits;
  }

  template <class Command> event after(const std::vector<event> &dependencies, const Command &command) {
    handler one(state);
    one.depends_on(dependencies);
    command(one);
    return one.submit();
  }

  template <class Accessor, class Command> event with(const Accessor &part, const Command &command) {
    handler one(state);
    one.require(part);
    command(one);
    return one.submit();
  }

  template <class Name, class Callable> event launch_one(const Callable &function, wait_list &&waits) {
    detail::check_kernel_function<Callable>();
    return launch(detail::single_kernel<Name, Callable>{function}, detail::launch_of_one(),
                  static_cast<wait_list &&>(waits));
  }
  template <class Name, int Dimensions, class Callable>
  event launch_range(range<Dimensions> size, const Callable &function, wait_list &&waits) {
    detail::check_kernel_function<Callable>();
    return launch(detail::range_kernel<Name, Dimensions, Callable>{function, size}, detail::launch_of(size),
                  static_cast<wait_list &&>(waits));
  }
  template <class Name, int Dimensions, class Callable>
  event launch_nd_range(nd_range<Dimensions> size, const Callable &function, wait_list &&waits) {
    detail::check_kernel_function<Callable>();
    detail::check_root_sync<typename detail::properties_of<Callable>::list>(size);
    if constexpr (detail::properties_of<Callable>::has_any)
      return launch_nd_range<detail::name_of_kernel<Name, Callable>>(
          size,
          detail::require_sizes<typename detail::properties_of<Callable>::list>(
              [function](nd_item<Dimensions> item) { function(item); }),
          static_cast<wait_list &&>(waits));
    else if (!detail::has_offset(size))
      return launch(detail::nd_range_kernel<Name, Dimensions, Callable>{function}, detail::launch_of(size),
                    static_cast<wait_list &&>(waits));
    else
      return launch_with_offset<Name>(size, function, static_cast<wait_list &&>(waits));
  }

  template <class Name, int Dimensions, class Callable>
  event launch_with_offset(nd_range<Dimensions> size, const Callable &function, wait_list &&waits) {
    handler one(state);
    one.waits.swap(waits);
    one.parallel_for<Name>(size, function);
    return one.submit();
  }

  template <class Kernel> event launch(const Kernel &block, const sinter_launch &how, wait_list &&waits) {
    if (detail::has_placeholders()) {
      Kernel checked = block;
      detail::place_addresses(reinterpret_cast<unsigned char *>(&checked), sizeof(Kernel), {});
    }
    std::uint64_t ticket = 0;
    detail::check_launch(
        sinter_queue_launch(state->get(), detail::descriptor<Kernel>(), &block, sizeof(Kernel), &how, &ticket));
    return event(state, ticket, detail::has_work(how), static_cast<wait_list &&>(waits));
  }

  detail::shared<detail::queue_state> state;
};

} // namespace sycl

template <> struct std::hash<sycl::queue> {
  std::size_t operator()(const sycl::queue &value) const noexcept { return value.sinter_hash(); }
};

#endif
