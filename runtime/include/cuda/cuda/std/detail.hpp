// The namespace of CUDA's C++ library, which is the C++ library: kernels may call its functions.
#ifndef CUDA_CUDA_STD_DETAIL_HPP
#define CUDA_CUDA_STD_DETAIL_HPP

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda

#endif
