// Kernel bundles: sets of the program's kernels, with values of specialization constants.
//
// A kernel is compiled for a device when it is launched first, or comes from the disk cache, so a
// bundle of any state holds the same: compiling and linking it change its type only. Each kernel is
// a device image of its own.
#ifndef SYCL_KERNEL_BUNDLE_HPP
#define SYCL_KERNEL_BUNDLE_HPP

#include "kernel.hpp"

namespace sycl {

enum class bundle_state { input, object, executable };

template <bundle_state State> class kernel_bundle;

namespace detail {

// Shared by the copies of a bundle.
struct bundle_content : counted {
  bundle_content(const context &members, const std::vector<device> &targets, const std::vector<kernel_id> &kernels)
      : owner(members), devices(targets), ids(kernels) {}

  bool has(const sinter_kernel *descriptor) const {
    for (const kernel_id &id : ids)
      if (id.sinter_descriptor() == descriptor)
        return true;
    return false;
  }
  bool has(const device &target) const {
    for (const device &one : devices)
      if (one == target)
        return true;
    return false;
  }

  // True if both have the same context and devices.
  bool has_owners_of(const bundle_content &other) const {
    bool same = owner == other.owner && devices.size() == other.devices.size();
    for (const device &target : other.devices)
      same = same && has(target);
    return same;
  }
  // True if a kernel that both have is the same image in both.
  bool has_images_of(const bundle_content &other) const {
    return has_owners_of(other) && constants.has(other.constants) && other.constants.has(constants);
  }

  const context owner;
  const std::vector<device> devices; // each once
  const std::vector<kernel_id> ids;
  constant_values constants;
};

inline std::vector<kernel_id> all_kernels() {
  std::vector<kernel_id> ids;
  for (const kernel_record *one = __start_sinter_kernel_names; one != __stop_sinter_kernel_names; ++one)
    ids.push_back(kernel_id(one));
  return ids;
}

// The lists without their repetitions.
template <class Item> void add_once(std::vector<Item> &list, const Item &item) {
  for (const Item &one : list)
    if (one == item)
      return;
  list.push_back(item);
}

template <class Name> const kernel_record *record_of_name() {
  const kernel_record *const found = find_kernel(&kernel_name_tag<Name>::value);
  if (!found)
    raise(errc::invalid, std::string("the program has no kernel with the name of ") + __PRETTY_FUNCTION__);
  return found;
}

} // namespace detail

template <class Name> kernel_id get_kernel_id() { return kernel_id(detail::record_of_name<Name>()); }
inline std::vector<kernel_id> get_kernel_ids() { return detail::all_kernels(); }

namespace detail {

// True if the device has the aspects that the kernel requires. A descriptor without any ends before
// them.
inline bool has_aspects_of(const sinter_kernel &kernel, const device &target) {
  if (kernel.struct_size < sizeof(sinter_kernel))
    return true;
  return (kernel.required_aspects & ~device_value<std::uint64_t>(target.sinter_number(), SINTER_DEVICE_ASPECTS)) == 0;
}

} // namespace detail

// True if the device has the sizes and aspects that the kernels require.
inline bool is_compatible(const std::vector<kernel_id> &ids, const device &target) {
  for (const kernel_id &id : ids) {
    const sinter_kernel &kernel = *id.sinter_descriptor();
    std::size_t items = 1;
    for (const std::uint32_t size : kernel.required_group_size)
      items *= size;
    if (items > target.get_info<info::device::max_work_group_size>())
      return false;
    bool has_size = kernel.required_sub_group_size == 0;
    for (const std::size_t size : target.get_info<info::device::sub_group_sizes>())
      has_size = has_size || size == kernel.required_sub_group_size;
    if (!has_size || !detail::has_aspects_of(kernel, target))
      return false;
  }
  return true;
}
template <class Name> bool is_compatible(const device &target) { return is_compatible({get_kernel_id<Name>()}, target); }

template <bundle_state State> class device_image {
public:
  device_image() = delete;

  bool has_kernel(const kernel_id &wanted) const noexcept { return wanted == id; }
  bool has_kernel(const kernel_id &wanted, const device &target) const noexcept {
    return wanted == id && content->has(target) && is_compatible({id}, target);
  }
  // Also of different bundles, such as one and its union with others.
  friend bool operator==(const device_image &a, const device_image &b) noexcept {
    return a.id == b.id && (a.content == b.content || a.content->has_images_of(*b.content));
  }
  friend bool operator!=(const device_image &a, const device_image &b) noexcept { return !(a == b); }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(id.sinter_descriptor()); }

