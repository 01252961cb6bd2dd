//! Run-time choice of instruction set: one generic kernel, compiled once for AVX2 with FMA and once
//! for the target's baseline.
//!
//! A kernel is an `#[inline(always)]` function, generic over `Lanes` where it needs vectors and
//! plain code over fixed-size arrays where the compiler finds them itself. `dispatch!` makes the
//! function that compiles it under both feature sets and picks one at run time.
//! Kernels that never call `mul_add` give the same bits on every path; the others say how far
//! apart the paths may be.

/// Vectors of four doubles and of eight floats. A value of the type proves that this machine has the instructions.
pub(crate) trait Lanes: Copy {
    /// Four `f64`.
    type Doubles: Copy;
    /// Eight `f32`.
    type Floats: Copy;

    /// The same double four times.
    fn doubles(self, x: f64) -> Self::Doubles;
    /// Four doubles from memory.
    fn load_doubles(self, x: &[f64; 4]) -> Self::Doubles;
    /// Four floats from memory, as doubles.
    fn widen(self, x: &[f32; 4]) -> Self::Doubles;
    /// Back to memory.
    fn store_doubles(self, x: Self::Doubles) -> [f64; 4];
    /// `a * b + c`, rounded once where the hardware can.
    fn mul_add_doubles(self, a: Self::Doubles, b: Self::Doubles, c: Self::Doubles)
    -> Self::Doubles;

