//! A kernel and random changes of bytes, shared by the tests of damaged files.
//!
//! *Invariant:* a test damages the same bytes in each run.

/// IR of bitcode that tests damage: a kernel `triad`, with two pointers and a number, and a
/// function that it calls.
pub const IR: &str = "
declare i64 @__acpp_sscp_get_local_id_x()
@table = internal constant [4 x float] [float 0.0, float 1.0, float 2.0, float 3.0]
define void @triad(ptr %out, ptr %in, i64 %n) {
  %id = call i64 @__acpp_sscp_get_local_id_x()
  %cell = getelementptr float, ptr %in, i64 %id
  %value = load float, ptr %cell
  %scaled = call float @help(float %value, i64 %n)
  %to = getelementptr float, ptr %out, i64 %id
  store float %scaled, ptr %to
  ret void
}
define internal float @help(float %x, i64 %j) {
  %k = and i64 %j, 3
  %p = getelementptr float, ptr @table, i64 %k
  %f = load float, ptr %p
  %y = fmul float %x, %f
  ret float %y
}";

/// Random numbers that are equal in each run of the test (xorshift64*, Vigna 2016).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Replaces a byte by a different value.
    pub fn change(&mut self, byte: &mut u8) {
        *byte ^= 1 + self.below(255) as u8;
    }
}