  // For use by kernel_bundle.
  device_image(const kernel_id &kernel, const detail::shared<detail::bundle_content> &whole) noexcept
      : id(kernel), content(whole) {}

private:
  kernel_id id;
  detail::shared<detail::bundle_content> content;
};

// A kernel of an executable bundle.
class kernel {
public:
  kernel() = delete;

  backend get_backend() const noexcept { return content->owner.get_backend(); }
  context get_context() const { return content->owner; }
  inline kernel_bundle<bundle_state::executable> get_kernel_bundle() const;
  template <class Info> typename Info::return_type get_info() const { return answer(Info()); }
  template <class Info> typename Info::return_type get_info(const device &target) const {
    if (!content->has(target))
      detail::raise(errc::invalid, "the kernel's bundle has no code for the device");
    return answer(Info(), target);
  }
  // Of launches on a queue (root_group.hpp), with sizes of work-groups and of local memory.
  template <class Info, class Queue, class... Sizes>
  typename Info::return_type ext_oneapi_get_info(const Queue &target, const Sizes &...) const {
    return Info::sinter_answer(*this, target);
  }

  friend bool operator==(const kernel &a, const kernel &b) noexcept { return a.id == b.id && a.content == b.content; }
  friend bool operator!=(const kernel &a, const kernel &b) noexcept { return !(a == b); }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(id.sinter_descriptor()); }

private:
  template <bundle_state> friend class kernel_bundle;
  kernel(const kernel_id &which, const detail::shared<detail::bundle_content> &whole) noexcept
      : id(which), content(whole) {}

  const sinter_kernel &descriptor() const noexcept { return *id.sinter_descriptor(); }

  // Resources of the code for a launch of one work-group, which is compiled if it is not yet.
  sinter_kernel_usage usage(const device &target) const {
    sinter_kernel_usage found = {sizeof(found), 0, 0, 0, 0};
    sinter_launch launch = detail::launch_of_one();
    launch.dimensions = 3;
    for (int axis = 0; axis < 3; ++axis)
      if (descriptor().required_group_size[axis] != 0)
        launch.global_size[axis] = descriptor().required_group_size[axis];
    content->constants.give(launch);
    const std::vector<unsigned char> block(descriptor().block_size);
    sinter_queue *queue = nullptr;
    detail::check(sinter_queue_create(target.sinter_number(), &queue));
    const sinter_status status =
        sinter_kernel_get_usage(queue, &descriptor(), block.data(), block.size(), &launch, &found);
    const exception error = detail::failure(status);
    sinter_queue_destroy(queue);
    if (status != SINTER_SUCCESS)
      throw error;
    return found;
  }

  std::string answer(info::kernel::function_name) const { return descriptor().symbol; }
  [[noreturn]] std::uint32_t answer(info::kernel::num_args) const {
    detail::raise(errc::invalid, "only kernels of a backend and built-in kernels have a number of arguments");
  }
  context answer(info::kernel::context) const { return content->owner; }
  std::string answer(info::kernel::attributes) const {
    std::string text;
    if (const std::uint32_t size = descriptor().required_sub_group_size)
      text = "reqd_sub_group_size(" + std::to_string(size) + ")";
    if (descriptor().required_group_size[0] != 0) {
      text += text.empty() ? "reqd_work_group_size(" : " reqd_work_group_size(";
      for (int axis = 2; axis >= 0; --axis)
        text += std::to_string(descriptor().required_group_size[axis]) + (axis == 0 ? ")" : ",");
    }
    return text;
  }

  [[noreturn]] range<3> answer(info::kernel_device_specific::global_work_size, const device &) const {
    detail::raise(errc::invalid, "only kernels of custom devices and built-in kernels have a largest global size");
  }
  std::size_t answer(info::kernel_device_specific::work_group_size, const device &target) const {
    const range<3> required = answer(info::kernel_device_specific::compile_work_group_size(), target);
    return required.size() != 0 ? required.size() : usage(target).work_group_size;
  }
  range<3> answer(info::kernel_device_specific::compile_work_group_size, const device &) const {
    const auto &size = descriptor().required_group_size;
    return {size[2], size[1], size[0]};
  }
  std::size_t answer(info::kernel_device_specific::preferred_work_group_size_multiple, const device &target) const {
    return answer(info::kernel_device_specific::max_sub_group_size(), target);
  }
  // 0 if the device's driver does not say.
  std::size_t answer(info::kernel_device_specific::private_mem_size, const device &target) const {
    const std::uint64_t bytes = usage(target).private_memory;
    return bytes == UINT64_MAX ? 0 : bytes;
  }
  std::uint32_t answer(info::kernel_device_specific::ext_codeplay_num_regs, const device &target) const {
    return usage(target).registers;
  }
  std::uint32_t answer(info::kernel_device_specific::max_num_sub_groups, const device &target) const {
    return target.get_info<info::device::max_num_sub_groups>();
  }
  std::uint32_t answer(info::kernel_device_specific::compile_num_sub_groups, const device &) const { return 0; }
  std::uint32_t answer(info::kernel_device_specific::max_sub_group_size, const device &target) const {
    if (descriptor().required_sub_group_size != 0)
      return descriptor().required_sub_group_size;
    const auto size = detail::device_value<std::uint64_t>(target.sinter_number(), SINTER_DEVICE_DEFAULT_SUB_GROUP_SIZE);
    return static_cast<std::uint32_t>(size);
  }
  std::uint32_t answer(info::kernel_device_specific::compile_sub_group_size, const device &) const {
    return descriptor().required_sub_group_size;
  }

  kernel_id id;
  detail::shared<detail::bundle_content> content;
};

