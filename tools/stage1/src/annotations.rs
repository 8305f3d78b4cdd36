//! Reads the annotations that mark kernels and exported functions.
//!
//! In: clang's annotations. Out: names, because the same functions are looked up in two modules.
//! *Invariant:* only functions with a body are kernels or exports; a declaration belongs to another
//! translation unit.

use crate::{requests, requirements};
use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{annotation, name},
};

const KERNEL: &str = "sinter_kernel";
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

pub(crate) fn read(module: &Module<'_>) -> Marks {
    let mut marks = Marks { constants: requests::named_variables(module), ..Marks::default() };
    for annotation in annotation::function_annotations(module) {
        let list = match (annotation.text.as_str(), annotation.function.count_basic_blocks() > 0) {
            (KERNEL, true) => &mut marks.kernels,
            (OPTIONAL, true) => &mut marks.optional,
            (EXPORT | LATE_EXPORT, true) => &mut marks.exports,
            (EXPORT, false) => &mut marks.foreign,
            (LATE_EXPORT, false) => &mut marks.late,
            _ => continue,
        };
        let name = name(annotation.function);
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
        [KERNEL, OPTIONAL, EXPORT, LATE_EXPORT].contains(&text) || requirements::is_requirement(text)
    });
}
