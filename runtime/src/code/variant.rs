//! Decides which variant of a kernel a launch gets.
//!
//! In: the launch. Out: the class of launches that share machine code, and the configuration it is
//! compiled with. *Invariant:* a variant never changes results; it only knows more about the
//! launches it is used for. Values of constants and of specialised arguments always make variants;
//! their number is the program's choice and is not bounded here.
#![forbid(unsafe_code)]

use crate::registry::descriptor::Descriptor;
use sinter_core::{
    Approximations, FloatMode, KernelConfig, LaunchShape, OptLevel, Rows, Specialization, SubGroupSize, Target,
};
use sinter_program::LaunchSize;
use std::fmt;

/// The launches that share one variant of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShapeClass {
    /// The work-group size that the program asked for; all 0 where it left the choice to us.
    pub group: [u32; 3],
    /// Dimensions of the launch.
    pub dimensions: u8,
    /// True if every global ID and size is below 2^31.
    pub fits_i32: bool,
}

impl ShapeClass {
    /// The class of a launch. A group size that we chose ourselves stays open, so that one variant
    /// serves every range.
    pub fn of(size: &LaunchSize, shape: &LaunchShape) -> Self {
        ShapeClass {
            group: if size.group.is_some() { shape.group } else { [0; 3] },
            dimensions: size.dimensions,
            fits_i32: shape.fits_i32(),
        }
    }

    /// The class that a configuration was made for.
    pub(crate) fn of_config(config: &KernelConfig) -> Self {
        let KernelConfig { group_size, dimensions, sizes_fit_i32: fits_i32, .. } = *config;
        ShapeClass { group: group_size.unwrap_or_default(), dimensions, fits_i32 }
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
            None => write!(f, "{}-D range", self.dimensions)?,
        }
        f.write_str(if self.fits_i32 { ", 32-bit" } else { ", 64-bit" })
    }
}

/// A variant in the words of the report.
pub fn describe(class: &ShapeClass, specialization: &Specialization) -> String {
    let values = match specialization.constants.len() + specialization.arguments.len() {
        0 => String::new(),
        1 => ", 1 value".to_owned(),
        values => format!(", {values} values"),
    };
    let pointers = if specialization.allocations.is_empty() { "" } else { ", pointers to different allocations" };
    format!("{class}{values}{pointers}")
}

/// How kernels are compiled, whatever the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CodeOptions {
    /// Optimisation level.
    pub opt_level: OptLevel,
    /// Freedom with floating-point operations.
    pub float_mode: FloatMode,
    /// Operations that may be less accurate.
    pub approximations: Approximations,
    /// Vector code on host CPUs.
    pub rows: Rows,
    /// Sub-group size on host CPUs of kernels that require none.
    pub default_sub_group_size: SubGroupSize,
    /// Where code says which source line it comes from.
    pub line_tables: LineTables,
    /// Compile for pointers that lead to different allocations, where code gains by it.
    pub separate_allocations: bool,
}

/// Devices whose code says which source line it comes from, if the program was compiled with `-g`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineTables {
    /// None.
    Off,
    /// The host CPU, for debuggers.
    #[default]
    Host,
    /// All, for profilers.
    All,
}

impl CodeOptions {
    /// The configuration of a variant with these options.
    pub(crate) fn applied_to(&self, variant: KernelConfig) -> KernelConfig {
        let CodeOptions { opt_level, float_mode, approximations, rows, default_sub_group_size, .. } = *self;
        KernelConfig { opt_level, float_mode, approximations, rows, default_sub_group_size, ..variant }
    }

    /// The target of code for a device with this target, of an image that has debug
    /// information or has none.
    pub fn target(&self, device: &Target, has_debug: bool) -> Target {
        let lines = match self.line_tables {
            LineTables::Off if device.runs_in_process() => false,
            _ if device.runs_in_process() => has_debug,
            LineTables::All => true,
            _ => device.line_tables(),
        };
        device.clone().with_line_tables(lines)
    }
}

/// The configuration of a kernel for a class of launches and the values it is specialised on.
pub fn config(
    kernel: &Descriptor<'_>,
    class: &ShapeClass,
    specialization: Specialization,
    code: &CodeOptions,
) -> KernelConfig {
    let sub_group = kernel.requirements.required_sub_group_size;
    code.applied_to(KernelConfig {
        specialization,
        dimensions: class.dimensions,
        group_size: class.group_size(),
        sub_group_size: (sub_group != 0).then_some(sub_group),
        sizes_fit_i32: class.fits_i32,
        ..KernelConfig::generic(kernel.symbol)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::{HostTarget, PtxTarget};

    fn class(x: u64, group_given: bool) -> ShapeClass {
        let group = group_given.then_some([64, 1, 1]);
        let size = LaunchSize { dimensions: 1, global: [x, 1, 1], group, local_memory: 0 };
        ShapeClass::of(&size, &LaunchShape { global: [x, 1, 1], group: [64, 1, 1], local_memory: 0 })
    }

    #[test]
    fn line_tables_are_for_the_devices_that_are_asked_for() {
        let code = |line_tables| CodeOptions { line_tables, ..CodeOptions::default() };
        let ptx = |line_tables| Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables });
        let host = |line_tables| {
            let [triple, cpu, features] = ["t", "c", ""].map(String::from);
            Target::Host(HostTarget { triple, cpu, features, line_tables })
        };
        for (wanted, on_gpu, on_host) in
            [(LineTables::Off, false, false), (LineTables::Host, false, true), (LineTables::All, true, true)]
        {
            assert_eq!(code(wanted).target(&ptx(false), true), ptx(on_gpu));
            assert_eq!(code(wanted).target(&host(false), true), host(on_host));
            assert_eq!(code(wanted).target(&host(false), false), host(false));
        }
    }

    #[test]
    fn ranges_share_a_variant_and_group_sizes_do_not() {
        assert_eq!(class(1, false), class(1000, false));
        assert_ne!(class(64, true), class(64, false));
        assert_ne!(class(1, false), class(1 << 31, false));
        assert_eq!(class(64, true).to_string(), "group 64x1x1, 32-bit");
    }
}
