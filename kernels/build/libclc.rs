//! Builds the free math library of a GPU.
//!
//! In: modules that define the vendor library's functions as calls of libclc, and libclc. Out: one
//! module that defines each of them completely: it calls only LLVM intrinsics and refers only to
//! constant tables.

use crate::{
    command::{LLVM, run},
    compile::neutralise,
};
use std::path::{Path, PathBuf};

/// libclc marks everything `alwaysinline` and is already optimised. Attributes are inferred, since
/// those of an OpenCL function (`convergent` among them) do not fit the result.
const PASSES: &str = "always-inline,globaldce,function(sroa,early-cse,instcombine,simplifycfg,reassociate,gvn,\
    instcombine,simplifycfg,adce),cgscc(function-attrs),rpo-function-attrs,constmerge,globaldce";

/// Links the modules with the libclc functions that they need.
pub(crate) fn link(modules: &[PathBuf], libclc: &str, out: &Path) -> PathBuf {
    let [ours, linked, library] = ["ours.bc", "linked.bc", "library.ll"].map(|name| out.join(name));
    run(LLVM.tool("llvm-link").args(modules).arg("-o").arg(&ours));
    // The triples differ in a component without effect, and LLVM would warn.
    run(LLVM
        .tool("llvm-link")
        .args(["-suppress-warnings", "-only-needed", "-internalize"])
        .arg(&ours)
        .arg(LLVM.libclc_for(libclc))
        .arg("-o")
        .arg(&linked));
    run(LLVM.tool("opt").arg(format!("-passes={PASSES}")).arg("-S").arg(&linked).arg("-o").arg(&library));
    neutralise(&library);
    library
}
