//! The families of targets, each with a tool of its own name.

mod amdgpu;
mod host;
mod ptx;
mod spirv;

pub(crate) use amdgpu::Amdgpu;
pub(crate) use host::Host;
pub(crate) use ptx::Ptx;
pub(crate) use spirv::Spirv;
