// handler: what a command group function may ask for.
//
// Its command is kept in a command_group until the function returns, so that depends_on may follow
// it.
#ifndef SYCL_HANDLER_HPP
#define SYCL_HANDLER_HPP

#include "../detail/command_group.hpp"
#include "../detail/sizes.hpp"
#include "../groups/reduction.hpp"
#include "../memory/access.hpp"
#include "launch_properties.hpp"

#define SYCL_EXT_ONEAPI_MEMCPY2D 1

namespace sycl {
namespace detail {

// Alignment of a group's dynamic local memory, in bytes.
inline constexpr std::size_t local_memory_alignment = 64;

// Finds the leaves of a sinter_specialized_place in a kernel's arguments: an offset of 4 bytes, and
// a size 8 bytes after it.
inline bool has_local_accessor(const sinter_kernel &kernel) noexcept {
  constexpr std::uint32_t number = SINTER_PARAMETER_SPECIALIZED | 1;
  for (std::uint32_t i = 0; i + 1 < kernel.parameter_count; ++i) {
    const sinter_parameter &offset = kernel.parameters[i], &size = kernel.parameters[i + 1];
    if (offset.kind == number && offset.byte_size == 4 && size.kind == number && size.byte_size == 8 &&
        size.byte_offset == offset.byte_offset + 8)
      return true;
  }
  return false;
}

[[noreturn]] __attribute__((noinline, cold)) inline void too_much_local_memory(std::size_t bytes, std::size_t before) {
  raise(errc::memory_allocation, "a local accessor of " + std::to_string(bytes) + " bytes, after " +
                                     std::to_string(before) +
                                     " bytes of others, exceeds 4294967295 bytes of local memory; a work-group has "
                                     "no more than info::device::local_mem_size says");
}

[[noreturn]] __attribute__((noinline, cold)) inline void refuse_kernel_object() {
  raise(errc::invalid, "only kernels of a backend and built-in kernels are launched as a sycl::kernel; launch the "
                       "kernel function, with use_kernel_bundle for the bundle that it is to come from");
}

// The element type of a device global, and the elements of an array in all dimensions.
template <class Type> using global_element = std::remove_const_t<std::remove_all_extents_t<Type>>;
template <class Type> inline constexpr std::size_t elements_of = sizeof(Type) / sizeof(std::remove_all_extents_t<Type>);

} // namespace detail

class handler : detail::command_group {
public:
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;

  void depends_on(const event &dependency) { detail::wait_list::add(waits, state, event(dependency)); }
  void depends_on(const std::vector<event> &dependencies) {
    for (const event &one : dependencies)
      depends_on(one);
  }

  template <class Name = detail::unnamed, class Callable> void single_task(const Callable &function) {
    detail::check_kernel_function<Callable>();
    refuse_local_memory("single_task");
    if constexpr (detail::properties_of<Callable>::has_any)
      single_task<detail::name_of_kernel<Name, Callable>>(typename detail::properties_of<Callable>::list(),
                                                          [function] { function(); });
    else
      keep(detail::single_kernel<Name, Callable>{function}, detail::launch_of_one());
  }
  template <class Name = detail::unnamed, class Callable> void parallel_for(range<1> size, const Callable &function) {
    keep_range<Name>(size, function);
  }
  template <class Name = detail::unnamed, class Callable> void parallel_for(range<2> size, const Callable &function) {
    keep_range<Name>(size, function);
  }
  template <class Name = detail::unnamed, class Callable> void parallel_for(range<3> size, const Callable &function) {
    keep_range<Name>(size, function);
  }
  // With an offset that is added to the index.
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  void parallel_for(range<Dimensions> size, id<Dimensions> offset, const Callable &function) {
    detail::check_kernel_function<Callable>();
    refuse_local_memory(size);
    keep(detail::offset_kernel<Name, Dimensions, Callable>{function, size, offset}, detail::launch_of(size));
  }
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  void parallel_for(nd_range<Dimensions> size, const Callable &function) {
    detail::check_kernel_function<Callable>();
    if constexpr (detail::properties_of<Callable>::has_any)
      parallel_for<detail::name_of_kernel<Name, Callable>>(
          size, typename detail::properties_of<Callable>::list(),
          [function](nd_item<Dimensions> item) { function(item); });
    else
      keep(detail::nd_range_kernel<Name, Dimensions, Callable>{function}, detail::launch_of(size));
    if (detail::has_offset(size))
      keep_offset(size.get_offset());
  }

