//! Reads the annotations that mark kernels and exported functions.
//!
//! In: clang's annotations. Out: names, because the same functions are looked up in two modules.
//! *Invariant:* only functions with a body are kernels or exports; a declaration belongs to another
//! translation unit.

use crate::{requests, requirements};
use sinter_core::container::LaunchForm;
use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{annotation, name},
};
use std::collections::HashMap;

const KERNEL: &str = "sinter_kernel";
/// A kernel that is launched over work-groups of three dimensions.
const GROUP_KERNEL: &str = "sinter_group_kernel";
/// Marks a kernel that may be left out: its host code has another way.
const OPTIONAL: &str = "sinter_optional";
const EXPORT: &str = "sinter_export";
/// Like [`EXPORT`], but a definition in another unit may be resolved at run time.
const LATE_EXPORT: &str = "sinter_late_export";
/// Marks the local copy of the closure in a kernel entry.
pub(crate) const CLOSURE: &str = "sinter_closure";

/// The annotated functions and named variables of a module, in source order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) kernels: Vec<String>,
    /// The form of the launches of kernels whose source says it.
    pub(crate) forms: HashMap<String, LaunchForm>,
    /// The kernels that may be left out.
    pub(crate) optional: Vec<String>,
    pub(crate) exports: Vec<String>,
    /// Functions that other translation units export and that must be defined when the program is
    /// linked.
    pub(crate) foreign: Vec<String>,
    /// Functions that other translation units export and that may be defined at run time.
    pub(crate) late: Vec<String>,
    /// Variables whose names host code requests. A launch may set them even if no kernel reads
    /// them.
    pub(crate) constants: Vec<String>,
}

impl Marks {
    pub(crate) fn is_empty(&self) -> bool {
        self.kernels.is_empty() && self.exports.is_empty()
    }

    /// The marked functions of `module`, which is the annotated module or a copy of it.
    pub(crate) fn functions<'ctx>(&self, module: &Module<'ctx>) -> Vec<FunctionValue<'ctx>> {
        self.kernels.iter().chain(&self.exports).filter_map(|name| module.get_function(name)).collect()
    }
}

/// The form of launches in the annotation of a kernel: the dimensions of a range, or of work-groups
/// as a negative number.
fn form(text: &str, values: &[Option<i64>]) -> Option<LaunchForm> {
    if text == GROUP_KERNEL {
        return Some(LaunchForm::Groups(3));
    }
    match values.first().copied().flatten().filter(|_| text == KERNEL)? {
        dimensions @ 1..=3 => Some(LaunchForm::Range(dimensions as u8)),
        dimensions @ -3..=-1 => Some(LaunchForm::Groups(dimensions.unsigned_abs() as u8)),
        _ => None,
    }
}

pub(crate) fn read(module: &Module<'_>) -> Marks {
    let mut marks = Marks { constants: requests::named_variables(module), ..Marks::default() };
    for annotation in annotation::function_annotations(module) {
        let list = match (annotation.text.as_str(), annotation.function.count_basic_blocks() > 0) {
            (KERNEL | GROUP_KERNEL, true) => &mut marks.kernels,
            (OPTIONAL, true) => &mut marks.optional,
            (EXPORT | LATE_EXPORT, true) => &mut marks.exports,
            (EXPORT, false) => &mut marks.foreign,
            (LATE_EXPORT, false) => &mut marks.late,
            _ => continue,
        };
        let name = name(annotation.function);
        let form = form(&annotation.text, &annotation.values);
        marks.forms.extend(form.map(|form| (name.clone(), form)));
        if !list.contains(&name) {
            list.push(name);
        }
    }
    marks
}

/// Removes our annotations: they would keep references to the kernel entries in the host's object
/// file.
pub(crate) fn remove(module: &Module<'_>) {
    annotation::remove_function_annotations(module, |text| {
        [KERNEL, GROUP_KERNEL, OPTIONAL, EXPORT, LATE_EXPORT].contains(&text) || requirements::is_requirement(text)
    });
}
