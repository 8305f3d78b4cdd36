//! Flags for the specialisation and compilation of a kernel.
//!
//! *Invariant:* strings are parsed into types here; a value that does not parse is a usage error
//! that names the expected form.

use crate::{exit::ToolError, local::LocalAccessor};
use clap::{Args, builder::NonEmptyStringValueParser};
use sinter_core::{Approximations, Constant, ConstantValue, FloatMode, KernelConfig, OptLevel, Rows, SubGroupSize};
use std::{collections::HashSet, str::FromStr};

/// Value of a kernel parameter, written `N=TYPE:VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentValue {
    /// Index of the parameter, counted from 0.
    pub index: u32,
    /// The value to compile in.
    pub value: ConstantValue,
}

impl FromStr for ArgumentValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is not of the form N=TYPE:VALUE, for example 2=i32:16");
        let (index, value) = text.split_once('=').ok_or_else(form)?;
        let index = index.parse().map_err(|_| form())?;
        value
            .parse()
            .map(|value| ArgumentValue { index, value })
            .map_err(|error: sinter_core::ConstantParseError| error.to_string())
    }
}

/// A work-group size, written `X[,Y[,Z]]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupSize(pub [u32; 3]);

impl FromStr for GroupSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form =
            || format!("`{text}` is not of the form X[,Y[,Z]] with numbers from 1 to {}, for example 16,16", u32::MAX);
        let mut size = [1; 3];
        let parts: Vec<&str> = text.split(',').collect();
        for (i, part) in parts.into_iter().enumerate() {
            *size.get_mut(i).ok_or_else(form)? = part.parse().ok().filter(|n| *n > 0).ok_or_else(form)?;
        }
        Ok(GroupSize(size))
    }
}

/// Flags that make up a [`KernelConfig`].
#[derive(Debug, Clone, Args)]
pub struct KernelFlags {
    /// Kernel to translate: its symbol, its readable name, or a part of that which no other kernel
    /// has; not needed where the input has one only
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub kernel: Option<String>,
    /// Value of an IR or specialization constant; may be repeated. TYPE is bool, i8 to i64, u8 to
    /// u64, f32, f64, or bytes with a VALUE of 0x and two digits for each byte
    #[arg(long = "constant", value_name = "NAME=TYPE:VALUE")]
    pub constants: Vec<Constant>,
    /// Value of a kernel parameter, by index; may be repeated
    #[arg(long = "arg", value_name = "N=TYPE:VALUE")]
    pub arguments: Vec<ArgumentValue>,
    /// Size of a local accessor: bytes of an element, and how many there are in each dimension;
    /// once for each accessor, in the order of the kernel's parameters. They lie one behind the
    /// other, as if they were made in this order
    #[arg(long = "local", value_name = "BYTES:X[,Y[,Z]]")]
    pub local: Vec<LocalAccessor>,
    /// Kernel parameters, by index, that point to the first bytes of different allocations
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    pub allocations: Vec<u32>,
    /// Dimensions of the launch
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub dimensions: u8,
    /// Work-group size as a compile-time constant
    #[arg(long, value_name = "X,Y,Z")]
    pub group_size: Option<GroupSize>,
    /// Sub-group size that the kernel requires
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sub_group_size: Option<u32>,
    /// Sub-group size on host CPUs of a kernel that requires none
    #[arg(long, value_name = "N", default_value = "32")]
    pub default_sub_group_size: SubGroupSize,
    /// Assume that every global id and size is below 2^31
    #[arg(long)]
    pub sizes_fit_i32: bool,
    /// Never fuse multiplications and additions
    #[arg(long)]
    pub no_contraction: bool,
    /// Compile as with -ffast-math, whatever the kernel was compiled with
    #[arg(long, conflicts_with = "no_contraction")]
    pub fast_math: bool,
    /// Take subnormal operands and results of single precision for zero, where the target can
    #[arg(long)]
    pub flush_denormals: bool,
    /// Divide single precision with an instruction that does not round correctly, where the target
    /// has one
    #[arg(long)]
    pub approximate_division: bool,
    /// Take square roots of single precision with such an instruction
    #[arg(long)]
    pub approximate_square_root: bool,
    /// Do not optimise
    #[arg(long)]
    pub no_optimise: bool,
    /// Vector code on host CPUs: auto, off, or how many work-items run together
    #[arg(long, value_name = "auto|off|N", default_value = "auto")]
    pub rows: Rows,
    /// Pass `__constant__` variables by value, where the target gains by it
    #[arg(long)]
    pub constants_by_value: bool,
}

