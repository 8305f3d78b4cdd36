//! Features of a target machine.

use sinter_llvm::{Machine, host_triple};

fn machine(cpu: &str, features: &str) -> Machine {
    Machine::new(&host_triple(), cpu, features, true).expect("machine")
}

#[test]
fn features_that_change_nothing_are_left_out() {
    let changes_nothing = "+avx512f,+sse4.2,-amx-tile,+avx512vl,-avx10.1-256,+cx16,-fma4";
    assert_eq!(machine("znver4", changes_nothing).features(), "");
    let changes = machine("znver4", "+avx512vl,-avx512f,+sse2,+avx512bw,-avx512vl,+fma4");
    assert_eq!(changes.features(), "-avx512f,+avx512bw,+fma4");
    let has = ["avx512f", "avx512bw", "avx512vl", "avx512cd", "fma4", "avx2"].map(|name| changes.has_feature(name));
    assert_eq!(has, [true, true, false, false, true, true]);
}

#[test]
fn a_feature_that_is_not_known_stays() {
    assert_eq!(machine("znver3", "+avx2,+no-such-feature").features(), "+no-such-feature");
}

#[test]
fn the_list_of_a_cpu_without_a_name_stays() {
    let features = "+sse2,+avx512f,-evex512";
    assert_eq!(machine("x86-64", features).features(), features);
}
