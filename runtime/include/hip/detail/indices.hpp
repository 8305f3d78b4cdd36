// Where a work-item is in its launch.
#ifndef HIP_DETAIL_INDICES_HPP
#define HIP_DETAIL_INDICES_HPP

#include "../hip_vector_types.h"
#include "builtins.hpp"

// Members are read as x, y and z.
#define SINTER_HIP_INDEX(name, query)                                                                                \
  struct sinter_hip_##query {                                                                                        \
    __declspec(property(get = get_x)) unsigned x;                                                                    \
    __declspec(property(get = get_y)) unsigned y;                                                                    \
    __declspec(property(get = get_z)) unsigned z;                                                                    \
    static SINTER_HIP_DEVICE unsigned get_x() { return static_cast<unsigned>(__acpp_sscp_get_##query##_x()); }       \
    static SINTER_HIP_DEVICE unsigned get_y() { return static_cast<unsigned>(__acpp_sscp_get_##query##_y()); }       \
    static SINTER_HIP_DEVICE unsigned get_z() { return static_cast<unsigned>(__acpp_sscp_get_##query##_z()); }       \
    SINTER_HIP_DEVICE operator dim3() const { return dim3(get_x(), get_y(), get_z()); }                              \
    SINTER_HIP_DEVICE operator uint3() const { return uint3{get_x(), get_y(), get_z()}; }                            \
  };                                                                                                                 \
  static constexpr sinter_hip_##query name = {};

SINTER_HIP_INDEX(threadIdx, local_id)
SINTER_HIP_INDEX(blockIdx, group_id)
SINTER_HIP_INDEX(blockDim, local_size)
SINTER_HIP_INDEX(gridDim, num_groups)
#undef SINTER_HIP_INDEX

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#endif
