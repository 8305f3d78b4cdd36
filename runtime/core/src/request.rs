//! The complete input of the translator.
//!
//! A request serves as cache key, bug report and replay file: the translator reads nothing else
//! that could change its result. *Invariant:* [`TranslateRequest::key`] destructures every struct
//! without `..`, so that a new field does not compile until it is part of the key.

use crate::{
    byte_string,
    config::{Approximations, KernelConfig, Specialization},
    fingerprint::Fingerprint,
    key::{CacheKey, KeyFields},
    target::Target,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Magic numbers of a request file: the prefix of all versions, and that of this one. A digest of
/// the rest of the file follows.
const REQUEST_MAGIC: &[u8; 7] = b"SINTERQ";
const VERSION: u8 = b'7';
/// Size of the digest in bytes.
const DIGEST: usize = blake3::OUT_LEN;

/// Digest of a kernel's own closure in an image, independent of names, paths and debug information.
pub type IrHash = [u8; 32];

/// LLVM bitcode that defines a kernel or a function that a kernel imports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Digest of the part that the kernel needs. `None` means unknown; the digest of `bytes` is
    /// used instead.
    pub hash: Option<IrHash>,
    /// LLVM bitcode.
    #[serde(with = "byte_string")]
    pub bytes: Arc<[u8]>,
}

impl Image {
    /// Digest that is part of the key.
    pub fn identity(&self) -> IrHash {
        self.hash.unwrap_or_else(|| *blake3::hash(&self.bytes).as_bytes())
    }
}

/// The complete input of a translation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslateRequest {
    /// Image that defines the kernel.
    pub image: Image,
    /// Images that define the imports of the kernel's image.
    pub imports: Vec<Image>,
    /// Vendor libraries for the target, such as libdevice. The translator has substitutes.
    pub libraries: Vec<Image>,
    /// Target to generate code for.
    pub target: Target,
    /// Specialisation and compiler options.
    pub config: KernelConfig,
}

/// Reason why bytes are not a request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The magic number is missing.
    #[error("not a translation request: the file does not start with `SINTERQ{}`", char::from(VERSION))]
    Magic,
    /// The request was written by another version.
    #[error(
        "a translation request of version {0}, which this build does not read; it reads version {ours}: save the request again with this build",
        ours = char::from(VERSION)
    )]
    Version(char),
    /// The content does not match its digest.
    #[error("damaged translation request: its content does not have the digest that was saved with it; save it again")]
    Digest,
    /// The content cannot be decoded.
    #[error("damaged or foreign translation request: {0}")]
    Decode(#[from] postcard::Error),
    /// Bytes follow the request.
    #[error("damaged translation request: {bytes} bytes follow its end")]
    Trailing {
        /// Number of these bytes.
        bytes: usize,
    },
}

impl TranslateRequest {
    /// Canonical fields of the key, in order.
    pub fn key_fields(&self, fingerprint: &Fingerprint) -> KeyFields {
        let TranslateRequest { image, imports, libraries, target, config } = self;
        let Fingerprint { abi, llvm, build } = fingerprint;
        let mut fields = KeyFields::new();
        fields.add("translator-abi", abi.to_le_bytes());
        fields.add_text("llvm-version", &llvm.map(|part| part.to_string()).join("."));
        fields.add("translator-build", build);
        fields.add("image", image.identity());
        imports.iter().for_each(|import| fields.add("import", import.identity()));
        libraries.iter().for_each(|library| fields.add("library", library.identity()));
        target.key_fields(&mut fields);
        config_fields(config, &mut fields);
        fields
    }

    /// Cache key of this translation by the translator with this fingerprint.
    pub fn key(&self, fingerprint: &Fingerprint) -> CacheKey {
        self.key_fields(fingerprint).key()
    }

    /// Serialises for the translator's C interface and for replay files. Contains a digest, because
    /// LLVM may abort the process on damaged bitcode, or read it as other code.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Serialising plain values to memory cannot fail in postcard.
        TranslateRequest::enclose(&postcard::to_allocvec(self).unwrap_or_default())
    }

    /// Prepends magic number and digest to a serialised request. For tests of damage behind the
    /// digest.
    pub fn enclose(content: &[u8]) -> Vec<u8> {
        [REQUEST_MAGIC, &[VERSION][..], blake3::hash(content).as_bytes(), content].concat()
    }

    /// True if the bytes start like a request of any version, intact or damaged.
    pub fn is_request(bytes: &[u8]) -> bool {
        bytes.starts_with(REQUEST_MAGIC)
    }

    /// Inverse of [`TranslateRequest::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RequestError> {
        let (version, rest) =
            bytes.strip_prefix(REQUEST_MAGIC).and_then(<[u8]>::split_first).ok_or(RequestError::Magic)?;
        if *version != VERSION {
            return Err(RequestError::Version(char::from(*version)));
        }
        let (digest, content) = rest.split_first_chunk::<DIGEST>().ok_or(RequestError::Digest)?;
        if blake3::hash(content) != blake3::Hash::from_bytes(*digest) {
            return Err(RequestError::Digest);
        }
        match postcard::take_from_bytes(content)? {
            (request, []) => Ok(request),
            (_, rest) => Err(RequestError::Trailing { bytes: rest.len() }),
        }
    }
}

