//! How a kernel is launched, as far as that follows from its source.
//!
//! In: an option of a kernel. Out: the form of its launches. *Invariant:* it decides what is
//! compiled before a launch and nothing else, so that an option of another form is none.

use super::read::ContainerKernel;
use std::fmt;

/// Option of a kernel with the form of its launches.
pub const LAUNCHED_OVER: &str = "launched-over";
const RANGE: &str = "range";
const GROUPS: &str = "groups";

/// The form of the launches of a kernel, with the number of dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaunchForm {
    /// Over a range, whose work-group size is left open.
    Range(u8),
    /// Over work-groups of a size that the program chooses.
    Groups(u8),
}

impl fmt::Display for LaunchForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchForm::Range(dimensions) => write!(f, "{RANGE} {dimensions}"),
            LaunchForm::Groups(dimensions) => write!(f, "{GROUPS} {dimensions}"),
        }
    }
}

impl LaunchForm {
    fn parse(text: &str) -> Option<Self> {
        let (form, dimensions) = text.trim().split_once(' ')?;
        let dimensions = dimensions.parse().ok().filter(|dimensions| (1..=3).contains(dimensions))?;
        match form {
            RANGE => Some(LaunchForm::Range(dimensions)),
            GROUPS => Some(LaunchForm::Groups(dimensions)),
            _ => None,
        }
    }
}

impl ContainerKernel<'_> {
    /// The form of the kernel's launches, if stage 1 recorded it.
    pub fn launched_over(&self) -> Option<LaunchForm> {
        let (_, form) = self.compile_options.iter().find(|(name, _)| *name == LAUNCHED_OVER)?;
        LaunchForm::parse(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read_as_they_are_written_and_others_are_none() {
        for form in [LaunchForm::Range(1), LaunchForm::Groups(3)] {
            assert_eq!(LaunchForm::parse(&form.to_string()), Some(form));
        }
        for text in ["", "range", "range 0", "range 4", "group 1", "groups x", "groups 1 2"] {
            assert_eq!(LaunchForm::parse(text), None, "{text}");
        }
    }
}