  // Only for kernels of a backend, which no bundle has: all are functions of the program.
  void single_task(const sycl::kernel &) { detail::refuse_kernel_object(); }
  void parallel_for(range<1>, const sycl::kernel &) { detail::refuse_kernel_object(); }
  void parallel_for(range<2>, const sycl::kernel &) { detail::refuse_kernel_object(); }
  void parallel_for(range<3>, const sycl::kernel &) { detail::refuse_kernel_object(); }
  template <int Dimensions> void parallel_for(nd_range<Dimensions>, const sycl::kernel &) {
    detail::refuse_kernel_object();
  }

  // Hierarchical kernels. Without a size, a group has one work-item.
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  void parallel_for_work_group(range<Dimensions> groups, const Callable &function) {
    range<Dimensions> one;
    for (int d = 0; d < Dimensions; ++d)
      one[d] = 1;
    parallel_for_work_group<Name>(groups, one, function);
  }
  template <class Name = detail::unnamed, int Dimensions, class Callable>
  void parallel_for_work_group(range<Dimensions> groups, range<Dimensions> size, const Callable &function) {
    detail::check_kernel_function<Callable>();
    using kernel_type = detail::work_group_kernel<Name, Dimensions, Callable>;
    keep(kernel_type{function, size}, detail::launch_of_groups(groups, size, *detail::descriptor<kernel_type>()));
  }

  // With a list of compile-time properties (launch_properties.hpp).
  template <class Name = detail::unnamed, class List, class Callable, detail::enable_if<detail::is_launch_list<List>> = 0>
  void single_task(List, const Callable &function) {
    single_task<detail::name_of_kernel<Name, Callable>>(detail::require_sizes<List>(function));
  }
#define SINTER_PROPERTIES(size_type, ...)                                                                            \
  template <class Name = detail::unnamed, __VA_ARGS__ class List, class Callable,                                    \
            detail::enable_if<detail::is_launch_list<List>> = 0>                                                     \
  void parallel_for(size_type size, List, const Callable &function) {                                                \
    detail::check_root_sync<List>(size);                                                                             \
    parallel_for<detail::name_of_kernel<Name, Callable>>(size, detail::require_sizes<List>(function));               \
  }
  SINTER_PROPERTIES(range<1>, )
  SINTER_PROPERTIES(range<2>, )
  SINTER_PROPERTIES(range<3>, )
  SINTER_PROPERTIES(nd_range<Dimensions>, int Dimensions, )
#undef SINTER_PROPERTIES

  // Queues are in order, so a barrier is the wait for its dependencies.
  void ext_oneapi_barrier() { begin(command::barrier); }
  void ext_oneapi_barrier(const std::vector<event> &dependencies) {
    depends_on(dependencies);
    begin(command::barrier);
  }

  // Arguments: reductions, then the kernel function.
#define SINTER_REDUCE(size_type, ...)                                                                                \
  template <class Name = detail::unnamed, __VA_ARGS__ class First, class... Rest,                                    \
            detail::enable_if<detail::is_reduction<First>> = 0>                                                      \
  void parallel_for(size_type size, const First &first, const Rest &...rest) {                                       \
    keep_reduction<Name>(size, detail::all_but_last(first, rest...), detail::last_of(first, rest...));               \
  }
  SINTER_REDUCE(range<1>, )
  SINTER_REDUCE(range<2>, )
  SINTER_REDUCE(range<3>, )
  SINTER_REDUCE(nd_range<Dimensions>, int Dimensions, )
#undef SINTER_REDUCE

  // Calls a function of the program, without arguments or with an interop_handle, on a thread of
  // the runtime.
  template <class Callable> void host_task(Callable &&function) {
    using task = detail::host_task<std::decay_t<Callable>>;
    static_assert(detail::is_host_task<std::decay_t<Callable>>,
                  "a host task is called without arguments or with a sycl::interop_handle");
    begin(command::host_task);
    auto *const made = new task(state, static_cast<Callable &&>(function));
    task_of_host = made;
    auto *const object = reinterpret_cast<unsigned char *>(&made->function);
    if (detail::has_placeholders())
      detail::place_addresses(object, sizeof(made->function), placeholders);
    if constexpr (!std::is_invocable_v<std::decay_t<Callable> &, interop_handle>)
      requirements.move_to_host(object, sizeof(made->function), state->get());
  }

  // Makes the command wait for what a placeholder accessor conflicts with.
  template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind>
  void require(const accessor<Type, Dimensions, Mode, Target, Kind> &part) {
    if (part.is_placeholder())
      sinter_require(part.sinter_place(), part.sinter_access());
  }

