// Declarations and constants for functions that stand for SPIR-V instructions.
//
// The translator replaces a call by the instruction that the function's name says ("SPIR-V
// Specification", section 3.42 "Instructions", and "OpenCL.std Extended Instruction Set"): the
// parameters are the operands. The suffix after two underscores distinguishes types and address
// spaces.
#pragma once
#include "features.hpp"

#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))

// Calls must not be merged: two that differ in a constant must not become one with a variable
// operand.
#define SPIRV_OP(INSTRUCTION, SUFFIX)                                                                                  \
  __asm__("__sinter_spirv_op_" #INSTRUCTION "__" SUFFIX) __attribute__((nomerge))
#define SPIRV_GROUP_OP(INSTRUCTION, SUFFIX) SPIRV_OP(INSTRUCTION, SUFFIX) __attribute__((convergent))
// A pure function.
#define SPIRV_OCL(INSTRUCTION, SUFFIX) __asm__("__sinter_spirv_ocl_" #INSTRUCTION "__" SUFFIX) __attribute__((const))
#define SPIRV_BUILTIN(VARIABLE) __asm__("__sinter_spirv_builtin_" #VARIABLE) __attribute__((const))

namespace spirv {

// Section 3.27, "Scope <id>".
constexpr u32 cross_device = 0, device = 1, workgroup = 2, subgroup = 3;

// Section 3.25, "Memory Semantics <id>". An order applies to local and to global memory.
constexpr u32 all_memory = 0x100 | 0x200;
constexpr u32 semantics(int order) {
  switch (order) {
  case __ATOMIC_RELAXED: return 0;
  case __ATOMIC_ACQUIRE: return 0x2 | all_memory;
  case __ATOMIC_RELEASE: return 0x4 | all_memory;
  case __ATOMIC_ACQ_REL: return 0x8 | all_memory;
  default: return 0x10 | all_memory;
  }
}

} // namespace spirv