template <bundle_state State> class kernel_bundle {
public:
  using device_image_type = device_image<State>;
  using device_image_iterator = const device_image_type *;

  kernel_bundle() = delete;

  bool empty() const noexcept { return content->ids.empty(); }
  backend get_backend() const noexcept { return content->owner.get_backend(); }
  context get_context() const noexcept { return content->owner; }
  std::vector<device> get_devices() const { return content->devices; }
  std::vector<kernel_id> get_kernel_ids() const { return content->ids; }
  bool has_kernel(const kernel_id &id) const noexcept { return content->has(id.sinter_descriptor()); }
  bool has_kernel(const kernel_id &id, const device &target) const noexcept {
    return has_kernel(id) && content->has(target) && is_compatible({id}, target);
  }
  template <class Name> bool has_kernel() const { return has_kernel(get_kernel_id<Name>()); }
  template <class Name> bool has_kernel(const device &target) const {
    return has_kernel(get_kernel_id<Name>(), target);
  }

  template <bundle_state Own = State, detail::enable_if<Own == bundle_state::executable> = 0>
  kernel get_kernel(const kernel_id &id) const {
    if (!has_kernel(id))
      detail::raise(errc::invalid, std::string("the bundle does not have the kernel ") + id.get_name());
    return kernel(id, content);
  }
  template <class Name, bundle_state Own = State, detail::enable_if<Own == bundle_state::executable> = 0>
  kernel get_kernel() const {
    return get_kernel(get_kernel_id<Name>());
  }

  // True if any kernel of the program uses one: which one does is known when it is compiled.
  bool contains_specialization_constants() const noexcept { return !empty() && detail::has_constants(); }
  // Values are literals of the compiled code.
  bool native_specialization_constant() const noexcept { return contains_specialization_constants(); }
  template <auto &Id> bool has_specialization_constant() const noexcept {
    if (!empty())
      for (const auto *one = __start_sinter_constants; one != __stop_sinter_constants; ++one)
        if (one->constant == &Id)
          return true;
    return false;
  }
  template <auto &Id, bundle_state Own = State, detail::enable_if<Own == bundle_state::input> = 0>
  void set_specialization_constant(detail::constant_type<Id> value) {
    content->constants.set(detail::constant_name<Id>(), &value, sizeof(value));
  }
  template <auto &Id> detail::constant_type<Id> get_specialization_constant() const {
    detail::constant_type<Id> value = Id.sinter_default();
    if (const void *given = content->constants.find(detail::constant_name<Id>()))
      __builtin_memcpy(static_cast<void *>(&value), given, sizeof(value));
    return value;
  }

  device_image_iterator begin() const noexcept { return images.data(); }
  device_image_iterator end() const noexcept { return images.data() + images.size(); }

  friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) noexcept { return a.content == b.content; }
  friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) noexcept { return !(a == b); }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(content.get()); }

  // For use by the other headers.
  explicit kernel_bundle(const detail::shared<detail::bundle_content> &whole) : content(whole) {
    for (const kernel_id &id : content->ids)
      images.push_back(device_image_type(id, content));
  }
  const detail::shared<detail::bundle_content> &sinter_content() const noexcept { return content; }

private:
  detail::shared<detail::bundle_content> content;
  std::vector<device_image_type> images;
};

inline kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const {
  return kernel_bundle<bundle_state::executable>(content);
}

