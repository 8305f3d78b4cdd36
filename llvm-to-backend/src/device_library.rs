//! Where device functions are defined.
//!
//! *Invariant:* what a translation opens of a library grows with what it needs of it, not with the library.

use sinter_kernels::slices;
use sinter_llvm::{LlvmError, Session, ir::Value, kernel_hash::known_closure};
use std::borrow::Cow;

/// Bitcode with definitions of device functions.
#[derive(Debug)]
pub(crate) enum DeviceLibrary<'r> {
    /// A small one.
    Whole(&'r [u8]),
    /// One that was cut into slices when it was built.
    Slices(&'static slices::Library),
    /// One of a maker of GPUs, of which a slice is cut for each set of functions.
    Vendor {
        /// Its bitcode.
        bytes: &'r [u8],
        /// What its functions start with.
        prefix: &'static str,
        /// What defines them too, for a library that this LLVM cannot read because a newer one wrote it.
        instead: &'static slices::Library,
    },
}

impl<'r> DeviceLibrary<'r> {
    /// Bitcode that defines those of `names` that the library has.
    pub(crate) fn parts(&self, names: &[String]) -> Vec<Cow<'r, [u8]>> {
        match self {
            DeviceLibrary::Whole(bytes) => vec![Cow::Borrowed(bytes)],
            DeviceLibrary::Slices(library) => slices_of(library, names).into_iter().map(Cow::Borrowed).collect(),
            DeviceLibrary::Vendor { bytes, prefix, instead } => {
                let names: Vec<_> = names.iter().filter(|name| name.starts_with(prefix)).cloned().collect();
                slice_of_vendor(bytes, &names).unwrap_or_else(|error| {
                    tracing::warn!(
                        "the built-in functions {prefix}* are used, because the library cannot be read: {error}"
                    );
                    slices_of(instead, &names).into_iter().map(Cow::Borrowed).collect()
                })
            }
        }
    }

    /// Whether the library came with the request to define functions of this name.
    pub(crate) fn was_given_for(&self, name: &str) -> bool {
        matches!(self, DeviceLibrary::Vendor { prefix, .. } if name.starts_with(prefix))
    }

    /// The names of its functions.
    pub(crate) fn names(&self, session: &Session) -> Vec<String> {
        match self {
            DeviceLibrary::Slices(library) => library.names().map(str::to_owned).collect(),
            DeviceLibrary::Whole(bytes) => functions(session, bytes).unwrap_or_default(),
            DeviceLibrary::Vendor { bytes, instead, .. } => {
                functions(session, bytes).unwrap_or_else(|| instead.names().map(str::to_owned).collect())
            }
        }
    }
}

fn functions(session: &Session, bitcode: &[u8]) -> Option<Vec<String>> {
    let library = session.lazy_bitcode(bitcode).ok()?;
    Some(library.functions().into_iter().map(Value::name).collect())
}

/// Each slice once, in the order of the names.
fn slices_of(library: &'static slices::Library, names: &[String]) -> Vec<&'static [u8]> {
    let mut found: Vec<&[u8]> = Vec::new();
    for slice in names.iter().filter_map(|name| library.slice(name)) {
        if !found.iter().any(|known| known.as_ptr() == slice.as_ptr()) {
            found.push(slice);
        }
    }
    found
}

/// The whole library where it lacks one of the names.
fn slice_of_vendor<'r>(library: &'r [u8], names: &[String]) -> Result<Vec<Cow<'r, [u8]>>, LlvmError> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    match known_closure(library, &names) {
        Ok(closure) if !closure.bitcode.is_empty() => Ok(vec![Cow::Owned(closure.bitcode.clone())]),
        Ok(_) => Ok(vec![Cow::Borrowed(library)]),
        Err(_) => Session::new()?.parse(library).map(|_| vec![Cow::Borrowed(library)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_kernels::{PTX_MATH, slices::PTX_BUILTINS};

    fn names(of: &[&str]) -> Vec<String> {
        of.iter().map(|&name| name.to_owned()).collect()
    }

    fn vendor(bytes: &[u8]) -> DeviceLibrary<'_> {
        DeviceLibrary::Vendor { bytes, prefix: "__nv_", instead: &slices::PTX_MATH }
    }

    #[test]
    fn a_library_of_a_newer_llvm_is_done_without() {
        let unreadable = vendor(b"BC\xc0\xde what LLVM 19 does not know");
        let built_in = DeviceLibrary::Slices(&slices::PTX_MATH);
        assert_eq!(unreadable.parts(&names(&["__nv_sinf", "other"])), built_in.parts(&names(&["__nv_sinf"])));
        let session = Session::new().expect("a session");
        assert_eq!(unreadable.names(&session), built_in.names(&session));
    }

    #[test]
    fn a_slice_is_opened_once_for_all_that_it_defines() {
        let parts = |of: &[&str]| DeviceLibrary::Slices(&PTX_BUILTINS).parts(&names(of)).len();
        assert_eq!(parts(&["__acpp_sscp_work_group_reduce_f32", "__acpp_sscp_work_group_reduce_i32"]), 1);
        assert_eq!(parts(&["__acpp_sscp_work_group_reduce_f32", "__acpp_sscp_work_group_select_i32", "other"]), 2);
    }

    #[test]
    fn a_slice_of_libdevice_is_small_and_always_the_same() {
        let parts = |of: &[&str]| vendor(PTX_MATH).parts(&names(of));
        let slice = parts(&["__nv_sinf", "__nv_cosf"]);
        assert!(slice.len() == 1 && slice[0].len() < PTX_MATH.len() / 4);
        assert_eq!(slice, parts(&["__nv_cosf", "other", "__nv_sinf"]));
        assert_eq!(parts(&["__nv_sinf", "__nv_no_such_function"]), [PTX_MATH]);
        assert!(parts(&["other"]).is_empty());
    }
}
