//! The module of a parse for devices (`sinter-cc --sinter-device-pass`).
//!
//! In: that module as clang leaves it. Out: the same with the host's names, and without the lists
//! of what clang wants to be kept. *Invariant:* each kernel that host code may launch is there with
//! the same parameters, or reported.

use super::{Hip, marks::name_of, prepare, variables};
use crate::{
    device_globals::DeviceGlobal,
    error::{Cause, Reporter},
};
use sinter_core::names::readable;
use sinter_llvm::{
    inkwell::{builder::BuilderError, module::Module},
    stage1::{diagnose::Place, inspect, surgery},
};

/// Clang appends this and a number of the source to the names of variables that only this unit
/// names, so that host code of another parse finds them.
const ONLY_HERE: &str = ".static.";
/// Ending for the values of managed variables, behind that.
const MANAGED: &str = ".managed";
/// Part of the symbol of a kernel, which for the host is one of the function that launches it, in
/// the names of static variables in it; before the kernel's name and behind the length of both.
const LAUNCHES: &str = "__device_stub__";

/// Readies the module `of_devices`, and reports kernels and variables of `host` that are others
/// there.
pub(crate) fn adopt(
    host: &Module<'_>,
    hip: &Hip,
    of_devices: &Module<'_>,
    reporter: &mut Reporter<'_>,
) -> Result<(), BuilderError> {
    surgery::drop_used_lists(of_devices);
    for variable in of_devices.get_globals() {
        if let Some(plain) = without_source(&name_of(variable)) {
            variable.set_name(&plain);
        }
    }
    for name in host.get_globals().map(name_of) {
        let variable = in_kernel(&name).iter().find_map(|name| of_devices.get_global(name));
        variable.into_iter().for_each(|variable| variable.set_name(&name));
    }
    let found = prepare(of_devices)?;
    let known = found.as_ref().map_or(&[][..], |hip| &hip.kernels);
    for kernel in hip.kernels.iter().filter(|kernel| !known.contains(kernel)) {
        let place = host.get_function(kernel.entry()).map_or(Place::Module, Place::Function);
        reporter.report(place, &Cause::OtherOnDevices { kernel: readable(kernel.symbol()) });
    }
    for name in hip.variables.iter().filter(|name| is_other(host, of_devices, name)) {
        reporter.report(Place::Module, &Cause::OtherVariableOnDevices { variable: readable(name) });
    }
    Ok(())
}

/// True for a variable that both modules define with other sizes, alignments or values.
fn is_other(host: &Module<'_>, of_devices: &Module<'_>, name: &str) -> bool {
    match [contents(host, name), contents(of_devices, name)] {
        [Some(host), Some(of_devices)] => host != of_devices,
        _ => false,
    }
}

/// Layout and value of an object as text. Values with structures count as alike, because LLVM gives
/// the types of a second module other names. `None` if the module does not define the object.
fn contents(module: &Module<'_>, name: &str) -> Option<[Option<String>; 2]> {
    let object = module.get_global(name).filter(|object| !object.is_declaration())?;
    let layout = inspect::leading_variable(object).and_then(|layout| layout.get_initializer());
    let value = variables::value_of(object).filter(|value| !value.contains('%'));
    Some([layout.map(|layout| layout.to_string()), value])
}

/// Reports variables that device code uses and that only the parse for devices defines.
pub(crate) fn report_missing(
    host: &Module<'_>,
    of_devices: &Module<'_>,
    used: &[DeviceGlobal],
    reporter: &mut Reporter<'_>,
) {
    let is_defined = |module: &Module<'_>, name| module.get_global(name).is_some_and(|one| !one.is_declaration());
    for DeviceGlobal { variable, .. } in used {
        if is_defined(of_devices, variable) && !is_defined(host, variable) {
            reporter.report(Place::Module, &Cause::OtherVariableOnDevices { variable: readable(variable) });
        }
    }
}

/// `None` if clang appended nothing.
fn without_source(name: &str) -> Option<String> {
    let (plain, rest) = name.split_once(ONLY_HERE)?;
    let ending = if rest.ends_with(MANAGED) { MANAGED } else { "" };
    Some(format!("{plain}{ending}"))
}

/// The names that a static variable in a kernel may have in a parse for devices. The namespace of
/// the kernel may end in digits, which are followed by those of the length.
fn in_kernel(name: &str) -> Vec<String> {
    let Some((before, kernel)) = name.split_once(LAUNCHES) else { return Vec::new() };
    let digits = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let renamed = |start: usize| {
        let length = before[start..].parse::<usize>().ok()?.checked_sub(LAUNCHES.len())?;
        (length <= kernel.len()).then(|| format!("{}{length}{kernel}", &before[..start]))
    };
    (digits..before.len()).filter_map(renamed).collect()
}

#[cfg(test)]
mod tests {
    use super::{in_kernel, without_source};
    use crate::{
        Reporter,
        hip::testing::{HANDLE, text},
        run,
        testing::parse,
    };
    use sinter_llvm::{inkwell::context::Context, stage1::plugin::Level};

    #[test]
    fn variables_get_the_names_of_the_host() {
        assert_eq!(without_source("_ZL1x.static.512271fe00_fea0d50c"), Some("_ZL1x".to_owned()));
        assert_eq!(without_source("_ZL1x.static.1f.managed"), Some("_ZL1x.managed".to_owned()));
        assert_eq!(without_source("_ZL1x.managed"), None);
        assert_eq!(in_kernel("_ZZ18__device_stub__usePiE4four"), ["_ZZ3usePiE4four"]);
        assert_eq!(in_kernel("_ZZN1a17__device_stub__k1EvE1n"), ["_ZZN1a2k1EvE1n"]);
        assert_eq!(in_kernel("_ZZN12_GLOBAL__N_118__device_stub__useEPiE4four"), ["_ZZN12_GLOBAL__N_13useEPiE4four"]);
        assert_eq!(in_kernel("_ZZN2v218__device_stub__useEPiE4four"), ["_ZZN2v23useEPiE4four"]);
        assert_eq!(in_kernel("_ZZ3usePiE4four"), Vec::<String>::new());
    }

    /// Errors for a host module and one for devices.
    fn errors(of_devices: &str) -> Vec<String> {
        let context = Context::create();
        let host = parse(&context, &text("", HANDLE, &[("k.kernel", "sinter_hip_parameters", &[0, 0, 8, 8, 4])]));
        let of_devices = parse(&context, of_devices);
        let mut causes = Vec::new();
        let mut collect =
            |_: sinter_llvm::stage1::diagnose::Place<'_>, cause: &crate::Cause, _| causes.push(cause.to_string());
        let _ = run(&host, Some(&of_devices), Level(2), &mut Reporter::new(&mut collect));
        causes
    }

    #[test]
    fn a_kernel_with_other_parameters_or_none_is_reported() {
        let with = |numbers: &[i64]| text("", HANDLE, &[("k.kernel", "sinter_hip_parameters", numbers)]);
        assert_eq!(errors(&with(&[0, 0, 8, 8, 4])), Vec::<String>::new());
        for other in [with(&[0, 0, 8, 8, 8]), text("", HANDLE, &[])] {
            let errors = errors(&other);
            assert!(errors.len() == 1 && errors[0].contains("the kernel `k` is another one"), "{errors:?}");
        }
    }
}