fn config_fields(config: &KernelConfig, fields: &mut KeyFields) {
    let KernelConfig {
        entry,
        specialization,
        dimensions,
        group_size,
        sub_group_size,
        default_sub_group_size,
        sizes_fit_i32,
        float_mode,
        approximations,
        opt_level,
        rows,
        constants_by_value,
    } = config;
    let Approximations { flush_denormals, division, square_root } = approximations;
    let Specialization { constants, arguments, allocations } = specialization;
    fields.add_text("kernel", entry);
    for constant in constants {
        fields.add_text("constant", &format!("{}={}", constant.name, constant.value.canonical()));
    }
    for (index, value) in arguments {
        fields.add_text("argument", &format!("{index}={}", value.canonical()));
    }
    for (index, allocation) in allocations {
        fields.add_text("allocation", &format!("{index}={allocation}"));
    }
    fields.add_text("dimensions", &dimensions.to_string());
    fields.add_text("group-size", &format!("{group_size:?}"));
    fields.add_text("sub-group-size", &format!("{sub_group_size:?}"));
    fields.add_text("default-sub-group-size", &default_sub_group_size.get().to_string());
    fields.add_text("sizes-fit-i32", &sizes_fit_i32.to_string());
    fields.add_text("float-mode", &format!("{float_mode:?}"));
    fields.add_text("flush-denormals", &flush_denormals.to_string());
    fields.add_text("approximate-division", &division.to_string());
    fields.add_text("approximate-square-root", &square_root.to_string());
    fields.add_text("opt-level", &format!("{opt_level:?}"));
    fields.add_text("constants-by-value", &constants_by_value.to_string());
    fields.add_text("rows", &format!("{rows:?}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AmdgcnTarget, Constant, FloatMode, HostTarget, OptLevel, PtxTarget, Rows, SpirvTarget, SubGroupSize};

    const FINGERPRINT: Fingerprint = Fingerprint { abi: 1, llvm: [19, 1, 7], build: [7; 32] };

    fn request() -> TranslateRequest {
        TranslateRequest {
            image: Image { hash: Some([1; 32]), bytes: Arc::from(&b"BC"[..]) },
            imports: vec![],
            libraries: vec![],
            target: Target::Host(HostTarget {
                triple: "t".into(),
                cpu: "c".into(),
                features: "+a".into(),
                line_tables: false,
            }),
            config: KernelConfig::generic("k"),
        }
    }

    fn host(request: &mut TranslateRequest) -> &mut HostTarget {
        let Target::Host(host) = &mut request.target else { unreachable!("`request` makes one for the host") };
        host
    }

    fn for_gpu(sm: u32, isa: u32, line_tables: bool) -> Change {
        Box::new(move |r| r.target = Target::Ptx(PtxTarget { sm, isa, line_tables }))
    }

    fn for_amd(text: &str, line_tables: bool) -> Change {
        let target = AmdgcnTarget { line_tables, ..text.parse().expect("a target") };
        Box::new(move |r| r.target = Target::Amdgcn(target.clone()))
    }

    fn for_spirv(text: &str, line_tables: bool) -> Change {
        let target = SpirvTarget { line_tables, ..text.parse().expect("a target") };
        Box::new(move |r| r.target = Target::Spirv(target.clone()))
    }

    type Change = Box<dyn Fn(&mut TranslateRequest)>;

    fn changes() -> Vec<Change> {
        vec![
            Box::new(|r| r.image.hash = Some([2; 32])),
            Box::new(|r| r.image.hash = None),
            Box::new(|r| r.imports.push(Image { hash: Some([1; 32]), bytes: Arc::from(&b"BC"[..]) })),
            Box::new(|r| r.libraries.push(Image { hash: Some([1; 32]), bytes: Arc::from(&b"BC"[..]) })),
            for_gpu(80, 70, false),
            for_gpu(90, 70, false),
            for_gpu(80, 71, false),
            for_gpu(80, 70, true),
            for_amd("gfx90a", false),
            for_amd("gfx90a", true),
            for_spirv("opencl", false),
            for_spirv("opencl", true),
            for_spirv("opencl:cpu", false),
            for_spirv("opencl:1.2", false),
            for_spirv("opencl:-fp64", false),
            for_spirv("level-zero", false),
            for_amd("gfx90a:xnack-", false),
            for_amd("gfx90a:xnack+", false),
            for_amd("gfx90a:sramecc+", false),
            for_amd("gfx1100", false),
            for_amd("gfx1100:wavefrontsize64+", false),
            Box::new(|r| host(r).triple.push('x')),
            Box::new(|r| host(r).cpu.push('x')),
            Box::new(|r| host(r).features.push_str(",+b")),
            Box::new(|r| r.config.entry.push('x')),
            Box::new(|r| r.config.specialization.constants.push("a=i32:1".parse::<Constant>().expect("constant"))),
            Box::new(|r| r.config.specialization.constants.push("a=i64:1".parse::<Constant>().expect("constant"))),
            Box::new(|r| r.config.specialization.arguments.push((0, "i32:1".parse().expect("value")))),
            Box::new(|r| r.config.dimensions = 1),
            Box::new(|r| r.config.group_size = Some([1, 1, 1])),
            Box::new(|r| r.config.sub_group_size = Some(1)),
            Box::new(|r| r.config.default_sub_group_size = SubGroupSize::ONE),
            Box::new(|r| r.config.sizes_fit_i32 = true),
            Box::new(|r| r.config.float_mode = FloatMode::NoContraction),
            Box::new(|r| r.config.float_mode = FloatMode::Fast),
            Box::new(|r| r.config.approximations.flush_denormals = true),
            Box::new(|r| r.config.approximations.division = true),
            Box::new(|r| r.config.approximations.square_root = true),
            Box::new(|r| r.config.opt_level = OptLevel::O0),
            Box::new(|r| r.config.opt_level = OptLevel::O1),
            Box::new(|r| r.config.rows = Rows::Off),
            Box::new(|r| r.config.rows = Rows::Of(8)),
        ]
    }

    #[test]
    fn every_field_changes_the_key() {
        let mut keys = vec![request().key(&FINGERPRINT)];
        for change in changes() {
            let mut changed = request();
            change(&mut changed);
            keys.push(changed.key(&FINGERPRINT));
        }
        let other_llvm = Fingerprint { llvm: [19, 1, 8], ..FINGERPRINT };
        let other_build = Fingerprint { build: [8; 32], ..FINGERPRINT };
        let other_abi = Fingerprint { abi: 2, ..FINGERPRINT };
        keys.extend([other_llvm, other_build, other_abi].map(|f| request().key(&f)));
        let distinct: std::collections::HashSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn neighbouring_fields_do_not_run_together() {
        let (mut a, mut b) = (request(), request());
        (host(&mut a).triple, host(&mut a).cpu) = ("ab".into(), "c".into());
        (host(&mut b).triple, host(&mut b).cpu) = ("a".into(), "bc".into());
        assert_ne!(a.key(&FINGERPRINT), b.key(&FINGERPRINT));
    }

    #[test]
    fn bytes_round_trip_and_damage_is_refused() {
        let bytes = request().to_bytes();
        assert_eq!(TranslateRequest::from_bytes(&bytes).expect("round trip"), request());
        for length in 0..bytes.len() {
            assert!(TranslateRequest::from_bytes(&bytes[..length]).is_err(), "accepted a prefix of {length} bytes");
        }
        let longer = [&bytes[..], b"xy"].concat();
        assert!(matches!(TranslateRequest::from_bytes(&longer), Err(RequestError::Digest)));
        let enclosed = TranslateRequest::enclose(&longer[REQUEST_MAGIC.len() + 1 + DIGEST..]);
        assert!(matches!(TranslateRequest::from_bytes(&enclosed), Err(RequestError::Trailing { bytes: 2 })));
    }

    #[test]
    fn a_changed_bit_anywhere_is_damage() {
        let bytes = request().to_bytes();
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(TranslateRequest::from_bytes(&changed).is_err(), "accepted with bit {bit} changed");
        }
    }

    #[test]
    fn a_request_of_the_first_version_is_named_as_such() {
        let error = TranslateRequest::from_bytes(b"SINTERQ1\x01").expect_err("another version").to_string();
        assert!(error.contains("of version 1") && error.contains("save the request again"), "{error}");
    }
}
