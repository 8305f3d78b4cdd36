//! Which functions are kernels and which are exported.
//!
//! In: clang's annotations. Out: names, because the same functions are looked up in two modules. *Invariant:* only
//! functions with a body count; a declaration belongs to another translation unit.

use crate::{bind, requirements};
use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{annotation, name},
};

const KERNEL: &str = "sinter_kernel";
const EXPORT: &str = "sinter_export";
/// Marks the local copy of the closure in a kernel entry.
pub(crate) const CLOSURE: &str = "sinter_closure";

/// The marked functions and named variables of a module, in source order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) kernels: Vec<String>,
    pub(crate) exports: Vec<String>,
    /// Variables whose names host code asks for: a launch may set them whether a kernel reads them or not.
    pub(crate) constants: Vec<String>,
}

impl Marks {
    pub(crate) fn is_empty(&self) -> bool {
        self.kernels.is_empty() && self.exports.is_empty()
    }

    /// The marked functions of `module`, which is the marked module or a copy.
    pub(crate) fn functions<'ctx>(&self, module: &Module<'ctx>) -> Vec<FunctionValue<'ctx>> {
        self.kernels.iter().chain(&self.exports).filter_map(|name| module.get_function(name)).collect()
    }
}

pub(crate) fn read(module: &Module<'_>) -> Marks {
    let mut marks = Marks { constants: bind::named_variables(module), ..Marks::default() };
    for annotation in annotation::function_annotations(module) {
        let list = match annotation.text.as_str() {
            KERNEL => &mut marks.kernels,
            EXPORT => &mut marks.exports,
            _ => continue,
        };
        let name = name(annotation.function);
        if annotation.function.count_basic_blocks() > 0 && !list.contains(&name) {
            list.push(name);
        }
    }
    marks
}

/// Removes our annotations, which would name the kernel entries in the host's object file.
pub(crate) fn remove(module: &Module<'_>) {
    annotation::remove_function_annotations(module, |text| {
        text == KERNEL || text == EXPORT || requirements::is_requirement(text)
    });
}
