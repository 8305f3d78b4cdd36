//! Options of the driver.
//!
//! In: what a program or its environment chose. Out: plain values. *Invariant:* the default is the
//! installed driver as it is.

use std::path::PathBuf;

/// Choices about the driver.
#[derive(Debug, Clone, Default)]
pub struct CudaOptions {
    /// NVIDIA's driver library, where it is not the installed `libcuda.so.1`.
    pub library: Option<PathBuf>,
    /// How hard the driver's assembler tries, from 0 to 4; its default is 4. Code of another level
    /// is assembled again.
    pub jit_level: Option<u8>,
    /// The value of `CUDA_VISIBLE_DEVICES`, which NVIDIA's driver reads itself. Here it only makes
    /// a reason more exact.
    pub visible_devices: Option<String>,
}
