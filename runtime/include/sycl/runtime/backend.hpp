// Interoperation with the device vendor's interface: get_native and make_*.
//
// Handles remain owned by the runtime, and a program's streams by the program. A device of another
// backend throws errc::backend_mismatch. The vendor's headers are not needed: its handles are
// pointers to types that are declared here as the vendor declares them.
#ifndef SYCL_BACKEND_HPP
#define SYCL_BACKEND_HPP

#include "queue.hpp"

#include <ostream>

struct CUctx_st;
struct CUstream_st;
struct ihipStream_t;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _ze_device_handle_t;
struct _ze_context_handle_t;
struct _ze_command_list_handle_t;

namespace sycl {
namespace detail {

// Types of the native handles of a backend. HIP has no contexts.
template <backend Backend, class Type> struct native_type {};
#define SINTER_NATIVE(name, object, handle)                                                                          \
  template <> struct native_type<backend::name, object> { using type = handle; };
SINTER_NATIVE(cuda, device, int)
SINTER_NATIVE(cuda, context, CUctx_st *)
SINTER_NATIVE(cuda, queue, CUstream_st *)
SINTER_NATIVE(hip, device, int)
SINTER_NATIVE(hip, queue, ihipStream_t *)
SINTER_NATIVE(opencl, device, _cl_device_id *)
SINTER_NATIVE(opencl, context, _cl_context *)
SINTER_NATIVE(opencl, queue, _cl_command_queue *)
SINTER_NATIVE(level_zero, device, _ze_device_handle_t *)
SINTER_NATIVE(level_zero, context, _ze_context_handle_t *)
SINTER_NATIVE(level_zero, queue, _ze_command_list_handle_t *)
// The memory of a buffer: a CUdeviceptr, and addresses. OpenCL's memory objects hold none of them.
SINTER_NATIVE(cuda, native_memory, unsigned long long)
SINTER_NATIVE(hip, native_memory, void *)
SINTER_NATIVE(level_zero, native_memory, void *)
#undef SINTER_NATIVE
template <backend Backend, class Type, int Dimensions, class Allocator>
struct native_type<Backend, buffer<Type, Dimensions, Allocator>> : native_type<Backend, native_memory> {};

} // namespace detail

// The names that DPC++ prints, with which programs compare.
inline std::ostream &operator<<(std::ostream &out, backend value) {
  switch (value) {
  case backend::host:
    return out << "host";
  case backend::cuda:
    return out << "ext_oneapi_cuda";
  case backend::hip:
    return out << "ext_oneapi_hip";
  case backend::level_zero:
    return out << "ext_oneapi_level_zero";
  case backend::opencl:
    return out << "opencl";
  case backend::vulkan:
    return out << "vulkan";
  case backend::other:
    break;
  }
  return out << "other";
}

template <backend Backend> class backend_traits {
public:
  template <class Type> using input_type = typename detail::native_type<Backend, Type>::type;
  template <class Type> using return_type = typename detail::native_type<Backend, Type>::type;
};
template <backend Backend, class Type>
using backend_input_t = typename backend_traits<Backend>::template input_type<Type>;
template <backend Backend, class Type>
using backend_return_t = typename backend_traits<Backend>::template return_type<Type>;

namespace detail {

[[noreturn]] __attribute__((noinline, cold)) inline void wrong_backend(const device &target) {
  raise(errc::backend_mismatch, target.get_info<info::device::name>() + " belongs to driver " +
                                    device_text(target.sinter_number(), SINTER_DEVICE_DRIVER_NAME) +
                                    ", not to the backend that was asked for");
}
template <backend Backend> void check_backend(const device &target) {
  if (target.get_backend() != Backend)
    wrong_backend(target);
}

inline void *native(const device &target, sinter_native what) {
  void *handle = nullptr;
  check(sinter_device_get_native(target.sinter_number(), what, &handle));
  return handle;
}

} // namespace detail

template <backend Backend> backend_return_t<Backend, device> get_native(const device &object) {
  detail::check_backend<Backend>(object);
  return detail::native_handle<backend_return_t<Backend, device>>(detail::native(object, SINTER_NATIVE_DEVICE));
}
// The handle of the first device: in this implementation a context is a list of devices.
template <backend Backend> backend_return_t<Backend, context> get_native(const context &object) {
  detail::check_backend<Backend>(object.sinter_first_device());
  return static_cast<backend_return_t<Backend, context>>(
      detail::native(object.sinter_first_device(), SINTER_NATIVE_CONTEXT));
}
template <backend Backend> backend_return_t<Backend, queue> get_native(const queue &object) {
  detail::check_backend<Backend>(object.get_device());
  return static_cast<backend_return_t<Backend, queue>>(object.sinter_native_stream());
}

template <backend Backend> device make_device(const backend_input_t<Backend, device> &handle) {
  for (const device &candidate : device::get_devices())
    if (candidate.get_backend() == Backend && get_native<Backend>(candidate) == handle)
      return candidate;
  detail::raise(errc::invalid,
                "no device of this process has that native handle; sinter-info shows which setting hides devices");
}
// The context must be one that get_native returns: the primary context of a device. Does not
// initialise unused devices.
template <backend Backend>
context make_context(const backend_input_t<Backend, context> &handle, const async_handler &async = {}) {
  for (const device &candidate : device::get_devices())
    if (candidate.get_backend() == Backend && handle != nullptr &&
        detail::native(candidate, SINTER_NATIVE_EXISTING_CONTEXT) == handle)
      return context(candidate, async);
  detail::raise(errc::invalid, "the native context is not the primary context of a device of this process");
}
// A queue that submits to the program's stream, on the context's first device unless another one is
// given. The stream must outlive the queue and its events.
template <backend Backend>
queue make_queue(const backend_input_t<Backend, queue> &handle, const context &members, const device &target,
                 const async_handler &async = {}) {
  detail::check_backend<Backend>(target);
  return queue::from_sinter_stream(members, target, async, handle);
}
template <backend Backend>
queue make_queue(const backend_input_t<Backend, queue> &handle, const context &members,
                 const async_handler &async = {}) {
  return make_queue<Backend>(handle, members, members.sinter_first_device(), async);
}

} // namespace sycl

#endif
