// Memory of a kernel's arguments on a device, if one is an object that is not copied as bytes.
//
// *Invariant:* such objects are constructed and destroyed by the host; a device has their bytes.
#ifndef HIP_DETAIL_CLOSURE_HPP
#define HIP_DETAIL_CLOSURE_HPP

#include "attributes.hpp"

// Used by the plugin of stage 1, which makes the kernels (`tools/stage1/plugin/hip_entry.hpp`).
template <class Arguments> union sinter_hip_closure {
  SINTER_HIP_BOTH explicit sinter_hip_closure(const Arguments &from) {
    __builtin_memcpy(static_cast<void *>(&value), &from, sizeof from);
  }
  SINTER_HIP_BOTH ~sinter_hip_closure() {}

  Arguments value;
};

#endif
