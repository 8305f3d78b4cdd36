//! Translates the samples to code objects of AMD GPUs.
//!
//! Every kernel of `kernels/samples` is translated for GPUs of five generations. The metadata of
//! the code object must satisfy the launch; registers and memory are compared with
//! `files/amdgcn/samples.txt`. `SINTER_BLESS=1 cargo test -p sinter-tests --test amdgpu` rewrites
//! that table. *Invariant:* no test here runs on a GPU.

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../llvm-to-backend/tests/support/code_object.rs"]
mod code_object;

use code_object::Node;
use sinter_core::{CodeObject, Observer, Target, TranslateRequest, Translator, names::readable};
use sinter_tests::samples::{compiled, requests, samples};
use sinter_translate::LinkedTranslator;
use std::{env, fmt::Write, fs, path::Path};

/// One GPU of each generation.
const GPUS: [&str; 5] = ["gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"];
const HEAD: &str = "What the kernels of kernels/samples take of AMD GPUs, written by tests/tests/amdgpu.rs.
Columns: GPU, vector registers, accumulation registers, scalar registers, bytes of static local memory, bytes of kernel arguments
without and with those that AMD's runtime adds. None of them needs private memory.
";

/// Hidden arguments about the launch, which AMD's runtime fills in for every kernel.
const LAUNCH: [&str; 14] = [
    "hidden_block_count_x",
    "hidden_block_count_y",
    "hidden_block_count_z",
    "hidden_group_size_x",
    "hidden_group_size_y",
    "hidden_group_size_z",
    "hidden_remainder_x",
    "hidden_remainder_y",
    "hidden_remainder_z",
    "hidden_global_offset_x",
    "hidden_global_offset_y",
    "hidden_global_offset_z",
    "hidden_grid_dims",
    "hidden_dynamic_lds_size",
];

/// Checks the metadata that the launch relies on, and returns the resources of the code.
fn judge(code: &CodeObject, gpu: &str) -> String {
    let kernel = code_object::kernel(&code.bytes, &code.entry.symbol);
    let number = |name: &str| kernel.get(name).number();
    let entry = &code.entry;
    let all = kernel.find(".args").map(Node::list).unwrap_or_default();
    let hidden = |argument: &&Node| argument.get(".value_kind").text().starts_with("hidden_");
    let (hidden, explicit): (Vec<_>, Vec<_>) = all.iter().partition(hidden);
    let strange = hidden.iter().map(|a| a.get(".value_kind").text()).find(|kind| !LAUNCH.contains(kind));
    assert_eq!(strange, None, "no service of the runtime is needed");
    let places: Vec<_> = explicit.iter().map(|a| (a.get(".offset").number(), a.get(".size").number())).collect();
    let expected: Vec<_> = entry.arguments.iter().map(|a| (u64::from(a.offset), u64::from(a.size))).collect();
    assert_eq!(places, expected);
    let first_hidden = hidden.first().map_or(number(".kernarg_segment_size"), |a| a.get(".offset").number());
    assert!(u64::from(entry.argument_size) <= first_hidden.next_multiple_of(8));
    assert!(number(".kernarg_segment_align") >= u64::from(entry.argument_align));
    assert_eq!(number(".group_segment_fixed_size"), u64::from(entry.local_memory));
    assert_eq!(number(".max_flat_workgroup_size"), 256, "the launch leaves the size open");
    assert_eq!(number(".wavefront_size"), if gpu.starts_with("gfx9") { 64 } else { 32 });
    assert_eq!(kernel.find(".uses_dynamic_stack").unwrap_or(&Node::Truth(false)), &Node::Truth(false));
    assert_eq!(number(".private_segment_fixed_size"), 0, "no sample has an array that registers cannot hold");
    let accumulators = kernel.find(".agpr_count").map_or(0, Node::number);
    format!(
        "  {gpu:8} {:4} {accumulators:4} {:4} {:6} {:5} {:5}\n",
        number(".vgpr_count"),
        number(".sgpr_count"),
        number(".group_segment_fixed_size"),
        entry.argument_size,
        number(".kernarg_segment_size"),
    )
}

/// Last component of a kernel's name, without its scope.
fn last_of(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Resources of all kernels of a sample on all GPUs.
fn table_of(source: &Path) -> String {
    let mut text = String::new();
    let first = Target::Amdgcn(GPUS[0].parse().expect("a GPU"));
    for request in requests(&compiled(source), &first) {
        let name = readable(&request.config.entry);
        let _ = writeln!(text, "{}: {}", source.file_stem().unwrap_or_default().display(), last_of(&name));
        for gpu in GPUS {
            let request = TranslateRequest { target: Target::Amdgcn(gpu.parse().expect("a GPU")), ..request.clone() };
            let code = LinkedTranslator.translate(&request, &Observer::default());
            text += &judge(&code.unwrap_or_else(|error| panic!("{error}")), gpu);
        }
    }
    text
}

#[test]
fn samples_take_what_the_table_says() {
    let table: String = samples().iter().map(|source| table_of(source)).collect();
    let expected = format!("{HEAD}\n{table}");
    assert!(table.lines().count() > GPUS.len() * samples().len(), "the samples have too few kernels:\n{table}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("files/amdgcn/samples.txt");
    if env::var_os("SINTER_BLESS").is_some() {
        fs::write(&path, &expected).expect("a writable folder");
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    let differences = expected.lines().zip(present.lines()).filter(|(now, then)| now != then);
    let differences: Vec<String> = differences.map(|(now, then)| format!("now  {now}\nthen {then}")).collect();
    assert!(
        present == expected,
        "files/amdgcn/samples.txt is out of date; SINTER_BLESS=1 writes it:\n{}",
        differences.join("\n")
    );
}