namespace detail {

template <bundle_state State>
kernel_bundle<State> make_bundle(const context &members, const std::vector<device> &devices,
                                 const std::vector<kernel_id> &ids) {
  return kernel_bundle<State>(shared<bundle_content>::adopt(new bundle_content(members, devices, ids)));
}

inline void check_bundle_devices(const context &members, const std::vector<device> &devices) {
  if (devices.empty())
    raise(errc::invalid, "a kernel bundle needs at least one device");
  for (const device &one : devices)
    if (!members.sinter_contains(one))
      raise(errc::invalid, "a device of the kernel bundle is not in its context");
}

// The kernels that at least one of the devices can run, of those that are asked for.
inline std::vector<kernel_id> kernels_for(const std::vector<kernel_id> &wanted, const std::vector<device> &devices) {
  std::vector<kernel_id> ids;
  for (const kernel_id &id : wanted)
    for (const device &one : devices)
      if (is_compatible({id}, one)) {
        add_once(ids, id);
        break;
      }
  return ids;
}
template <class Selector> inline constexpr bool is_image_selector = !std::is_convertible_v<Selector, std::vector<kernel_id>>;

inline std::vector<device> each_once(const std::vector<device> &devices) {
  std::vector<device> once;
  for (const device &one : devices)
    add_once(once, one);
  return once;
}

} // namespace detail

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &members, const std::vector<device> &devices,
                                       const std::vector<kernel_id> &ids) {
  detail::check_bundle_devices(members, devices);
  const std::vector<kernel_id> found = detail::kernels_for(ids, devices);
  for (const kernel_id &id : ids) {
    bool has = false;
    for (const kernel_id &one : found)
      has = has || one == id;
    if (!has)
      detail::raise(errc::invalid, std::string("no device of the bundle can run the kernel ") + id.get_name());
  }
  return detail::make_bundle<State>(members, detail::each_once(devices), found);
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &members, const std::vector<device> &devices) {
  detail::check_bundle_devices(members, devices);
  return detail::make_bundle<State>(members, detail::each_once(devices),
                                    detail::kernels_for(get_kernel_ids(), devices));
}
// A bundle of the images that a function selects.
template <bundle_state State, class Selector, detail::enable_if<detail::is_image_selector<Selector>> = 0>
kernel_bundle<State> get_kernel_bundle(const context &members, const std::vector<device> &devices, Selector selector) {
  std::vector<kernel_id> selected;
  for (const device_image<State> &image : get_kernel_bundle<State>(members, devices))
    if (selector(image))
      for (const kernel_id &id : get_kernel_ids())
        if (image.has_kernel(id))
          detail::add_once(selected, id);
  return get_kernel_bundle<State>(members, devices, selected);
}
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &members) {
  return get_kernel_bundle<State>(members, members.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &members, const std::vector<kernel_id> &ids) {
  return get_kernel_bundle<State>(members, members.get_devices(), ids);
}
template <bundle_state State, class Selector,
          detail::enable_if<detail::is_image_selector<Selector> &&
                            std::is_invocable_v<Selector &, const device_image<State> &>> = 0>
kernel_bundle<State> get_kernel_bundle(const context &members, Selector selector) {
  return get_kernel_bundle<State>(members, members.get_devices(), selector);
}
template <class Name, bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &members) {
  return get_kernel_bundle<State>(members, std::vector<kernel_id>{get_kernel_id<Name>()});
}
template <class Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &members, const std::vector<device> &devices) {
  return get_kernel_bundle<State>(members, devices, std::vector<kernel_id>{get_kernel_id<Name>()});
}

// True if get_kernel_bundle with these arguments returns a bundle with the kernels that are asked
// for, or with any.
template <bundle_state State>
bool has_kernel_bundle(const context &members, const std::vector<device> &devices, const std::vector<kernel_id> &ids) {
  detail::check_bundle_devices(members, devices);
  for (const kernel_id &id : ids)
    if (detail::kernels_for({id}, devices).empty())
      return false;
  return true;
}
template <bundle_state State> bool has_kernel_bundle(const context &members, const std::vector<device> &devices) {
  detail::check_bundle_devices(members, devices);
  return !detail::kernels_for(get_kernel_ids(), devices).empty();
}
template <bundle_state State, class Selector, detail::enable_if<detail::is_image_selector<Selector>> = 0>
bool has_kernel_bundle(const context &members, const std::vector<device> &devices, Selector selector) {
  for (const device_image<State> &image : get_kernel_bundle<State>(members, devices))
    if (selector(image))
      return true;
  return false;
}
template <bundle_state State> bool has_kernel_bundle(const context &members) {
  return has_kernel_bundle<State>(members, members.get_devices());
}
template <bundle_state State> bool has_kernel_bundle(const context &members, const std::vector<kernel_id> &ids) {
  return has_kernel_bundle<State>(members, members.get_devices(), ids);
}
template <bundle_state State, class Selector,
          detail::enable_if<detail::is_image_selector<Selector> &&
                            std::is_invocable_v<Selector &, const device_image<State> &>> = 0>
