// Functions of cooperative groups: copies, calls by one work-item.
#ifndef HIP_DETAIL_GROUP_FUNCTIONS_HPP
#define HIP_DETAIL_GROUP_FUNCTIONS_HPP

#include "groups.hpp"

namespace cooperative_groups {

// A size in bytes that is a multiple of the alignment of both addresses.
template <std::size_t Alignment> struct aligned_size_t {
  std::size_t value;
  SINTER_HIP_BOTH explicit aligned_size_t(std::size_t size) : value(size) {}
  SINTER_HIP_BOTH operator std::size_t() const { return value; }
};

// Copies of a group are complete after `wait`.
template <class Group>
SINTER_HIP_DEVICE void memcpy_async(const Group &group, void *to, const void *from, std::size_t bytes) {
  constexpr std::size_t word = sizeof(unsigned);
  const auto places = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from) | bytes;
  if (places % word == 0)
    for (std::size_t i = group.thread_rank(); i < bytes / word; i += group.size())
      static_cast<unsigned *>(to)[i] = static_cast<const unsigned *>(from)[i];
  else
    for (std::size_t i = group.thread_rank(); i < bytes; i += group.size())
      static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
}
template <class Group, std::size_t Alignment>
SINTER_HIP_DEVICE void memcpy_async(const Group &group, void *to, const void *from,
                                    const aligned_size_t<Alignment> &bytes) {
  memcpy_async(group, to, from, bytes.value);
}
// With numbers of elements: as many as both have.
template <class Group, class To, class From, class ToCount, class FromCount>
SINTER_HIP_DEVICE void memcpy_async(const Group &group, To *to, const ToCount &to_count, const From *from,
                                    const FromCount &from_count) {
  const std::size_t here = to_count, there = from_count;
  memcpy_async(group, to, from, (here < there ? here : there) * sizeof(To));
}
template <class Group> SINTER_HIP_DEVICE SINTER_CONVERGENT void wait(const Group &group) { group.sync(); }
template <unsigned Stages, class Group> SINTER_HIP_DEVICE SINTER_CONVERGENT void wait_prior(const Group &group) {
  group.sync();
}

template <class Group, class Function, class... Arguments>
SINTER_HIP_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    function(static_cast<Arguments &&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
SINTER_HIP_DEVICE auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> decltype(function(static_cast<Arguments &&>(arguments)...)) {
  decltype(function(static_cast<Arguments &&>(arguments)...)) result{};
  if (group.thread_rank() == 0)
    result = function(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