  // A value for this command group, unless the values are those of a bundle.
  template <auto &Id> void set_specialization_constant(detail::constant_type<Id> value) {
    check_own_constants("set");
    constants.set(detail::constant_name<Id>(), &value, sizeof(value));
  }
  template <auto &Id> detail::constant_type<Id> get_specialization_constant() {
    check_own_constants("get");
    detail::constant_type<Id> value = Id.sinter_default();
    if (const void *given = constants.find(detail::constant_name<Id>()))
      __builtin_memcpy(static_cast<void *>(&value), given, sizeof(value));
    return value;
  }
  // The kernel of the command group is taken from a bundle.
  void use_kernel_bundle(const kernel_bundle<bundle_state::executable> &used) {
    if (used.get_context() != state->members)
      detail::raise(errc::invalid, "the context of a kernel bundle is that of the queue that uses it");
    if (!constants.empty())
      detail::raise(errc::invalid, "use_kernel_bundle comes before set_specialization_constant, which is then the "
                                   "bundle's");
    bundle = used.sinter_content();
  }

  void memcpy(void *destination, const void *source, std::size_t byte_count) {
    begin(command::copy);
    to = destination;
    from = source;
    extent = byte_count;
  }
  template <class Type> void copy(const Type *source, Type *destination, std::size_t count) {
    memcpy(destination, source, detail::bytes_of<Type>(count));
  }
  // To and from device globals: bytes from an offset on, elements from an index on.
  template <class Type, class List>
  void memcpy(ext::oneapi::experimental::device_global<Type, List> &destination, const void *source,
              std::size_t byte_count = sizeof(Type), std::size_t offset = 0) {
    memcpy(destination.sinter_target(state->target.sinter_number(), byte_count, offset), source, byte_count);
  }
  template <class Type, class List>
  void memcpy(void *destination, const ext::oneapi::experimental::device_global<Type, List> &source,
              std::size_t byte_count = sizeof(Type), std::size_t offset = 0) {
    memcpy(destination, source.sinter_source(state->target.sinter_number(), byte_count, offset), byte_count);
  }
  template <class Type, class List>
  void copy(const detail::global_element<Type> *source, ext::oneapi::experimental::device_global<Type, List> &destination,
            std::size_t count = detail::elements_of<Type>, std::size_t first = 0) {
    using element = detail::global_element<Type>;
    memcpy(destination, source, detail::bytes_of<element>(count), detail::bytes_of<element>(first));
  }
  template <class Type, class List>
  void copy(const ext::oneapi::experimental::device_global<Type, List> &source,
            detail::global_element<Type> *destination, std::size_t count = detail::elements_of<Type>,
            std::size_t first = 0) {
    using element = detail::global_element<Type>;
    memcpy(destination, source, detail::bytes_of<element>(count), detail::bytes_of<element>(first));
  }
  void memset(void *destination, int value, std::size_t byte_count) {
    const unsigned char byte = static_cast<unsigned char>(value);
    keep_fill(destination, &byte, 1, byte_count);
  }
  template <class Type> void fill(void *destination, const Type &pattern, std::size_t count) {
    static_assert(is_device_copyable_v<Type>, "the pattern of fill must be device copyable");
    detail::bytes_of<Type>(count);
    if constexpr (sizeof(Type) <= pattern_limit)
      keep_fill(destination, &pattern, sizeof(Type), count);
    else
      parallel_for(range<1>(count), [=, first = static_cast<Type *>(destination)](id<1> i) { first[i] = pattern; });
  }
  // Moves shared memory to the device before its use.
  void prefetch(const void *memory, std::size_t byte_count) {
    begin(command::prefetch);
    from = memory;
    extent = byte_count;
  }
  // The advice is a number of CUDA's cudaMemoryAdvise; 0, and a value that unsets another advice,
  // resets it. Advice about which devices access the memory is ignored.
  void mem_advise(const void *memory, std::size_t byte_count, int advice) {
    begin(advice == 5 || advice == 6 ? command::nothing : command::advise);
    from = memory;
    extent = byte_count;
    wish = advice == 1 ? SINTER_ADVICE_READ_MOSTLY : advice == 3 ? SINTER_ADVICE_PREFER_DEVICE : SINTER_ADVICE_DEFAULT;
  }

