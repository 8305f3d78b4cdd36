//! Errors for rejected device code.

use crate::compile::Source;

#[test]
fn inline_assembly_is_an_error_with_its_line() {
    let source = Source::new(
        "inline void deep(int *p) {\n  asm volatile(\"nop\");\n  *p = 1;\n}\nconst void *f(int *p) { return bind([=] { deep(p); }); }",
    );
    let errors = source.errors(&["-gline-tables-only"]);
    assert!(errors.contains("a.cpp:2:3: error: inline assembly in device code (in `deep(int*)`)"), "{errors}");
}

#[test]
fn locations_without_debug_information_come_from_remarks() {
    let source =
        Source::new("thread_local int tl;\nconst void *f(int *p) { return bind([=] {\n  p[0] = 1;\n  p[1] = tl; }); }");
    assert!(source.errors(&["-Rpass=sinter-locations"]).contains("a.cpp:4:10: error: the thread-local variable `tl`"));
    let errors = source.errors(&[]);
    assert!(errors.contains("a.cpp:2:") && errors.contains("error: the thread-local variable `tl`"), "{errors}");
}

#[test]
fn long_double_and_guards_are_errors_at_every_level() {
    let source = Source::new(
        "struct S { S(); int x; };
const void *f(int *p, long double d) { return bind([=] { p[0] = (int)(d * 3); }); }
const void *g(int *p) { return bind([=] { static S s; p[0] = s.x; }); }",
    );
    for level in ["-O0", "-O2"] {
        let errors = source.errors(&[level]);
        assert!(errors.contains("error: `long double`") && errors.contains("::s`"), "{errors}");
    }
}

#[test]
fn variables_that_are_no_constants_are_errors_with_their_line() {
    let source = Source::new(
        "double now();\nconst double root = now();\nint scale = 3;
const void *f(double *p) { return bind([=] {
  static int calls = 0;
  p[0] = root +
    scale;
  p[1] = ++calls; }); }",
    );
    for level in ["-O0", "-O2"] {
        let errors = source.errors(&[level, "-gline-tables-only"]);
        for (line, name) in [(6, "`root`"), (7, "`scale`"), (8, "::calls`")] {
            let found = errors.lines().find(|text| text.contains(&format!("a.cpp:{line}:")) && text.contains(name));
            assert!(found.is_some_and(|text| text.contains("capture it by value")), "{level} {name}\n{errors}");
        }
    }
}

#[test]
fn constants_in_every_form_are_accepted() {
    let source = Source::new(
        "#include <initializer_list>
constexpr double powers[] = {1, 10};\nconst int primes[] = {2, 3};\nstatic const char *const names[] = {\"a\", \"b\"};
struct S { static constexpr int n = 3; static inline const int table[2] = {4, 5}; };\nextern int given_later;
template <class T> constexpr T half = T(0.5);\nint sum(std::initializer_list<int> l) { return *l.begin(); }
const void *f(double *p, int i) { return bind([=] {
  static constexpr int first[] = {1, 2};\n  static const int second[] = {3, 4};
  const int *q = i ? &S::n : first;
  p[0] = powers[i] + primes[i] + names[i][0] + S::table[i] + half<double> + \"text\"[i] + __func__[i] + *q + second[i]
    + sum({1, i}) + sum({7, 8}) + given_later; }); }",
    );
    for level in ["-O0", "-O2"] {
        source.compile(&[level, "-c", "a.cpp", "-o", "a.o"]);
    }
}

#[test]
fn host_code_may_do_anything() {
    let source = Source::new(
        "thread_local int tl;
void host() { asm volatile(\"nop\"); long double d = tl; (void)d; static int n = (tl = 3); (void)n; }
inline void both() { if (__acpp_sscp_is_host) host(); }
const void *f(int *p) { host(); both(); return bind([=] { both(); p[0] = 1; }); }",
    );
    for level in ["-O0", "-O2"] {
        source.compile(&[level, "-c", "a.cpp", "-o", "a.o"]);
    }
}

#[test]
fn a_container_that_cannot_be_written_is_an_error() {
    let source = Source::new("const void *f(int *p) { return bind([=] { p[0] = 1; }); }");
    let errors = source.errors(&["-mllvm", "-sinter-emit-hcf=/no/such/folder/a.hcf"]);
    assert!(errors.contains("error: cannot write the container to `/no/such/folder/a.hcf`"), "{errors}");
}

#[test]
fn names_of_local_variables_are_asked_for_in_vain() {
    let source = Source::new(
        "extern \"C\" void __sinter_bind_symbol(const void *, void *);
const char *f() {\n  int local = 0;\n  const char *name;\n  __sinter_bind_symbol(&local, &name);\n  return name;\n}",
    );
    let errors = source.errors(&["-gline-tables-only"]);
    assert!(errors.contains("a.cpp:5:3: error: the first argument of `__sinter_bind_symbol` (in `f()`)"), "{errors}");
}
