//! Options of the driver.
//!
//! In: the choices of a program or its environment. Out: plain values. *Invariant:* the default is
//! the installed driver with its own defaults.

use std::path::PathBuf;

/// Options of the CUDA driver.
#[derive(Debug, Clone, Default)]
pub struct CudaOptions {
    /// Path of NVIDIA's driver library, to use instead of the installed `libcuda.so.1`.
    pub library: Option<PathBuf>,
    /// Optimisation level of the driver's assembler, from 0 to 4; its default is 4. Code of another
    /// level is assembled again.
    pub jit_level: Option<u8>,
    /// Value of `CUDA_VISIBLE_DEVICES`. NVIDIA's driver reads the variable itself; here it only
    /// makes a reason for missing devices more precise.
    pub visible_devices: Option<String>,
}
