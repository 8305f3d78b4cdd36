/* Prints size and offsets of every struct of the header, as `struct field offset` lines. */
#include <sinter/sinter.h>
#include <stdio.h>

#define SIZE(type) printf(#type " sizeof %zu\n", sizeof(type))
#define FIELD(type, field) printf(#type " " #field " %zu\n", offsetof(type, field))

int main(void) {
  SIZE(sinter_image);
  FIELD(sinter_image, offset);
  FIELD(sinter_image, size);
  FIELD(sinter_image, digest);
  FIELD(sinter_image, names);
  FIELD(sinter_image, exports_size);
  FIELD(sinter_image, imports_size);
  FIELD(sinter_image, flags);
  FIELD(sinter_image, reserved);
  FIELD(sinter_image, names_seal);
  FIELD(sinter_image, seal);
  SIZE(sinter_container);
  FIELD(sinter_container, struct_size);
  FIELD(sinter_container, abi_version);
  FIELD(sinter_container, data);
  FIELD(sinter_container, size);
  FIELD(sinter_container, object_id);
  FIELD(sinter_container, images);
  FIELD(sinter_container, image_count);
  FIELD(sinter_container, reserved);
  FIELD(sinter_container, seal);
  SIZE(sinter_parameter);
  FIELD(sinter_parameter, byte_offset);
  FIELD(sinter_parameter, byte_size);
  FIELD(sinter_parameter, original_index);
  FIELD(sinter_parameter, kind);
  SIZE(sinter_kernel);
  FIELD(sinter_kernel, struct_size);
  FIELD(sinter_kernel, parameter_count);
  FIELD(sinter_kernel, container);
  FIELD(sinter_kernel, symbol);
  FIELD(sinter_kernel, parameters);
  FIELD(sinter_kernel, block_size);
  FIELD(sinter_kernel, ir_hash);
  FIELD(sinter_kernel, slot);
  FIELD(sinter_kernel, required_group_size);
  FIELD(sinter_kernel, required_sub_group_size);
  FIELD(sinter_kernel, image);
  FIELD(sinter_kernel, symbol_size);
  FIELD(sinter_kernel, content_seal);
  FIELD(sinter_kernel, seal);
  SIZE(sinter_constant);
  FIELD(sinter_constant, name);
  FIELD(sinter_constant, value);
  FIELD(sinter_constant, size);
  SIZE(sinter_launch);
  FIELD(sinter_launch, struct_size);
  FIELD(sinter_launch, dimensions);
  FIELD(sinter_launch, global_size);
  FIELD(sinter_launch, group_size);
  FIELD(sinter_launch, local_memory);
  FIELD(sinter_launch, constant_count);
  FIELD(sinter_launch, reserved);
  FIELD(sinter_launch, constants);
  SIZE(sinter_kernel_usage);
  FIELD(sinter_kernel_usage, struct_size);
  FIELD(sinter_kernel_usage, registers);
  FIELD(sinter_kernel_usage, work_group_size);
  FIELD(sinter_kernel_usage, local_memory);
  FIELD(sinter_kernel_usage, private_memory);
  SIZE(sinter_profile);
  FIELD(sinter_profile, struct_size);
  FIELD(sinter_profile, reserved);
  FIELD(sinter_profile, submit);
  FIELD(sinter_profile, start);
  FIELD(sinter_profile, end);
  SIZE(sinter_pointer_info);
  FIELD(sinter_pointer_info, struct_size);
  FIELD(sinter_pointer_info, kind);
  FIELD(sinter_pointer_info, device);
  FIELD(sinter_pointer_info, reserved);
  FIELD(sinter_pointer_info, base);
  FIELD(sinter_pointer_info, size);
  SIZE(sinter_statistics);
  FIELD(sinter_statistics, struct_size);
  FIELD(sinter_statistics, reserved);
  FIELD(sinter_statistics, launches);
  FIELD(sinter_statistics, translated);
  FIELD(sinter_statistics, disk_hits);
  FIELD(sinter_statistics, memory_hits);
  FIELD(sinter_statistics, translate_nanoseconds);
  FIELD(sinter_statistics, load_nanoseconds);
  FIELD(sinter_statistics, cache_errors);
  FIELD(sinter_statistics, assemble_nanoseconds);
  return 0;
}
