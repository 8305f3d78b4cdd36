//! What a kernel requires of its launches.
//!
//! In: the options that a kernel was compiled with. Out: the sizes in them. *Invariant:* an option that has one of these names and
//! another form is an error; launched in another way, the kernel would compute something else.

use super::read::ContainerKernel;

const GROUP_SIZE: &str = "reqd-work-group-size";
const SUB_GROUP_SIZE: &str = "reqd-sub-group-size";

/// What a kernel requires of its launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Required {
    /// The work-group size, x first.
    pub group_size: Option<[u32; 3]>,
    /// Work-items of a sub-group.
    pub sub_group_size: Option<u32>,
}

/// An option without meaning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("its option `{name} = {value}` is not {wanted}; rebuild the container")]
pub struct RequiredError {
    /// The option.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What it should be.
    pub wanted: &'static str,
}

impl ContainerKernel<'_> {
    /// What its launches must look like.
    pub fn required(&self) -> Result<Required, RequiredError> {
        let mut found = Required::default();
        for (name, value) in &self.compile_options {
            let bad = |wanted| RequiredError { name: (*name).to_owned(), value: (*value).to_owned(), wanted };
            match *name {
                GROUP_SIZE => found.group_size = Some(group_size(value).ok_or_else(|| bad("three positive numbers"))?),
                SUB_GROUP_SIZE => found.sub_group_size = Some(size(value).ok_or_else(|| bad("a positive number"))?),
                _ => {}
            }
        }
        Ok(found)
    }
}

fn size(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|size| *size > 0)
}

/// Three sizes, x first, as the container spells them.
fn group_size(text: &str) -> Option<[u32; 3]> {
    text.split(',').map(size).collect::<Option<Vec<_>>>()?.try_into().ok()
}