    /// The same float eight times.
    fn floats(self, x: f32) -> Self::Floats;
    /// Eight floats from memory.
    fn load_floats(self, x: &[f32; 8]) -> Self::Floats;
    /// Back to memory.
    fn store_floats(self, x: Self::Floats) -> [f32; 8];
    /// `a * b + c`, rounded once where the hardware can.
    fn mul_add_floats(self, a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    /// `a + b`.
    fn add_floats(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a - b`.
    fn sub_floats(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The larger of `peak` and the magnitude of `x`, lane by lane; `x` is finite.
    fn max_magnitude(self, peak: Self::Floats, x: Self::Floats) -> Self::Floats;
    /// Four stereo frames of 24 bits, the lowest byte first, scaled by 256: left four times,
    /// then right. The last four bytes are not looked at.
    fn stereo_of_24(self, frames: &[u8; 28]) -> Self::Floats;
    /// `a * b`.
    fn mul_floats(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
}

/// Arrays: whatever the target offers without asking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// A fused operation without hardware for it would be a library call.
const HAS_FUSED: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

impl Lanes for Portable {
    type Doubles = [f64; 4];
    type Floats = [f32; 8];

    #[inline(always)]
    fn doubles(self, x: f64) -> [f64; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn load_doubles(self, x: &[f64; 4]) -> [f64; 4] {
        *x
    }
    #[inline(always)]
    fn widen(self, x: &[f32; 4]) -> [f64; 4] {
        x.map(f64::from)
    }
    #[inline(always)]
    fn store_doubles(self, x: [f64; 4]) -> [f64; 4] {
        x
    }
    #[inline(always)]
    fn mul_add_doubles(self, a: [f64; 4], b: [f64; 4], mut c: [f64; 4]) -> [f64; 4] {
        for (c, (a, b)) in c.iter_mut().zip(a.iter().zip(&b)) {
            *c = if HAS_FUSED { a.mul_add(*b, *c) } else { a * b + *c };
        }
        c
    }
    #[inline(always)]
    fn floats(self, x: f32) -> [f32; 8] {
        [x; 8]
    }
    #[inline(always)]
    fn load_floats(self, x: &[f32; 8]) -> [f32; 8] {
        *x
    }
    #[inline(always)]
    fn store_floats(self, x: [f32; 8]) -> [f32; 8] {
        x
    }
    #[inline(always)]
    fn mul_add_floats(self, a: [f32; 8], b: [f32; 8], mut c: [f32; 8]) -> [f32; 8] {
        for (c, (a, b)) in c.iter_mut().zip(a.iter().zip(&b)) {
            *c = if HAS_FUSED { a.mul_add(*b, *c) } else { a * b + *c };
        }
        c
    }
    #[inline(always)]
    fn add_floats(self, mut a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        for (a, b) in a.iter_mut().zip(b) {
            *a += b;
        }
        a
    }
    #[inline(always)]
    fn sub_floats(self, mut a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        for (a, b) in a.iter_mut().zip(b) {
            *a -= b;
        }
        a
    }
    #[inline(always)]
    fn max_magnitude(self, mut peak: [f32; 8], x: [f32; 8]) -> [f32; 8] {
        for (peak, x) in peak.iter_mut().zip(x) {
            *peak = if x.abs() > *peak { x.abs() } else { *peak };
        }
        peak
    }
    #[inline(always)]
    fn stereo_of_24(self, frames: &[u8; 28]) -> [f32; 8] {
        let (samples, _) = frames.as_chunks::<3>();
        let mut out = [0.0; 8];
        for (out, place) in out.iter_mut().zip([0, 2, 4, 6, 1, 3, 5, 7usize]) {
            let [a, b, c] = samples[place];
            *out = i32::from_le_bytes([0, a, b, c]) as f32;
        }
        out
    }
    #[inline(always)]
    fn mul_floats(self, mut a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        for (a, b) in a.iter_mut().zip(b) {
            *a *= b;
        }
        a
    }
}

/// Runs `$body`, compiled for AVX2 and FMA. This is the only unsafe code of the crate: `$proof` is an
/// [`Avx2`], which exists only where the processor has both.
#[cfg(target_arch = "x86_64")]
macro_rules! with_avx2 {
    ($proof:expr, ($($arg:ident: $ty:ty),*) $(-> $ret:ty)? $body:block) => {{
        #[inline]
        #[target_feature(enable = "avx2,fma")]
        fn wide($($arg: $ty),*) $(-> $ret)? $body

        let _: $crate::simd::Avx2 = $proof;
        #[expect(unsafe_code, reason = "calls a function compiled for features that were checked")]
        // SAFETY: the line above takes only the proof of the features of `wide`.
        let result = unsafe { wide($($arg),*) };
        result
    }};
}
#[cfg(target_arch = "x86_64")]
pub(crate) use with_avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! AVX2 with FMA.

    use super::Lanes;
    use bytemuck::cast;
    use std::arch::x86_64::*;

    /// Registers of 256 bits. Only [`Avx2::detect`] makes one: whoever has it may use AVX2 and FMA.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// The proof that this machine has AVX2 and FMA, if it has; the standard library keeps the answer.
        #[inline]
        pub(crate) fn detect() -> Option<Self> {
            let is_there = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            is_there.then_some(Self(()))
        }
    }

    /// Methods whose bodies are compiled for AVX2 and FMA.
    macro_rules! methods {
        ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty $body:block)*) => {$(
            #[inline(always)]
            fn $name(self, $($arg: $ty),*) -> $ret {
                with_avx2!(self, ($($arg: $ty),*) -> $ret $body)
            }
        )*};
    }

    impl Lanes for Avx2 {
        type Doubles = __m256d;
        type Floats = __m256;

        methods! {
            fn doubles(x: f64) -> __m256d { _mm256_set1_pd(x) }
            fn load_doubles(x: &[f64; 4]) -> __m256d { cast(*x) }
            fn widen(x: &[f32; 4]) -> __m256d { _mm256_cvtps_pd(cast(*x)) }
            fn store_doubles(x: __m256d) -> [f64; 4] { cast(x) }
            fn mul_add_doubles(a: __m256d, b: __m256d, c: __m256d) -> __m256d {
                _mm256_fmadd_pd(a, b, c)
            }

            fn floats(x: f32) -> __m256 { _mm256_set1_ps(x) }
            fn load_floats(x: &[f32; 8]) -> __m256 { cast(*x) }
            fn store_floats(x: __m256) -> [f32; 8] { cast(x) }
            fn mul_add_floats(a: __m256, b: __m256, c: __m256) -> __m256 {
                _mm256_fmadd_ps(a, b, c)
            }
            fn add_floats(a: __m256, b: __m256) -> __m256 { _mm256_add_ps(a, b) }
            fn sub_floats(a: __m256, b: __m256) -> __m256 { _mm256_sub_ps(a, b) }
            fn mul_floats(a: __m256, b: __m256) -> __m256 { _mm256_mul_ps(a, b) }
            fn max_magnitude(peak: __m256, x: __m256) -> __m256 {
                _mm256_max_ps(peak, _mm256_andnot_ps(_mm256_set1_ps(-0.0), x))
            }
            fn stereo_of_24(frames: &[u8; 28]) -> __m256 {
                // Bytes 0..16 and 12..28: both are always there.
                let ends = (frames.first_chunk::<16>(), frames.last_chunk::<16>());
                let (Some(low), Some(high)) = ends else { return _mm256_setzero_ps() };
                // In both halves: two left samples, two right ones, each above a byte of zeros.
                let places = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                    -1, 0, 1, 2, -1, 6, 7, 8, -1, 3, 4, 5, -1, 9, 10, 11,
                ));
                let halves = _mm256_shuffle_epi8(_mm256_set_m128i(cast(*high), cast(*low)), places);
                _mm256_cvtepi32_ps(_mm256_permute4x64_epi64::<0b11_01_10_00>(halves))
            }
        }
    }
}
#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

/// The instruction set in use, for reports and bug tickets.
#[must_use]
pub fn instruction_set() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if Avx2::detect().is_some() {
        return "x86-64 AVX2+FMA";
    }
    "portable"
}

/// Makes a function that runs `$kernel` on the best path of this machine.
macro_rules! dispatch {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $kernel:ident) => {
        $(#[$meta])*
        #[inline]
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = $crate::simd::Avx2::detect() {
                return $crate::simd::with_avx2!(
                    simd, (simd: $crate::simd::Avx2, $($arg: $ty),*) $(-> $ret)? {
                        $kernel(simd, $($arg),*)
                    }
                );
            }
            $kernel($crate::simd::Portable, $($arg),*)
        }
    };
}
pub(crate) use dispatch;
