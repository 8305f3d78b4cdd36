//! Flags for the parallel algorithms of ISO C++.
//!
//! In: the installation and the command line. Out: flags that put our headers in front of the
//! standard library's. *Invariant:* a program that does not include `<execution>` is compiled as
//! without them.

use crate::{
    arguments::{Scan, TBB_MACRO},
    clang::Installation,
};
use std::ffi::OsString;

/// Folder of the headers in the include folder.
const HEADERS: &str = "include/stdpar";

/// Flags that precede all other include folders.
pub(crate) fn flags(installation: &Installation, scan: &Scan) -> Vec<OsString> {
    let headers = installation.root.join(HEADERS).into_os_string();
    let mut out = vec!["-isystem".into(), headers, "-D__SINTER_STDPAR__=1".into()];
    // Otherwise algorithms that stay on the host need -ltbb wherever the headers of TBB lie.
    if !scan.chooses_tbb {
        out.push(format!("-D{TBB_MACRO}=0").into());
    }
    out
}
