//! A small, seedable generator (splitmix64): the same state from the same seed, on every machine and version.

/// The generator.
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `limit` (which is not 0).
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = self.below(items.len() as u64);
        &items[usize::try_from(at).unwrap_or_default()]
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// In (0, 1].
    fn unit(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let bits = ((self.next() >> 11) + 1) as f64;
        bits / 9_007_199_254_740_992.0
    }

    /// Exponentially distributed around `mean`.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -self.unit().ln() * mean
    }

    /// Log-normally distributed with mean `mean`, at most 64 times it.
    pub fn around(&mut self, mean: u64) -> u64 {
        const SIGMA: f64 = 1.0;
        let normal = (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a size"
        )]
        let bytes = (mean as f64 * (SIGMA * normal - SIGMA * SIGMA / 2.0).exp()) as u64;
        bytes.min(mean * 64)
    }

    /// A version 4 uuid.
    pub fn uuid(&mut self) -> String {
        let (a, b) = (self.next(), self.next());
        let (third, fourth) = (a & 0xfff, 0x8000 | ((b >> 48) & 0x3fff));
        format!("{:08x}-{:04x}-4{third:03x}-{fourth:04x}-{:012x}", a >> 32, (a >> 16) & 0xffff, b & 0xffff_ffff_ffff)
    }
}
