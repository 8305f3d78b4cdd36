// Where a work-item is in its launch.
#ifndef HIP_DETAIL_INDICES_HPP
#define HIP_DETAIL_INDICES_HPP

#include "../hip_vector_types.h"
#include "builtins.hpp"

// Members are x, y and z, which a copy has for itself: `auto t = threadIdx; t.x += 1;`.
#define SINTER_HIP_INDEX(name, query)                                                                                 \
  class sinter_hip_##query {                                                                                         \
    bool is_copy = false;                                                                                            \
    unsigned values[3] = {};                                                                                         \
    static SINTER_HIP_DEVICE unsigned at(int axis) {                                                                 \
      return static_cast<unsigned>(axis == 0   ? __acpp_sscp_get_##query##_x()                                       \
                                   : axis == 1 ? __acpp_sscp_get_##query##_y()                                       \
                                               : __acpp_sscp_get_##query##_z());                                     \
    }                                                                                                                \
    SINTER_HIP_DEVICE unsigned get(int axis) const { return is_copy ? values[axis] : at(axis); }                     \
                                                                                                                     \
  public:                                                                                                            \
    constexpr __host__ __device__ sinter_hip_##query() {}                                                            \
    SINTER_HIP_DEVICE sinter_hip_##query(const sinter_hip_##query &from)                                             \
        : is_copy(true), values{from.get(0), from.get(1), from.get(2)} {}                                            \
    SINTER_HIP_DEVICE sinter_hip_##query &operator=(const sinter_hip_##query &from) {                                \
      const unsigned x = from.get(0), y = from.get(1), z = from.get(2);                                              \
      is_copy = true, values[0] = x, values[1] = y, values[2] = z;                                                   \
      return *this;                                                                                                  \
    }                                                                                                                \
    __declspec(property(get = get_x, put = put_x)) unsigned x;                                                       \
    __declspec(property(get = get_y, put = put_y)) unsigned y;                                                       \
    __declspec(property(get = get_z, put = put_z)) unsigned z;                                                       \
    SINTER_HIP_DEVICE unsigned get_x() const { return get(0); }                                                      \
    SINTER_HIP_DEVICE unsigned get_y() const { return get(1); }                                                      \
    SINTER_HIP_DEVICE unsigned get_z() const { return get(2); }                                                      \
    SINTER_HIP_DEVICE unsigned put_x(unsigned value) { return values[0] = value; }                                   \
    SINTER_HIP_DEVICE unsigned put_y(unsigned value) { return values[1] = value; }                                   \
    SINTER_HIP_DEVICE unsigned put_z(unsigned value) { return values[2] = value; }                                   \
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
