//! The module of a parse for devices (`sinter-cc --sinter-device-pass`).
//!
//! In: that module as clang leaves it. Out: the same with the host's names, and without the lists
//! of what clang wants to be kept. *Invariant:* each kernel that host code may launch is there with
//! the same parameters, or reported.

use super::{Hip, marks::name_of, prepare};
use crate::error::{Cause, Reporter};
use sinter_core::names::readable;
use sinter_llvm::{
    inkwell::{builder::BuilderError, module::Module},
    stage1::{diagnose::Place, surgery},
};

/// Clang appends this and a number of the source to the names of variables that only this unit
/// names, so that host code of another parse finds them.
const ONLY_HERE: &str = ".static.";
/// Ending for the values of managed variables, behind that.
const MANAGED: &str = ".managed";
/// Part of the symbol of a kernel, which for the host is one of the function that launches it, in
/// the names of static variables in it; before the kernel's name and behind the length of both.
const LAUNCHES: &str = "__device_stub__";

/// Readies the module `of_devices`, and reports kernels of `host` that are others there.
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
        let variable = in_kernel(&name).and_then(|name| of_devices.get_global(&name));
        variable.into_iter().for_each(|variable| variable.set_name(&name));
    }
    let found = prepare(of_devices)?;
    let known = found.as_ref().map_or(&[][..], |hip| &hip.kernels);
    for kernel in hip.kernels.iter().filter(|kernel| !known.contains(kernel)) {
        let place = host.get_function(kernel.entry()).map_or(Place::Module, Place::Function);
        reporter.report(place, &Cause::OtherOnDevices { kernel: readable(kernel.symbol()) });
    }
    Ok(())
}

/// `None` if clang appended nothing.
fn without_source(name: &str) -> Option<String> {
    let (plain, rest) = name.split_once(ONLY_HERE)?;
    let ending = if rest.ends_with(MANAGED) { MANAGED } else { "" };
    Some(format!("{plain}{ending}"))
}

/// The name in a parse for devices of a static variable in a kernel.
fn in_kernel(name: &str) -> Option<String> {
    let (before, kernel) = name.split_once(LAUNCHES)?;
    let function = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let length: usize = before[function.len()..].parse().ok()?;
    Some(format!("{function}{}{kernel}", length.checked_sub(LAUNCHES.len())?))
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
        assert_eq!(in_kernel("_ZZ18__device_stub__usePiE4four"), Some("_ZZ3usePiE4four".to_owned()));
        assert_eq!(in_kernel("_ZZN1a17__device_stub__k1EvE1n"), Some("_ZZN1a2k1EvE1n".to_owned()));
        assert_eq!(in_kernel("_ZZ3usePiE4four"), None);
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
