//! Renames synchronisation scopes to those of LLVM's AMDGPU memory model.
//!
//! In: atomic operations with scopes of any name. Out: the same with the names that the memory
//! model defines. *Invariant:* an unknown name, which LLVM's AMDGPU back end refuses, becomes the
//! system scope, the widest.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
};
use sinter_llvm::ir::Value;

/// Scopes that the back end knows (LLVM, "User Guide for AMDGPU Backend", "Memory Scopes"). Each
/// also has a `-one-as` variant, which orders a single address space.
const KNOWN: [&str; 4] = ["agent", "workgroup", "wavefront", "singlethread"];
const ONE_SPACE: &str = "one-as";
/// Synonyms for such scopes.
const OTHER_NAMES: [(&str, &str); 2] = [("device", "agent"), ("subgroup", "wavefront")];
const START: &str = "syncscope(\"";
const END: &str = "\") ";

/// Rewrites the module only if it has a scope of another name, which is rare.
pub(super) fn rename<'s>(cx: &Context<'s, '_>, mut m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let atomics = m.defined().into_iter().flat_map(Value::instructions).filter(|i| i.is_atomic());
    let mut foreign: Vec<String> = atomics.filter_map(|i| scope(i.text())).filter(|name| !is_known(name)).collect();
    if foreign.is_empty() {
        return Ok(m);
    }
    foreign.sort();
    foreign.dedup();
    let text = foreign.iter().fold(m.module.text(), |text, name| {
        let here = OTHER_NAMES.iter().find(|(other, _)| other == name);
        let scope = here.map(|(_, here)| format!("{START}{here}{END}")).unwrap_or_default();
        text.replace(&format!("{START}{name}{END}"), &scope)
    });
    let name = m.kernel.name();
    m.module = cx.session.parse(text.as_bytes()).map_err(|error| Failure::internal(error.to_string()))?;
    m.kernel = m.module.function(&name).ok_or_else(|| Failure::internal("the kernel was lost"))?;
    Ok(m)
}

fn scope(text: String) -> Option<String> {
    let (_, rest) = text.split_once(START)?;
    Some(rest.split_once(END)?.0.to_owned())
}

fn is_known(name: &str) -> bool {
    name == ONE_SPACE || KNOWN.contains(&name.strip_suffix(ONE_SPACE).map_or(name, |name| name.trim_end_matches('-')))
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn scopes_within_one_address_space_are_known() {
        assert!(["agent", "agent-one-as", "one-as", "singlethread"].into_iter().all(is_known));
        assert!(!["device", "device-one-as", "agent-one", ""].into_iter().any(is_known));
    }
}
