//! Translates kernels for the host, loads and runs them.

mod support;

use sinter_core::{
    CodeObject, ConstantValue, HostTarget, Image, Observer, OptLevel, Target, TranslateCause, TranslateRequest,
    Translator,
};
use sinter_translate::{LinkedTranslator, native_target};
use std::sync::Arc;
use support::{address, request, run, translate};

const TRIAD: &str = r#"
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @triad(ptr %a, ptr %b, ptr %c, double %s, i64 %unused) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %pa = getelementptr inbounds double, ptr %a, i64 %i
  %pb = getelementptr inbounds double, ptr %b, i64 %i
  %pc = getelementptr inbounds double, ptr %c, i64 %i
  %va = load double, ptr %pa, align 8
  %vb = load double, ptr %pb, align 8
  %m = fmul double %s, %vb
  %r = fadd double %va, %m
  store double %r, ptr %pc, align 8
  ret void
}
"#;

fn triad(code: &CodeObject, items: usize, group: u64) {
    let a: Vec<f64> = (0..items).map(|i| i as f64).collect();
    let b: Vec<f64> = (0..items).map(|i| 2.0 * i as f64).collect();
    let c = vec![-1.0f64; items + 8];
    let s = 3.0f64.to_le_bytes();
    run(code, &[&address(&a), &address(&b), &address(&c), &s, &[0; 8]], [items as u64, 1, 1], [group, 1, 1]);
    (0..items).for_each(|i| assert_eq!(c[i], i as f64 * 7.0, "item {i} of {items}"));
    assert!(c[items..].iter().all(|value| *value == -1.0), "ran past the last item");
}

#[test]
fn triad_runs_every_item_once() {
    let code = translate(&request(TRIAD, "triad"));
    assert_eq!(code.entry.arguments.len(), 4, "the unused parameter is dead");
    for (items, group) in [(1, 1), (7, 64), (64, 64), (1000, 64), (1000, 1000), (4097, 256)] {
        triad(&code, items, group);
    }
}

#[test]
fn unoptimised_and_specialised_code_agree() {
    let mut plain = request(TRIAD, "triad");
    plain.config.opt_level = OptLevel::O0;
    triad(&translate(&plain), 100, 16);
    let mut special = request(TRIAD, "triad");
    special.config.group_size = Some([32, 1, 1]);
    special.config.specialization.arguments.push((3, ConstantValue::F64(3.0f64.to_bits())));
    let code = translate(&special);
    assert_eq!(code.entry.arguments.len(), 3);
    triad(&code, 96, 32);
}

#[test]
fn translation_is_deterministic() {
    let request = request(TRIAD, "triad");
    let first = translate(&request);
    let others: Vec<CodeObject> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| translate(&request))).collect();
        threads.into_iter().map(|thread| thread.join().expect("thread")).collect()
    });
    assert!(others.iter().all(|other| *other == first));
}

const INDICES: &str = r#"
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_y()
declare i32 @__acpp_sscp_get_local_id_z()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_group_id_y()
declare i64 @__acpp_sscp_get_group_id_z()
declare i64 @__acpp_sscp_get_local_size_x()
declare i64 @__acpp_sscp_get_local_size_y()
declare i64 @__acpp_sscp_get_local_size_z()
define void @indices(ptr %out, i64 %nx, i64 %ny) {
  %lx = call i64 @__acpp_sscp_get_local_id_x()
  %ly = call i64 @__acpp_sscp_get_local_id_y()
  %lz32 = call i32 @__acpp_sscp_get_local_id_z()
  %lz = zext i32 %lz32 to i64
  %gx = call i64 @__acpp_sscp_get_group_id_x()
  %gy = call i64 @__acpp_sscp_get_group_id_y()
  %gz = call i64 @__acpp_sscp_get_group_id_z()
  %sx = call i64 @__acpp_sscp_get_local_size_x()
  %sy = call i64 @__acpp_sscp_get_local_size_y()
  %sz = call i64 @__acpp_sscp_get_local_size_z()
  %bx = mul i64 %gx, %sx
  %by = mul i64 %gy, %sy
  %bz = mul i64 %gz, %sz
  %x = add i64 %bx, %lx
  %y = add i64 %by, %ly
  %z = add i64 %bz, %lz
  %zy = mul i64 %z, %ny
  %zyy = add i64 %zy, %y
  %row = mul i64 %zyy, %nx
  %i = add i64 %row, %x
  %p = getelementptr inbounds i32, ptr %out, i64 %i
  %old = load i32, ptr %p, align 4
  %new = add i32 %old, 1
  store i32 %new, ptr %p, align 4
  ret void
}
"#;

