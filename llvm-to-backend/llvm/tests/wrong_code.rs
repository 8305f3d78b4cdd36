//! LLVM 19.1.7 reads past a power-of-two wrap where the vectoriser groups interleaved accesses. The
//! option that forbids it is changed before any pass runs and survives a link; without it the loop
//! below becomes loads of `<12 x i32>`.

use sinter_llvm::{Emit, Machine, Session, host_triple, link_shared};

/// `for (l = 0; l < 32; l++) p[l] += s[(l * 3) % 32];`
const LOOP: &str = r#"
define void @wrap(ptr %p, ptr %s) {
entry:
  br label %loop
loop:
  %l = phi i32 [ 0, %entry ], [ %next, %loop ]
  %three = mul nuw nsw i32 %l, 3
  %wrapped = and i32 %three, 31
  %index = zext nneg i32 %wrapped to i64
  %ps = getelementptr inbounds i32, ptr %s, i64 %index
  %vs = load i32, ptr %ps, align 4
  %element = zext nneg i32 %l to i64
  %pp = getelementptr inbounds i32, ptr %p, i64 %element
  %vp = load i32, ptr %pp, align 4
  %sum = add i32 %vp, %vs
  store i32 %sum, ptr %pp, align 4
  %next = add nuw nsw i32 %l, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %loop, label %done
done:
  ret void
}"#;

#[test]
fn interleaved_accesses_are_not_grouped() {
    vectorise();
    link_something();
    vectorise();
}

/// lld's driver resets LLVM's options.
fn link_something() {
    let session = Session::new().expect("session");
    let module = session.parse(b"define void @f() { ret void }").expect("IR");
    let triple = host_triple();
    let machine = Machine::new(&triple, "x86-64", "", true).expect("machine");
    module.set_target(&triple, &machine);
    link_shared(&machine.emit(&module, Emit::Object).expect("object")).expect("shared object");
}

fn vectorise() {
    let session = Session::new().expect("session");
    let module = session.parse(LOOP.as_bytes()).expect("IR");
    let triple = host_triple();
    let machine = Machine::new(&triple, "x86-64", "", true).expect("machine");
    module.set_target(&triple, &machine);
    // At O3 the loop is unrolled before it can be vectorised.
    module.run_passes("default<O2>", Some(&machine)).expect("passes");
    assert!(!module.text().contains("<12 x i32>"), "{}", module.text());
}
