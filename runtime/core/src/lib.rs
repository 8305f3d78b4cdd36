//! Plain values that the Sinter compiler and runtime exchange.
//!
//! In: bytes of containers, requests and code objects. Out: typed values, and the canonical bytes
//! that identify them. *Invariant:* this crate performs no I/O, reads no environment and knows
//! neither LLVM nor a driver. Every value is inert and can be compared, stored and sent to another
//! process, except for [`records`], whose pointers this crate never dereferences.
#![forbid(unsafe_code)]

pub mod code_object;
pub mod config;
pub mod constant;
pub mod container;
pub mod device_global;
pub mod fingerprint;
pub mod followed;
pub mod hip;
pub mod host_abi;
pub mod imports;
pub mod key;
pub mod names;
pub mod nearest;
pub mod parameter;
pub mod records;
pub mod request;
pub mod shape;
pub mod target;
pub mod translator;

mod byte_string;

pub use code_object::{Argument, Assembly, Candidate, CodeFormat, CodeObject, EntryInfo, Remark};
pub use config::{
    ALLOCATION_ALIGNMENT, Approximations, BadRows, BadSubGroupSize, FloatMode, KernelConfig, OptLevel, Rows,
    Specialization, SubGroupSize,
};
pub use constant::{Constant, ConstantParseError, ConstantValue};
pub use fingerprint::Fingerprint;
pub use followed::{Followed, Index, Path, Places, Step};
pub use key::{CacheKey, KeyFields};
pub use parameter::{Parameter, ParameterKind};
pub use request::{Image, IrHash, TranslateRequest};
pub use shape::LaunchShape;
pub use target::amdgcn::AmdgcnTargetError;
pub use target::spirv::{FeatureChange, SpirvDevice, SpirvEnvironment, SpirvFeature, SpirvTargetError};
pub use target::{AmdgcnTarget, HostTarget, KernelFeature, PtxTarget, SpirvTarget, Support, Target, amdgcn, spirv};
pub use translator::{Observer, TranslateCause, TranslateError, Translator, UnresolvedSymbol};
