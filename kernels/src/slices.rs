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

/// The slices of [`HOST_LANES`](crate::HOST_LANES).
pub static HOST_LANES: Library = include!(concat!(env!("OUT_DIR"), "/host_lanes_slices.rs"));

/// The slices of [`HOST_LANES_FMA`](crate::HOST_LANES_FMA).
pub static HOST_LANES_FMA: Library = include!(concat!(env!("OUT_DIR"), "/host_lanes_fma_slices.rs"));

/// The slices of [`PTX_BUILTINS`](crate::PTX_BUILTINS).
pub static PTX_BUILTINS: Library = include!(concat!(env!("OUT_DIR"), "/ptx_slices.rs"));

/// The slices of [`PTX_MATH`](crate::PTX_MATH).
pub static PTX_MATH: Library = include!(concat!(env!("OUT_DIR"), "/ptx_math_slices.rs"));

/// The slices of [`AMDGCN_BUILTINS`](crate::AMDGCN_BUILTINS).
pub static AMDGCN_BUILTINS: Library = include!(concat!(env!("OUT_DIR"), "/amdgcn_slices.rs"));

/// The slices of [`AMDGCN_MATH`](crate::AMDGCN_MATH).
pub static AMDGCN_MATH: Library = include!(concat!(env!("OUT_DIR"), "/amdgcn_math_slices.rs"));

/// The slices of [`SPIRV_BUILTINS`](crate::SPIRV_BUILTINS).
pub static SPIRV_BUILTINS: Library = include!(concat!(env!("OUT_DIR"), "/spirv_slices.rs"));