  // Copies and fills of buffers, in row-major order.
  template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind, class Another>
  void copy(const accessor<Type, Dimensions, Mode, Target, Kind> &source, Another *destination) {
    static_assert(Mode == access_mode::read || Mode == access_mode::read_write, "the source of a copy is read");
    const auto &place = source.sinter_place();
    begin_bricks(command::copy_bricks, place);
    from = address(place);
    bricks.set_pitches(bricks.source_pitches, place.box());
    to = destination;
    bricks.set_dense(bricks.destination_pitches);
  }
  template <class Another, class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind>
  void copy(const Another *source, const accessor<Type, Dimensions, Mode, Target, Kind> &destination) {
    static_assert(Mode != access_mode::read, "the destination of a copy is written");
    const auto &place = destination.sinter_place();
    begin_bricks(command::copy_bricks, place);
    from = source;
    bricks.set_dense(bricks.source_pitches);
    to = address(place);
    bricks.set_pitches(bricks.destination_pitches, place.box());
  }
  template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind, class Another>
  void copy(const accessor<Type, Dimensions, Mode, Target, Kind> &source, const std::shared_ptr<Another> &destination) {
    copy(source, destination.get());
    kept.push_back(destination);
  }
  template <class Another, class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind>
  void copy(const std::shared_ptr<Another> &source, const accessor<Type, Dimensions, Mode, Target, Kind> &destination) {
    copy(source.get(), destination);
    kept.push_back(source);
  }
  template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind, class Another,
            int Dims, access_mode Other, target Place, access::placeholder Kind2>
  void copy(const accessor<Type, Dimensions, Mode, Target, Kind> &source,
            const accessor<Another, Dims, Other, Place, Kind2> &destination) {
    static_assert(Mode == access_mode::read || Mode == access_mode::read_write, "the source of a copy is read");
    static_assert(Other != access_mode::read, "the destination of a copy is written");
    const sinter_box there = source.sinter_place().box(), here = destination.sinter_place().box();
    if (destination.byte_size() < source.byte_size())
      detail::raise(errc::invalid, "the destination of a copy is smaller than its source");
    const bool is_same_shape = here.width == there.width && here.height == there.height;
    const bool is_dense = bricks.is_dense(here);
    if (!is_same_shape && !is_dense &&
        !(bricks.is_dense(there) && destination.byte_size() == source.byte_size())) {
      copy_elements(source, destination);
      return;
    }
    // The side whose elements are not adjacent has the lengths.
    if (is_same_shape || is_dense)
      begin_bricks(command::copy_bricks, source.sinter_place());
    else
      begin_bricks(command::copy_bricks, destination.sinter_place());
    from = address(source.sinter_place());
    to = address(destination.sinter_place());
    place_rows(bricks.source_pitches, there, is_same_shape || is_dense);
    place_rows(bricks.destination_pitches, here, is_same_shape || !is_dense);
  }
  // Brings the elements to the host.
  template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind>
  void update_host(const accessor<Type, Dimensions, Mode, Target, Kind> &part) {
    require(part);
    begin(command::nothing);
    requirements.add(part.sinter_place().owner, SINTER_ACCESS_READ | SINTER_ACCESS_HOST) = part.sinter_place().box();
  }
  template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind, class Value>
  void fill(const accessor<Type, Dimensions, Mode, Target, Kind> &part, const Value &value) {
    static_assert(Mode != access_mode::read, "the destination of a fill is written");
    const Type pattern = value;
    if constexpr (sizeof(Type) <= pattern_limit) {
      const auto &place = part.sinter_place();
      begin_bricks(command::fill_bricks, place);
      to = address(place);
      bricks.set_pitches(bricks.destination_pitches, place.box());
      bricks.lengths[0] /= sizeof(Type);
      store(&pattern, sizeof(Type));
    } else {
      parallel_for(range<1>(part.size()), [=](id<1> i) { part.begin()[static_cast<std::ptrdiff_t>(i[0])] = pattern; });
    }
  }