impl KernelFlags {
    /// Rejects values that contradict each other.
    pub fn check(&self) -> Result<(), ToolError> {
        let arguments = self.arguments.iter().map(|argument| format!("--arg {}", argument.index));
        let constants = self.constants.iter().map(|constant| format!("--constant {}", constant.name));
        let mut seen = HashSet::new();
        let allocations = self.allocations.iter().map(|index| format!("parameter {index} of --allocations"));
        match arguments.chain(constants).chain(allocations).find(|flag| !seen.insert(flag.clone())) {
            Some(flag) => Err(ToolError::usage(format!("{flag} is given more than once"))),
            None => self.check_group_size(),
        }
    }

    fn check_group_size(&self) -> Result<(), ToolError> {
        let Some(GroupSize(sizes)) = self.group_size else { return Ok(()) };
        if sizes.iter().skip(self.dimensions.into()).all(|size| *size == 1) {
            return Ok(());
        }
        let sizes = sizes.map(|size| size.to_string()).join(",");
        let dimensions = self.dimensions;
        Err(ToolError::usage(format!("--group-size {sizes} has more dimensions than --dimensions {dimensions}")))
    }

    /// Converts the flags to the configuration of `kernel`.
    pub fn config(&self, kernel: &str) -> KernelConfig {
        let mut config = KernelConfig::generic(kernel);
        config.specialization.constants.clone_from(&self.constants);
        config.specialization.arguments =
            self.arguments.iter().map(|argument| (argument.index, argument.value.clone())).collect();
        config.specialization.arguments.sort_by_key(|(index, _)| *index);
        config.specialization.allocations =
            (1..).zip(&self.allocations).map(|(number, index)| (*index, number)).collect();
        config.specialization.allocations.sort_unstable();
        config.dimensions = self.dimensions;
        config.group_size = self.group_size.map(|size| size.0);
        config.sub_group_size = self.sub_group_size;
        config.default_sub_group_size = self.default_sub_group_size;
        config.sizes_fit_i32 = self.sizes_fit_i32;
        config.float_mode = self.float_mode();
        config.approximations = Approximations {
            flush_denormals: self.flush_denormals,
            division: self.approximate_division,
            square_root: self.approximate_square_root,
        };
        config.opt_level = if self.no_optimise { OptLevel::O0 } else { OptLevel::O3 };
        config.rows = self.rows;
        config.constants_by_value = self.constants_by_value;
        config
    }

    fn float_mode(&self) -> FloatMode {
        match (self.no_contraction, self.fast_math) {
            (true, _) => FloatMode::NoContraction,
            (_, true) => FloatMode::Fast,
            _ => FloatMode::AsCompiled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_sizes_fill_up_with_ones() {
        assert_eq!("16".parse(), Ok(GroupSize([16, 1, 1])));
        assert_eq!("4,2,8".parse(), Ok(GroupSize([4, 2, 8])));
        assert!(["", "0", "4,", "1,2,3,4", "x"].into_iter().all(|text| text.parse::<GroupSize>().is_err()));
    }

    #[test]
    fn arguments_have_an_index() {
        assert_eq!("2=i32:16".parse(), Ok(ArgumentValue { index: 2, value: ConstantValue::I32(16) }));
        assert!("i32:16".parse::<ArgumentValue>().is_err());
        assert!("x=i32:16".parse::<ArgumentValue>().is_err());
    }
}
