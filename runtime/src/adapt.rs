//! Decides which variant of a kernel a launch gets.
//!
//! In: the launch. Out: the class of launches that share machine code, and the configuration it is compiled with.
//! *Invariant:* a variant never changes results; it only knows more about the launches it is used for.
#![forbid(unsafe_code)]

use sinter_core::{FloatMode, KernelConfig, LaunchShape, OptLevel, Specialization};
use std::fmt;

/// The launches that share one variant of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShapeClass {
    /// The work-group size that the program asked for; all 0 where it left the choice to us.
    pub group: [u32; 3],
    /// Whether every global id and size is below 2^31.
    pub fits_i32: bool,
}

impl ShapeClass {
    /// The class of a launch. A group size that we chose ourselves stays open, so that one variant serves every range.
    pub fn of(shape: &LaunchShape, group_given: bool) -> Self {
        ShapeClass { group: if group_given { shape.group } else { [0; 3] }, fits_i32: shape.fits_i32() }
    }

    /// The group size as a compile-time constant.
    pub fn group_size(&self) -> Option<[u32; 3]> {
        (self.group != [0; 3]).then_some(self.group)
    }
}

impl fmt::Display for ShapeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group_size() {
            Some([x, y, z]) => write!(f, "group {x}x{y}x{z}")?,
            None => f.write_str("range")?,
        }
        f.write_str(if self.fits_i32 { ", 32-bit" } else { ", 64-bit" })
    }
}

/// The configuration of a kernel for a class of launches.
pub fn config(kernel: &str, class: &ShapeClass, opt_level: OptLevel) -> KernelConfig {
    KernelConfig {
        entry: kernel.to_owned(),
        specialization: Specialization::default(),
        group_size: class.group_size(),
        sizes_fit_i32: class.fits_i32,
        float_mode: FloatMode::AsCompiled,
        opt_level,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(x: u64) -> LaunchShape {
        LaunchShape { global: [x, 1, 1], group: [64, 1, 1], local_memory: 0 }
    }

    #[test]
    fn ranges_share_a_variant_and_group_sizes_do_not() {
        assert_eq!(ShapeClass::of(&shape(1), false), ShapeClass::of(&shape(1000), false));
        assert_ne!(ShapeClass::of(&shape(64), true), ShapeClass::of(&shape(64), false));
        assert_ne!(ShapeClass::of(&shape(1), false), ShapeClass::of(&shape(1 << 31), false));
        assert_eq!(ShapeClass::of(&shape(64), true).to_string(), "group 64x1x1, 32-bit");
    }
}