#[test]
fn three_dimensions_in_an_exact_range() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let mut request = request(INDICES, "indices");
        request.config.opt_level = level;
        let code = translate(&request);
        for (global, group) in [([5, 7, 3], [2, 3, 2]), ([4, 1, 9], [4, 4, 4]), ([33, 2, 2], [8, 1, 2])] {
            let items: u64 = global.iter().product();
            let out = vec![0u32; items as usize];
            let [nx, ny, _] = global;
            run(&code, &[&address(&out), &nx.to_le_bytes(), &ny.to_le_bytes()], global, group);
            assert!(out.iter().all(|count| *count == 1), "{global:?} in groups of {group:?} at {level:?}");
        }
    }
}

/// The loop of LLVM's interleaved-access bug, in one item:
/// `for (l = 0; l < 128; l++) p[l] += s[(l * 3) % 128];`
const INTERLEAVED: &str = r#"
define void @wrap(ptr %p, ptr %s) {
entry:
  br label %loop
loop:
  %l = phi i32 [ 0, %entry ], [ %next, %loop ]
  %three = mul nuw nsw i32 %l, 3
  %wrapped = and i32 %three, 127
  %index = zext nneg i32 %wrapped to i64
  %ps = getelementptr inbounds i32, ptr %s, i64 %index
  %vs = load i32, ptr %ps, align 4
  %element = zext nneg i32 %l to i64
  %pp = getelementptr inbounds i32, ptr %p, i64 %element
  %vp = load i32, ptr %pp, align 4
  %sum = add i32 %vp, %vs
  store i32 %sum, ptr %pp, align 4
  %next = add nuw nsw i32 %l, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %loop, label %done
done:
  ret void
}
"#;

/// The same over the items of a group.
const INTERLEAVED_ITEMS: &str = r#"
declare i64 @__acpp_sscp_get_local_id_x()
define void @wrap(ptr %p, ptr %s) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %three = mul i64 %l, 3
  %index = and i64 %three, 127
  %ps = getelementptr inbounds i32, ptr %s, i64 %index
  %vs = load i32, ptr %ps, align 4
  %pp = getelementptr inbounds i32, ptr %p, i64 %l
  %vp = load i32, ptr %pp, align 4
  %sum = add i32 %vp, %vs
  store i32 %sum, ptr %pp, align 4
  ret void
}
"#;

#[test]
fn interleaved_access_groups_do_not_wrap() {
    // lld resets LLVM's options to their defaults, so the code generated after a link is the test.
    triad(&translate(&request(TRIAD, "triad")), 64, 64);
    for (text, items) in [(INTERLEAVED, 1), (INTERLEAVED_ITEMS, 128)] {
        for cpu in ["x86-64", "x86-64-v3"] {
            let mut request = request(text, "wrap");
            let triple = native_target().triple;
            request.target =
                Target::Host(HostTarget { triple, cpu: cpu.to_owned(), features: String::new(), line_tables: false });
            let code = translate(&request);
            let (p, s): (Vec<u32>, Vec<u32>) = ((0..128).collect(), (0..512).map(|i| i * 1000).collect());
            run(&code, &[&address(&p), &address(&s)], [items, 1, 1], [items, 1, 1]);
            (0..128u32).for_each(|l| {
                assert_eq!(p[l as usize], l + (l * 3 % 128) * 1000, "element {l} of {items} items on {cpu}");
            });
        }
    }
}

