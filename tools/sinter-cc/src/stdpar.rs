//! Flags for the parallel algorithms of ISO C++.
//!
//! In: the installation and the command line. Out: flags that put our headers in front of the
//! standard library's, and tell stage 1 what to do. *Invariant:* a program that does not include
//! `<execution>` is compiled as without them, but for its allocations; sources in C are compiled as
//! without them.

use crate::{
    arguments::{Scan, TBB_MACRO},
    clang::Installation,
    flags::{Flags, Severity},
};
use std::ffi::OsString;

/// Folder of the headers in the include folder.
const HEADERS: &str = "include/stdpar";
/// Shows the algorithms that stay on the host as remarks.
const REMARKS: &str = "-Rpass-missed=sinter-stdpar";

/// True if the sources may have algorithms, or allocate for those that have.
fn applies(flags: &Flags, scan: &Scan) -> bool {
    flags.stdpar && !scan.is_without_cpp()
}

/// Flags for stage 1.
pub(crate) fn stage1_flags(flags: &Flags, scan: &Scan) -> Vec<OsString> {
    if !applies(flags, scan) {
        return Vec::new();
    }
    let severity = flags.stays_on_host();
    let (word, remarks) = match severity {
        Severity::Error => ("error", None),
        // Clang would make a warning an error.
        Severity::Warning if scan.warnings_are_errors => ("remark", Some(REMARKS)),
        Severity::Warning | Severity::Usual => ("warning", None),
        Severity::Off => ("remark", None),
    };
    let interposes = if flags.interposes() { ",interpose" } else { "" };
    let words = ["-mllvm".into(), format!("-sinter-stdpar={word}{interposes}").into()];
    words.into_iter().chain(remarks.map(OsString::from)).collect()
}

/// Flags that precede all other include folders. A standard without execution policies has no
/// algorithms that take one.
pub(crate) fn header_flags(installation: &Installation, flags: &Flags, scan: &Scan) -> Vec<OsString> {
    if !applies(flags, scan) || scan.old_standard().is_some() {
        return Vec::new();
    }
    let headers = installation.root.join(HEADERS).into_os_string();
    let mut out = vec!["-isystem".into(), headers, "-D__SINTER_STDPAR__=1".into()];
    // Otherwise algorithms that stay on the host need -ltbb wherever the headers of TBB lie.
    if !scan.chooses_tbb {
        out.push(format!("-D{TBB_MACRO}=0").into());
    }
    out
}
