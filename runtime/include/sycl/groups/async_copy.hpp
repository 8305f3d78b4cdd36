// async_work_group_copy: copies between global and local memory by all work-items of a group.
//
// Each work-item copies its share at once, and waiting for the copy is a barrier. All work-items of
// the group call both.
#ifndef SYCL_ASYNC_COPY_HPP
#define SYCL_ASYNC_COPY_HPP

#include "barrier.hpp"
#include "../memory/multi_ptr.hpp"

namespace sycl {

class device_event {
public:
  void wait() const noexcept { detail::work_group_barrier(); }
};

namespace detail {

// Start of the elements and their distance, in elements.
template <class Type> struct strided {
  Type *first;
  std::size_t stride;
};

template <class Type, class Another>
inline device_event group_copy(strided<Type> to, strided<Another> from, std::size_t count, std::size_t self,
                               std::size_t items) noexcept {
  static_assert(std::is_same_v<Type, std::remove_const_t<Another>>,
                "async_work_group_copy copies between elements of one type");
  for (std::size_t i = self; i < count; i += items)
    to.first[i * to.stride] = from.first[i * from.stride];
  return {};
}

template <access::address_space To, access::address_space From> constexpr void check_copied_spaces() noexcept {
  constexpr auto local = access::address_space::local_space, global = access::address_space::global_space;
  static_assert((To == local && From == global) || (To == global && From == local),
                "async_work_group_copy copies between global and local memory");
}

// Members of group and nd_item. The stride is that of global memory.
template <class Self> class copies {
public:
  template <class Type, access::address_space To, access::decorated Left, class Another, access::address_space From,
            access::decorated Right>
  device_event async_work_group_copy(multi_ptr<Type, To, Left> to, multi_ptr<Another, From, Right> from,
                                     std::size_t count) const noexcept {
    return async_work_group_copy(to, from, count, 1);
  }
  template <class Type, access::address_space To, access::decorated Left, class Another, access::address_space From,
            access::decorated Right>
  device_event async_work_group_copy(multi_ptr<Type, To, Left> to, multi_ptr<Another, From, Right> from,
                                     std::size_t count, std::size_t stride) const noexcept {
    check_copied_spaces<To, From>();
    constexpr bool loads = To == access::address_space::local_space;
    const Self &self = static_cast<const Self &>(*this);
    return group_copy(strided<Type>{to.get(), loads ? 1 : stride}, strided<Another>{from.get(), loads ? stride : 1},
                      count, self.get_local_linear_id(), self.sinter_group_size());
  }
  template <class... Events, enable_if<(std::is_same_v<Events, device_event> && ...)> = 0>
  void wait_for(Events...) const noexcept {
    work_group_barrier();
  }
};

} // namespace detail
} // namespace sycl

#endif
