//! Libraries in slices, of which a translation reads only those that it needs.
//!
//! In: the name of a function. Out: bitcode that defines it. *Invariant:* symbols that a slice
//! needs and does not define are in other slices of the same library or in another library.

/// A library in slices.
#[derive(Debug)]
pub struct Library {
    slices: &'static [&'static [u8]],
    /// For each function, in the order of the names, the index of its slice.
    numbers: &'static [(&'static str, usize)],
}

impl Library {
    /// The bitcode that defines the function; `None` if the library lacks it.
    pub fn slice(&self, name: &str) -> Option<&'static [u8]> {
        let found = self.numbers.binary_search_by_key(&name, |(known, _)| known).ok()?;
        self.slices.get(self.numbers[found].1).copied()
    }

    /// Names of all functions, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.numbers.iter().map(|(name, _)| *name)
    }
}

/// The functions of C on complex numbers of float and double, which take and return them as on
/// x86-64. They call functions of C on real numbers, and `__muldc3` and `__mulsc3`.
pub static COMPLEX: Library = include!(concat!(env!("OUT_DIR"), "/complex_slices.rs"));

/// The slices of [`HOST_LANES`](crate::HOST_LANES).
pub static HOST_LANES: Library = include!(concat!(env!("OUT_DIR"), "/host_lanes_slices.rs"));

/// The slices of [`HOST_LANES_FMA`](crate::HOST_LANES_FMA).
pub static HOST_LANES_FMA: Library = include!(concat!(env!("OUT_DIR"), "/host_lanes_fma_slices.rs"));

/// The functions of the host CPU for rows of this many work-items: their part in collectives of the
/// group, and the functions of sub-groups if these are rows.
pub fn host_rows(lanes: u32) -> Option<&'static Library> {
    HOST_ROWS.iter().find(|(known, _)| *known == lanes).map(|(_, library)| library)
}

/// Besides builtins they refer to the primitives `__sinter_sub_group_*` and the facts
/// `__sinter_row_is_*`, which the translator defines, and to the local ID and size queries.
static HOST_ROWS: [(u32, Library); 6] = [
    (1, include!(concat!(env!("OUT_DIR"), "/host_rows_1_slices.rs"))),
    (4, include!(concat!(env!("OUT_DIR"), "/host_rows_4_slices.rs"))),
    (8, include!(concat!(env!("OUT_DIR"), "/host_rows_8_slices.rs"))),
    (16, include!(concat!(env!("OUT_DIR"), "/host_rows_16_slices.rs"))),
    (32, include!(concat!(env!("OUT_DIR"), "/host_rows_32_slices.rs"))),
    (64, include!(concat!(env!("OUT_DIR"), "/host_rows_64_slices.rs"))),
];

/// The slices of [`PTX_BUILTINS`](crate::PTX_BUILTINS).
pub static PTX_BUILTINS: Library = include!(concat!(env!("OUT_DIR"), "/ptx_slices.rs"));

/// The slices of [`PTX_MATH`](crate::PTX_MATH).
pub static PTX_MATH: Library = include!(concat!(env!("OUT_DIR"), "/ptx_math_slices.rs"));

/// The slices of [`AMDGCN_BUILTINS`](crate::AMDGCN_BUILTINS).
pub static AMDGCN_BUILTINS: Library = include!(concat!(env!("OUT_DIR"), "/amdgcn_slices.rs"));

/// The slices of [`AMDGCN_MATH`](crate::AMDGCN_MATH).
pub static AMDGCN_MATH: Library = include!(concat!(env!("OUT_DIR"), "/amdgcn_math_slices.rs"));

/// OpenCL's functions for Vulkan, made from libclc: each has the name that stands for OpenCL's
/// instruction, such as `__sinter_spirv_ocl_sin__f32`. They call LLVM's intrinsics only.
pub static VULKAN_MATH: Library = include!(concat!(env!("OUT_DIR"), "/vulkan_math_slices.rs"));

/// The slices of [`SPIRV_BUILTINS`](crate::SPIRV_BUILTINS).
pub static SPIRV_BUILTINS: Library = include!(concat!(env!("OUT_DIR"), "/spirv_slices.rs"));