#[test]
fn ir_that_is_not_well_formed_is_refused() {
    let text = b"define void @k(ptr %p) { %a = add i32 %b, 1  %b = add i32 %a, 1  store i32 %b, ptr %p  ret void }";
    let session = sinter_llvm::Session::new().expect("session");
    let malformed = session.parse(text).expect("the parser does not verify").bitcode();
    let refused = |request: &TranslateRequest| {
        let error = LinkedTranslator.translate(request, &Observer::default()).expect_err("malformed IR");
        assert!(matches!(&error.cause, TranslateCause::Bitcode { message } if message.contains("dominate")), "{error}");
    };
    let mut image = request(TRIAD, "k");
    image.image.bytes = malformed.clone().into();
    refused(&image);
    let mut import =
        request("declare void @k(ptr)\ndefine void @main(ptr %p) { call void @k(ptr %p) ret void }", "main");
    import.imports.push(Image { hash: None, bytes: malformed.into() });
    refused(&import);
}

const BY_VALUE: &str = r#"
declare i64 @__acpp_sscp_get_local_id_x()
define void @sum(ptr %out, ptr byval([4 x i64]) align 8 %read, ptr byval([2 x i64]) align 8 %written) {
  %i = call i64 @__acpp_sscp_get_local_id_x()
  %first = load i64, ptr %written, align 8
  %changed = add i64 %first, %i
  store i64 %changed, ptr %written, align 8
  %w = load i64, ptr %written, align 8
  %slot = and i64 %i, 3
  %pr = getelementptr inbounds i64, ptr %read, i64 %slot
  %r = load i64, ptr %pr, align 8
  %sum = add i64 %w, %r
  %po = getelementptr inbounds i64, ptr %out, i64 %i
  store i64 %sum, ptr %po, align 8
  ret void
}
"#;

#[test]
fn structures_by_value_are_private_to_an_item() {
    for level in [OptLevel::O0, OptLevel::O3] {
        let mut request = request(BY_VALUE, "sum");
        request.config.opt_level = level;
        let code = translate(&request);
        let out = vec![0u64; 16];
        let bytes = |values: &[u64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let (read, written) = (bytes(&[10, 20, 30, 40]), bytes(&[1000, 0]));
        run(&code, &[&address(&out), &read, &written], [16, 1, 1], [16, 1, 1]);
        (0..16).for_each(|i| assert_eq!(out[i], 1000 + i as u64 + 10 * (i as u64 % 4 + 1), "item {i} at {level:?}"));
    }
}

#[test]
fn replayed_requests_give_the_same_code() {
    let request = request(TRIAD, "triad");
    let replayed = TranslateRequest::from_bytes(&request.to_bytes()).expect("round trip");
    let bytes: [Arc<[u8]>; 2] = [translate(&request).bytes, translate(&replayed).bytes];
    assert_eq!(bytes[0], bytes[1]);
}

/// Blocks of [`many_vectors`].
const VECTORS: usize = 3500;

/// A kernel that reads a vector of 512 bytes in each of many blocks and stores it in another block,
/// if the number before it is not 0.
fn many_vectors() -> String {
    let mut text = String::from("define void @vectors(ptr %p, ptr %out) {\nentry:\n  br label %b0\n");
    for k in 0..VECTORS {
        text += &format!(
            "b{k}:\n  %v{k} = load volatile <64 x i64>, ptr %p, align 8\n  \
             %f{k} = load volatile i64, ptr %p\n  %c{k} = icmp eq i64 %f{k}, 0\n  \
             br i1 %c{k}, label %b{next}, label %s{k}\ns{k}:\n  \
             store volatile <64 x i64> %v{k}, ptr %out, align 8\n  br label %b{next}\n",
            next = k + 1
        );
    }
    text + &format!("b{VECTORS}:\n  ret void\n}}\n")
}

/// Quick code has a place on the stack for each vector, 1.7 MiB together. It overflowed the stacks
/// of worker threads.
#[test]
fn quick_code_that_needs_too_much_stack_is_replaced_by_full_code() {
    let mut one = request(&many_vectors(), "vectors");
    one.config.opt_level = OptLevel::O1;
    let code = translate(&one);
    assert_eq!(code.level, OptLevel::O3);
    let (from, to) = ([7_u64; 64], [0_u64; 64]);
    run(&code, &[&address(&from), &address(&to)], [1, 1, 1], [1, 1, 1]);
    assert_eq!(to, from);
}