  // Two-dimensional copies: a pitch is the distance between the starts of two rows, in the unit of
  // the other sizes, bytes or elements.
  void ext_oneapi_memcpy2d(void *destination, std::size_t destination_pitch, const void *source,
                           std::size_t source_pitch, std::size_t width, std::size_t height) {
    check_rows(destination_pitch, width, height);
    check_rows(source_pitch, width, height);
    begin(command::copy_rows);
    to = destination;
    from = source;
    extent = width;
    rows = {destination_pitch, source_pitch, height};
  }
  template <class Type>
  void ext_oneapi_copy2d(const Type *source, std::size_t source_pitch, Type *destination, std::size_t destination_pitch,
                         std::size_t width, std::size_t height) {
    ext_oneapi_memcpy2d(destination, detail::bytes_of<Type>(destination_pitch), source,
                        detail::bytes_of<Type>(source_pitch), detail::bytes_of<Type>(width), height);
  }
  void ext_oneapi_memset2d(void *destination, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    const unsigned char byte = static_cast<unsigned char>(value);
    keep_fill_rows(destination, pitch, &byte, 1, width, height);
  }
  template <class Type>
  void ext_oneapi_fill2d(void *destination, std::size_t pitch, const Type &pattern, std::size_t width,
                         std::size_t height) {
    static_assert(is_device_copyable_v<Type> && sizeof(Type) <= pattern_limit,
                  "the pattern of fill2d must be device copyable and have at most 128 bytes");
    keep_fill_rows(destination, detail::bytes_of<Type>(pitch), &pattern, sizeof(Type), width, height);
  }

  // Assigns a local accessor its offset in the local memory of each group. Elements are aligned for
  // vector loads. For an alignment above that of the memory itself, space to align the start is
  // added.
  std::uint32_t sinter_place(std::size_t byte_count, std::size_t alignment) {
    constexpr std::size_t widest = 16; // bytes; widest load of a GPU
    alignment = alignment < widest ? widest : alignment;
    const std::size_t step = alignment < detail::local_memory_alignment ? alignment : detail::local_memory_alignment;
    const std::size_t slack = alignment - step;
    const std::size_t start = (local_memory + step - 1) / step * step;
    const std::size_t end = detail::sum(errc::memory_allocation, "local memory", start + slack, byte_count);
    if (end > UINT32_MAX)
      detail::too_much_local_memory(byte_count, local_memory);
    local_memory = end;
    return static_cast<std::uint32_t>(start);
  }

  // Memory for a stream of this command group.
  const detail::stream_memory &sinter_add_stream(std::size_t text_size) {
    auto memory = detail::shared<detail::stream_memory>::adopt(new detail::stream_memory(state, text_size));
    memory->next.swap(streams);
    streams.swap(memory);
    return *streams;
  }
  // Requires the place of an accessor. Returns the address of its first element.
  template <class Place> void *sinter_require(const Place &place, std::uint32_t access) {
    requirements.add(place.owner, access) = place.box();
    sinter_queue *const device = access & SINTER_ACCESS_HOST ? nullptr : state->get();
    unsigned char *const found = place.owner->address(device) + place.offset();
    const auto token = reinterpret_cast<std::uintptr_t>(place.first);
    if (detail::is_token(token))
      placeholders.push_back({token, place.owner, found});
    return found;
  }
  // Requires the only element of a buffer, for a reduction.
  template <class Buffer> auto sinter_variable(Buffer &variable, const property_list &list) {
    if (variable.size() != 1)
      detail::raise(errc::invalid, "the buffer of a reduction has one element, not " + std::to_string(variable.size()));
    const bool replaces = list.has_property<property::reduction::initialize_to_identity>();
    const sinter_box box = {variable.sinter_base(), sizeof(typename Buffer::value_type), 1, 1, 0, 0};
    requirements.add(variable.sinter_state(),
                     replaces ? SINTER_ACCESS_WRITE : SINTER_ACCESS_READ | SINTER_ACCESS_WRITE) = box;
    return reinterpret_cast<typename Buffer::value_type *>(variable.sinter_state()->address(state->get()) +
                                                          variable.sinter_base());
  }

private:
  friend class queue;

  using detail::command_group::command_group;

  void check_own_constants(const char *use) const {
    if (bundle)
      detail::raise(errc::invalid, std::string("the specialization constants of a command group with a kernel bundle "
                                               "are the bundle's: ") + use + " them there");
  }

