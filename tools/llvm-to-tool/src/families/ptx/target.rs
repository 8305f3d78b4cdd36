//! Parses the names of GPUs on the command line.
//!
//! *Invariant:* a name that parses is a target that LLVM generates code for.

use sinter_core::PtxTarget;
use std::str::FromStr;

/// A compute capability with a PTX version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gpu(PtxTarget);

/// Reason for which a string does not name a GPU.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GpuError {
    /// The string does not have the form of a GPU name.
    #[error("`{0}` is not of the form sm_NN[:ptxNN], for example sm_90 or sm_80:ptx72")]
    Form(String),
    /// An architecture-specific target, such as `sm_90a`.
    #[error(
        "there is no code for sm_{sm}{letter} alone; sm_{sm}{letter} runs code for sm_{nearest}: pass --target sm_{nearest}"
    )]
    Specific {
        /// The compute capability times ten.
        sm: u32,
        /// The suffix letter.
        letter: char,
        /// A supported compute capability whose code the GPU runs, times ten.
        nearest: u32,
    },
    /// The GPU is too old.
    #[error("there is no code for sm_{sm}; GPUs from sm_70 on (Volta) can be used")]
    Old {
        /// The compute capability times ten.
        sm: u32,
    },
    /// The PTX version does not support the GPU.
    #[error("sm_{sm} needs PTX {}.{} or newer{}", needs / 10, needs % 10, nearest.map_or(String::new(), |nearest| format!(", or code for an older GPU, which it runs too; the nearest that will do is sm_{nearest}")))]
    Version {
        /// The compute capability times ten.
        sm: u32,
        /// The first PTX version that supports it, times ten.
        needs: u32,
        /// The newest GPU that the given PTX version supports.
        nearest: Option<u32>,
    },
    /// LLVM has no such compute capability.
    #[error("LLVM 19 has no code for sm_{sm}; such a GPU runs code for sm_{nearest}: pass --target sm_{nearest}")]
    Absent {
        /// The compute capability times ten.
        sm: u32,
        /// A supported compute capability whose code the GPU would run, times ten.
        nearest: u32,
    },
}

impl Gpu {
    /// The target for the translator.
    pub(crate) fn target(&self, line_tables: bool) -> PtxTarget {
        PtxTarget { line_tables, ..self.0.clone() }
    }
}

impl FromStr for Gpu {
    type Err = GpuError;

    fn from_str(text: &str) -> Result<Self, GpuError> {
        let form = || GpuError::Form(text.to_owned());
        let (sm, isa) = text.split_once(':').map_or((text, None), |(sm, isa)| (sm, Some(isa)));
        let (sm, letter) = match sm.strip_suffix(['a', 'f']) {
            Some(plain) => (plain, sm.chars().last()),
            None => (sm, None),
        };
        let number = |text: &str, prefix| text.strip_prefix(prefix)?.parse::<u32>().ok();
        let sm = number(sm, "sm_").ok_or_else(form)?;
        let isa = isa.map_or(Some(u32::MAX), |isa| number(isa, "ptx")).ok_or_else(form)?;
        let newest = PtxTarget::for_device(sm, u32::MAX).ok_or(GpuError::Old { sm })?;
        match (PtxTarget::for_device(sm, isa), letter) {
            (_, Some(letter)) => Err(GpuError::Specific { sm, letter, nearest: newest.sm }),
            _ if newest.sm != sm => Err(GpuError::Absent { sm, nearest: newest.sm }),
            (Some(target), None) if target.sm == sm => Ok(Gpu(target)),
            (older, None) => {
                Err(GpuError::Version { sm, needs: first_isa(&newest), nearest: older.map(|older| older.sm) })
            }
        }
    }
}

/// The first PTX version that supports a compute capability, times ten.
fn first_isa(newest: &PtxTarget) -> u32 {
    let has = |isa: &u32| PtxTarget::for_device(newest.sm, *isa).is_some_and(|target| target.sm == newest.sm);
    (1..newest.isa).find(has).unwrap_or(newest.isa)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(u32, u32), GpuError> {
        text.parse().map(|Gpu(target)| (target.sm, target.isa))
    }

    #[test]
    fn a_gpu_has_a_compute_capability_and_perhaps_a_version() {
        assert_eq!(parse("sm_90"), Ok((90, 85)));
        assert_eq!(parse("sm_80:ptx72"), Ok((80, 72)));
        assert_eq!(parse("sm_80:ptx99"), Ok((80, 85)));
        assert!(
            ["", "90", "sm_", "sm_a", "sm_90b", "sm_90:", "sm_90:85"]
                .iter()
                .all(|text| { parse(text) == Err(GpuError::Form((*text).to_owned())) })
        );
    }

    #[test]
    fn what_llvm_has_no_code_for_is_refused() {
        let message = |text| parse(text).expect_err(text).to_string();
        assert_eq!(message("sm_60:ptx80"), "there is no code for sm_60; GPUs from sm_70 on (Volta) can be used");
        let older = "or code for an older GPU, which it runs too; the nearest that will do is";
        assert_eq!(message("sm_90:ptx71"), format!("sm_90 needs PTX 7.8 or newer, {older} sm_86"));
        assert_eq!(message("sm_90:ptx60"), format!("sm_90 needs PTX 7.8 or newer, {older} sm_70"));
        assert_eq!(message("sm_70:ptx50"), "sm_70 needs PTX 6.0 or newer");
        let runs = "such a GPU runs code for sm_90: pass --target sm_90";
        assert_eq!(message("sm_91"), format!("LLVM 19 has no code for sm_91; {runs}"));
        assert_eq!(message("sm_120:ptx60"), format!("LLVM 19 has no code for sm_120; {runs}"));
        let runs = "there is no code for sm_100a alone; sm_100a runs code for sm_90: pass --target sm_90";
        assert_eq!(message("sm_100a"), runs);
    }
}
