// The properties with data that buffers and images have.
//
// A class for each bit of a property list; the data is a member of the list.
#ifndef SYCL_DETAIL_STORAGE_PROPERTIES_HPP
#define SYCL_DETAIL_STORAGE_PROPERTIES_HPP

#include "../runtime/context.hpp"
#include "../runtime/properties.hpp"

#include <mutex>

namespace sycl::detail {

template <unsigned Bit> class mutex_property {
public:
  static constexpr unsigned sinter_bit = Bit;
  mutex_property(std::mutex &mutex) noexcept : chosen(&mutex) {}
  explicit mutex_property(const property_list &list) noexcept : chosen(static_cast<std::mutex *>(list.sinter_mutex)) {}
  std::mutex *get_mutex_ptr() const noexcept { return chosen; }
  void sinter_keep(property_list &list) const noexcept { list.sinter_mutex = chosen; }

private:
  std::mutex *chosen;
};

template <unsigned Bit> class context_property {
  struct bound final : bound_context {
    explicit bound(const context &whole) : members(whole) {}
    context members;
  };

public:
  static constexpr unsigned sinter_bit = Bit;
  context_property(const context &one) : members(one) {}
  explicit context_property(const property_list &list) : members(static_cast<bound &>(*list.sinter_context).members) {}
  context get_context() const { return members; }
  void sinter_keep(property_list &list) const {
    list.sinter_context = shared<bound_context>::adopt(new bound(members));
  }

private:
  context members;
};

} // namespace sycl::detail

#endif