  // Address of an accessor's first element, also if it was a placeholder.
  template <class Place> void *address(const Place &place) {
    const auto token = reinterpret_cast<std::uintptr_t>(place.first);
    if (!detail::is_token(token))
      return const_cast<void *>(static_cast<const void *>(place.first));
    for (const detail::placeholder_address &one : placeholders)
      if (one.token == token)
        return one.address;
    detail::not_required();
  }
  void place_rows(std::uint64_t (&pitches)[2], const sinter_box &box, bool has_lengths) noexcept {
    if (has_lengths)
      bricks.set_pitches(pitches, box);
    else
      bricks.set_dense(pitches);
  }
  // Copies between boxes with rows of different lengths.
  template <class Source, class Destination>
  void copy_elements(const Source &source, const Destination &destination) {
    using type = typename Destination::value_type;
    if constexpr ((Source::dimensions > 1 || Destination::dimensions > 1) && Source::dimensions > 0 &&
                  Destination::dimensions > 0 &&
                  std::is_assignable_v<type &, typename Source::reference>)
      parallel_for(range<1>(source.size()), [=](id<1> i) {
        const auto n = static_cast<std::ptrdiff_t>(i[0]);
        destination.begin()[n] = source.begin()[n];
      });
    else
      detail::raise(errc::invalid, "a copy between accessors with rows of different lengths needs elements that can be "
                                   "assigned, and no more of them in the destination");
  }
  template <class Place> void begin_bricks(command next, const Place &place) {
    begin(next);
    bricks.set_lengths(place.box());
  }

  // The implicit groups of a plain range have no local memory: `form` says how they are launched.
  void refuse_local_memory(const char *form) noexcept { implicit_groups = form; }
  template <int Dimensions> void refuse_local_memory(const range<Dimensions> &) noexcept {
    refuse_local_memory("parallel_for over a range");
  }
  template <int Dimensions> void refuse_local_memory(const nd_range<Dimensions> &) const noexcept {}
  // A local accessor that the kernel does not use is no error.
  __attribute__((noinline, cold)) void drop_local_memory() {
    if (detail::has_local_accessor(*kernel))
      detail::raise(errc::kernel_argument, std::string("a kernel with a local accessor cannot be launched by ") +
                                               implicit_groups + "; use parallel_for over an nd_range");
    local_memory = 0;
  }

  template <class Name, int Dimensions, class Callable>
  void keep_range(range<Dimensions> range_size, const Callable &function) {
    detail::check_kernel_function<Callable>();
    refuse_local_memory(range_size);
    keep(detail::range_kernel<Name, Dimensions, Callable>{function, range_size}, detail::launch_of(range_size));
  }

  template <class Name, class Size, class Variables, class Callable>
  void keep_reduction(const Size &size, const Variables &variables, const Callable &function) {
    detail::check_kernel_function<Callable>();
    refuse_local_memory(size);
    if (detail::has_offset(size))
      detail::raise(errc::feature_not_supported, "a reduction over an nd_range with an offset");
    sinter_launch how;
    overlaps = false; // reductions of a queue share memory
    const auto block = detail::reduction_kernel<Name>(*state, how, variables, size, function);
    keep(block, how);
  }

  // The offset of an nd_range is a constant that the kernel is compiled for.
  template <int Dimensions> void keep_offset(const id<Dimensions> &start) {
    detail::launch_offset_value value = {};
    for (int d = 0; d < Dimensions; ++d)
      value.axis[Dimensions - 1 - d] = start[d];
    constants.set(detail::constant_name<detail::launch_offset>(), &value, sizeof(value));
  }

  template <class Kernel> void keep(const Kernel &block, const sinter_launch &how) {
    begin(command::kernel);
    kernel = detail::descriptor<Kernel>();
    if (local_memory != 0 && implicit_groups)
      drop_local_memory();
    if (bundle && !(bundle->has(kernel) && bundle->has(state->target)))
      detail::raise(errc::kernel_not_supported,
                    std::string("the kernel bundle of the command group does not have the kernel ") + kernel->symbol);
    launch = how;
    store(&block, sizeof(Kernel));
    if (detail::has_placeholders())
      detail::place_addresses(bytes, sizeof(Kernel), placeholders);
  }

  void keep_fill(void *destination, const void *pattern, std::size_t pattern_size, std::size_t count) {
    begin(command::fill);
    to = destination;
    repeat = count;
    store(pattern, pattern_size);
  }

  // Checks rows that are `pitch` bytes apart.
  static void check_rows(std::size_t pitch, std::size_t width, std::size_t height) {
    if (pitch < width)
      detail::raise(errc::invalid, "a pitch of " + std::to_string(pitch) + " is less than the " +
                                       std::to_string(width) + " of a row");
    detail::product(errc::invalid, "a rectangle", pitch, height);
  }

  void keep_fill_rows(void *destination, std::size_t pitch, const void *pattern, std::size_t pattern_size,
                      std::size_t width, std::size_t height) {
    check_rows(pitch, detail::product(errc::invalid, "a row", width, pattern_size), height);
    begin(command::fill_rows);
    to = destination;
    repeat = width;
    rows = {pitch, 0, height};
    store(pattern, pattern_size);
  }
};

} // namespace sycl

#endif