bool has_kernel_bundle(const context &members, Selector selector) {
  return has_kernel_bundle<State>(members, members.get_devices(), selector);
}
template <class Name, bundle_state State> bool has_kernel_bundle(const context &members) {
  return has_kernel_bundle<State>(members, std::vector<kernel_id>{get_kernel_id<Name>()});
}
template <class Name, bundle_state State>
bool has_kernel_bundle(const context &members, const std::vector<device> &devices) {
  return has_kernel_bundle<State>(members, devices, std::vector<kernel_id>{get_kernel_id<Name>()});
}

template <bundle_state State> kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  if (bundles.empty())
    return detail::make_bundle<State>(context::sinter_default_of(device()), {}, {});
  const detail::bundle_content &first = *bundles.front().sinter_content();
  std::vector<kernel_id> ids;
  for (const kernel_bundle<State> &one : bundles) {
    const detail::bundle_content &content = *one.sinter_content();
    if (!content.has_owners_of(first))
      detail::raise(errc::invalid, "kernel bundles that are joined have the same context and devices");
    for (const kernel_id &id : content.ids)
      detail::add_once(ids, id);
  }
  kernel_bundle<State> joined = detail::make_bundle<State>(first.owner, first.devices, ids);
  for (const kernel_bundle<State> &one : bundles)
    joined.sinter_content()->constants.add(one.sinter_content()->constants);
  return joined;
}

namespace detail {

// The same kernels in another state, for some of the devices.
template <bundle_state To, bundle_state From>
kernel_bundle<To> in_state(const kernel_bundle<From> &bundle, const std::vector<device> &devices) {
  const bundle_content &content = *bundle.sinter_content();
  if (devices.empty())
    raise(errc::invalid, "a kernel bundle needs at least one device");
  for (const device &one : devices)
    if (!content.has(one))
      raise(errc::invalid, "the kernel bundle that is compiled does not have the device");
  kernel_bundle<To> made = make_bundle<To>(content.owner, each_once(devices), content.ids);
  made.sinter_content()->constants.add(content.constants);
  return made;
}

} // namespace detail

inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &bundle,
                                                   const std::vector<device> &devices, const property_list & = {}) {
  return detail::in_state<bundle_state::object>(bundle, devices);
}
inline kernel_bundle<bundle_state::object> compile(const kernel_bundle<bundle_state::input> &bundle,
                                                   const property_list & = {}) {
  return detail::in_state<bundle_state::object>(bundle, bundle.get_devices());
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const std::vector<device> &devices, const property_list & = {}) {
  return detail::in_state<bundle_state::executable>(join(bundles), devices);
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &bundle,
                                                    const std::vector<device> &devices, const property_list & = {}) {
  return detail::in_state<bundle_state::executable>(bundle, devices);
}
inline kernel_bundle<bundle_state::executable> link(const std::vector<kernel_bundle<bundle_state::object>> &bundles,
                                                    const property_list & = {}) {
  const kernel_bundle<bundle_state::object> whole = join(bundles);
  return detail::in_state<bundle_state::executable>(whole, whole.get_devices());
}
inline kernel_bundle<bundle_state::executable> link(const kernel_bundle<bundle_state::object> &bundle,
                                                    const property_list & = {}) {
  return detail::in_state<bundle_state::executable>(bundle, bundle.get_devices());
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &bundle,
                                                     const std::vector<device> &devices, const property_list & = {}) {
  return detail::in_state<bundle_state::executable>(bundle, devices);
}
inline kernel_bundle<bundle_state::executable> build(const kernel_bundle<bundle_state::input> &bundle,
                                                     const property_list & = {}) {
  return detail::in_state<bundle_state::executable>(bundle, bundle.get_devices());
}

} // namespace sycl

#define SINTER_HASH(head, type)                                                                                      \
  template <head> struct std::hash<type> {                                                                           \
    std::size_t operator()(const type &value) const noexcept { return value.sinter_hash(); }                         \
  };
SINTER_HASH(, sycl::kernel)
SINTER_HASH(sycl::bundle_state State, sycl::kernel_bundle<State>)
SINTER_HASH(sycl::bundle_state State, sycl::device_image<State>)
#undef SINTER_HASH
template <> struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &value) const noexcept {
    return reinterpret_cast<std::size_t>(value.sinter_descriptor());
  }
};

#endif
