//! Marks of variables of devices.
//!
//! In: annotations and sections of the plugin's. Out: variables with their marks, in source order.
//! *Invariant:* nothing is changed.

use sinter_llvm::inkwell::{module::Module, values::GlobalValue};

const VARIABLE: &str = "sinter_hip_variable";
const EXPORTED: &str = "sinter_hip_exported";
const CONSTANT: &str = "sinter_hip_constant";

pub(super) type Annotated<'ctx> = [(GlobalValue<'ctx>, String)];

fn is_variable(text: &str) -> bool {
    text == VARIABLE
}

pub(super) fn name_of(variable: GlobalValue<'_>) -> String {
    variable.get_name().to_string_lossy().into_owned()
}

/// Definitions that are marked by their section, as annotations.
pub(super) fn in_sections<'ctx>(module: &Module<'ctx>) -> Vec<(GlobalValue<'ctx>, String)> {
    let is_in = |variable: GlobalValue<'_>, name: &str| {
        variable.get_section().is_some_and(|section| section.to_bytes() == name.as_bytes())
    };
    let defined: Vec<_> = module.get_globals().filter(|variable| !variable.is_declaration()).collect();
    let marked = |text| defined.iter().filter(move |variable| is_in(**variable, text)).copied();
    let exported = || marked(EXPORTED).map(|variable| (variable, EXPORTED.to_owned()));
    let all = marked(VARIABLE).chain(marked(EXPORTED)).map(|variable| (variable, VARIABLE.to_owned()));
    all.chain(exported()).collect()
}

/// True for a variable that this unit only declares.
pub(super) fn is_declared(variable: GlobalValue<'_>) -> bool {
    variable.is_declaration() && variable.get_section().is_some_and(|name| name.to_bytes() == VARIABLE.as_bytes())
}

/// Names of the variables that other units may use.
pub(super) fn exported(annotated: &Annotated<'_>) -> Vec<String> {
    annotated.iter().filter(|(_, text)| text == EXPORTED).map(|(variable, _)| name_of(*variable)).collect()
}

/// Names of the variables that device code only reads.
pub(super) fn constants(annotated: &Annotated<'_>) -> Vec<String> {
    annotated.iter().filter(|(_, text)| text == CONSTANT).map(|(variable, _)| name_of(*variable)).collect()
}

/// The variables that this unit defines.
pub(super) fn defined(annotated: &Annotated<'_>) -> Vec<String> {
    let mut names: Vec<_> = annotated.iter().filter(|(_, text)| is_variable(text)).map(|(v, _)| name_of(*v)).collect();
    names.sort_unstable();
    names.dedup();
    names
}
