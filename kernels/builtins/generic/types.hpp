// Types and constants shared by the builtins of all targets. No system header is included, so that
// the bitcode does not depend on the machine it is built on.
#pragma once

using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
using f16 = _Float16;
using f32 = float;
using f64 = double;

static_assert(sizeof(i16) == 2 && sizeof(i32) == 4 && sizeof(i64) == 8, "the interface fixes the sizes");

// A function of the device interface.
#define SSCP_BUILTIN extern "C"

// Values of SYCL's enumerations as the interface passes them.
enum class order : i32 { relaxed = 0, acquire = 1, release = 2, acq_rel = 3, seq_cst = 4 };
enum class scope : i32 { work_item = 0, sub_group = 1, work_group = 2, device = 3, system = 4 };
enum class space : i32 { global = 0, local = 1, constant = 2, private_ = 3, generic = 4 };
// Values of the binary operations as the interface passes them.
enum class operation : i32 { plus, multiply, min, max, bit_and, bit_or, bit_xor, logical_and, logical_or };
