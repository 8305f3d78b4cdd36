// Names of DPC++'s bindless images, which are not supported: a program that uses one does not
// compile, and the message says why.
#ifndef SYCL_BINDLESS_IMAGES_HPP
#define SYCL_BINDLESS_IMAGES_HPP

#include "../detail/config.hpp"

#define SINTER_UNAVAILABLE                                                                                           \
  __attribute__((unavailable("bindless images (sycl_ext_oneapi_bindless_images) are not supported; "                 \
                             "sycl::sampled_image, unsampled_image and image are: see docs/support.md")))

namespace sycl::ext::oneapi::experimental {

#define SINTER_TYPE(name) class SINTER_UNAVAILABLE name;
SINTER_TYPE(bindless_image_sampler)
SINTER_TYPE(external_mem)
SINTER_TYPE(external_semaphore)
SINTER_TYPE(image_descriptor)
SINTER_TYPE(image_mem)
SINTER_TYPE(image_mem_handle)
SINTER_TYPE(sampled_image_handle)
SINTER_TYPE(unsampled_image_handle)
#undef SINTER_TYPE

#define SINTER_FUNCTION(name) template <class... Arguments> SINTER_UNAVAILABLE void name(Arguments &&...arguments);
SINTER_FUNCTION(alloc_image_mem)
SINTER_FUNCTION(create_image)
SINTER_FUNCTION(free_image_mem)
SINTER_FUNCTION(get_image_range)
SINTER_FUNCTION(import_external_memory)
SINTER_FUNCTION(import_external_semaphore)
SINTER_FUNCTION(map_external_image_memory)
SINTER_FUNCTION(pitched_alloc_device)
#undef SINTER_FUNCTION

#define SINTER_FETCH(name)                                                                                           \
  template <class Data, class... Arguments> SINTER_UNAVAILABLE Data name(const Arguments &...arguments);
SINTER_FETCH(fetch_image)
SINTER_FETCH(fetch_image_array)
SINTER_FETCH(sample_image)
SINTER_FETCH(sample_image_array)
SINTER_FETCH(sample_mipmap)
#undef SINTER_FETCH

} // namespace sycl::ext::oneapi::experimental

#undef SINTER_UNAVAILABLE

#endif
