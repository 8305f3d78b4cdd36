//! The tools as a user calls them.

mod alike;
mod amdgpu;
mod external;
mod folder;
mod foreign;
mod host;
mod local_accessors;
mod ptx;
mod replay;
mod spirv;
