//! Makes the free library of math functions for NVIDIA's GPUs.
//!
//! In: modules that define `__nv_*` functions, some as calls of libclc's, and libclc. Out: one
//! module in which each `__nv_*` function is whole: it calls nothing but LLVM's intrinsics and
//! refers to nothing but tables of constants.

use crate::{
    command::{LLVM, run},
    compile::neutralise,
};
use std::path::{Path, PathBuf};

/// libclc marks everything for inlining and has been optimised before. Attributes are inferred,
/// since those of an OpenCL function (convergent among them) are not those of the result.
const PASSES: &str = "always-inline,globaldce,function(sroa,early-cse,instcombine,simplifycfg,reassociate,gvn,\
    instcombine,simplifycfg,adce),cgscc(function-attrs),rpo-function-attrs,constmerge,globaldce";

/// Links the modules with what they need of libclc.
pub(crate) fn link(modules: &[PathBuf], out: &Path) -> PathBuf {
    let [ours, linked, library] = ["ours.bc", "linked.bc", "library.ll"].map(|name| out.join(name));
    run(LLVM.tool("llvm-link").args(modules).arg("-o").arg(&ours));
    // The triples differ in a word that means nothing here, of which LLVM would warn.
    run(LLVM
        .tool("llvm-link")
        .args(["-suppress-warnings", "-only-needed", "-internalize"])
        .arg(&ours)
        .arg(LLVM.libclc())
        .arg("-o")
        .arg(&linked));
    run(LLVM.tool("opt").arg(format!("-passes={PASSES}")).arg("-S").arg(&linked).arg("-o").arg(&library));
    neutralise(&library);
    library
}
