/* Prints the layout of the structs of sinter/hip.h, and its numbers. */
#include <sinter/hip.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf(#type " sizeof %zu\n", sizeof(type))
#define FIELD(type, field) printf(#type " " #field " %zu\n", offsetof(type, field))
#define NUMBER(name) printf(#name " %llu\n", (unsigned long long)(name))

int main(void) {
  SIZE(sinter_hip_parameter);
  FIELD(sinter_hip_parameter, offset);
  FIELD(sinter_hip_parameter, size);
  SIZE(sinter_hip_kernel);
  FIELD(sinter_hip_kernel, stub);
  FIELD(sinter_hip_kernel, mark);
  FIELD(sinter_hip_kernel, kernel);
  FIELD(sinter_hip_kernel, parameters);
  FIELD(sinter_hip_kernel, parameter_count);
  FIELD(sinter_hip_kernel, largest_block);
  SIZE(sinter_hip_dimensions);
  FIELD(sinter_hip_dimensions, x);
  FIELD(sinter_hip_dimensions, y);
  FIELD(sinter_hip_dimensions, z);
  NUMBER(SINTER_HIP_KERNEL_MARK);
  NUMBER(SINTER_HIP_MANAGED);
  return 0;
}
