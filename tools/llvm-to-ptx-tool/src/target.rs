//! GPUs as the command line spells them.
//!
//! *Invariant:* what parses is a target that LLVM has code for.

use sinter_core::PtxTarget;
use std::str::FromStr;

/// A compute capability and a PTX version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gpu(PtxTarget);

/// Why a text is no GPU.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GpuError {
    /// It does not look like one.
    #[error("`{0}` is not of the form sm_NN[:ptxNN], for example sm_90 or sm_80:ptx72")]
    Form(String),
    /// There is no code for it.
    #[error("there is no code for sm_{sm} with PTX {}.{}; GPUs from sm_70 on need PTX 6.0 or, if newer, what came with them", isa / 10, isa % 10)]
    Unknown {
        /// The compute capability times ten.
        sm: u32,
        /// The PTX version times ten.
        isa: u32,
    },
    /// LLVM has no such compute capability.
    #[error("there is no sm_{sm}, or LLVM does not know it; the nearest that will do is sm_{nearest}")]
    Absent {
        /// The compute capability times ten.
        sm: u32,
        /// One whose code the GPU would run.
        nearest: u32,
    },
}

impl Gpu {
    /// What to generate code for.
    pub(crate) fn target(&self, line_tables: bool) -> PtxTarget {
        PtxTarget { line_tables, ..self.0.clone() }
    }
}

impl FromStr for Gpu {
    type Err = GpuError;

    fn from_str(text: &str) -> Result<Self, GpuError> {
        let form = || GpuError::Form(text.to_owned());
        let (sm, isa) = text.split_once(':').map_or((text, None), |(sm, isa)| (sm, Some(isa)));
        let number = |text: &str, prefix| text.strip_prefix(prefix)?.parse::<u32>().ok();
        let sm = number(sm, "sm_").ok_or_else(form)?;
        let isa = isa.map_or(Some(u32::MAX), |isa| number(isa, "ptx")).ok_or_else(form)?;
        match PtxTarget::for_device(sm, isa) {
            None => Err(GpuError::Unknown { sm, isa: isa.min(999) }),
            Some(target) if target.sm != sm => Err(GpuError::Absent { sm, nearest: target.sm }),
            Some(target) => Ok(Gpu(target)),
        }
    }
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
            ["", "90", "sm_", "sm_90a", "sm_90:", "sm_90:85"]
                .iter()
                .all(|text| { parse(text) == Err(GpuError::Form((*text).to_owned())) })
        );
    }

    #[test]
    fn what_llvm_has_no_code_for_is_refused() {
        assert_eq!(parse("sm_60:ptx80"), Err(GpuError::Unknown { sm: 60, isa: 80 }));
        assert_eq!(parse("sm_90:ptx71"), Err(GpuError::Absent { sm: 90, nearest: 86 }));
        assert_eq!(parse("sm_91"), Err(GpuError::Absent { sm: 91, nearest: 90 }));
    }
}
