//! Requirements of a kernel on its launches.
//!
//! In: the options that a kernel was compiled with. Out: the sizes and aspects in them.
//! *Invariant:* an option with one of these names but another form is an error, because a kernel
//! that is launched in another way would compute something else.

use super::read::ContainerKernel;

const GROUP_SIZE: &str = "reqd-work-group-size";
const SUB_GROUP_SIZE: &str = "reqd-sub-group-size";
/// Option of a kernel that requires aspects of its device: their bits, in hexadecimal notation.
pub const REQUIRED_ASPECTS: &str = "required-aspects";

/// Sizes that a kernel requires of its launches, and aspects that it requires of its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Required {
    /// Work-group size, x first; `None` means any.
    pub group_size: Option<[u32; 3]>,
    /// Sub-group size in work-items; `None` means any.
    pub sub_group_size: Option<u32>,
    /// A bit for each aspect, by its number in `sycl/info/aspects.def`.
    pub aspects: u64,
}

/// An option whose value cannot be interpreted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("its option `{name} = {value}` is not {wanted}; rebuild the container")]
pub struct RequiredError {
    /// Name of the option.
    pub name: String,
    /// Value in the container.
    pub value: String,
    /// Description of valid values.
    pub wanted: &'static str,
}

impl ContainerKernel<'_> {
    /// Requirements of the kernel on its launches.
    pub fn required(&self) -> Result<Required, RequiredError> {
        let mut found = Required::default();
        for (name, value) in &self.compile_options {
            let bad = |wanted| RequiredError { name: (*name).to_owned(), value: (*value).to_owned(), wanted };
            match *name {
                GROUP_SIZE => found.group_size = Some(group_size(value).ok_or_else(|| bad("three positive numbers"))?),
                SUB_GROUP_SIZE => found.sub_group_size = Some(size(value).ok_or_else(|| bad("a positive number"))?),
                REQUIRED_ASPECTS => {
                    found.aspects = bits(value).ok_or_else(|| bad("a number in hexadecimal notation"))?
                }
                _ => {}
            }
        }
        Ok(found)
    }
}

fn size(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|size| *size > 0)
}

fn bits(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()
}

/// Parses three sizes, x first, in the format of the container.
fn group_size(text: &str) -> Option<[u32; 3]> {
    text.split(',').map(size).collect::<Option<Vec<_>>>()?.try_into().ok()
}
