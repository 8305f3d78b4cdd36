// error: bindless images (sycl_ext_oneapi_bindless_images) are not supported
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

syclexp::image_descriptor *description;

int main() {}
