//! Talks in random order. The next speaker, the length and the pause are drawn; each voice has its own
//! level, plain, with noise, or in a room of its own.

use super::{ALLISON, AUSTEN, CARLO, JUNE, RUSSIAN, Talk, clips, said};
use deskhand_speech::mel::RATE;

pub(crate) const VOICES: [&[&str]; 9] = [
    &[ALLISON],
    &[CARLO],
    &[RUSSIAN],
    &[ALLISON, CARLO],
    &[JUNE, RUSSIAN],
    &[ALLISON, JUNE, CARLO],
    &[RUSSIAN, AUSTEN, CARLO],
    &[ALLISON, JUNE, CARLO, RUSSIAN],
    &[ALLISON, JUNE, CARLO, RUSSIAN, AUSTEN],
];

/// The shortest and the longest turn in seconds, and where it is said.
pub(crate) const MANNERS: [((f64, f64), Room); 4] = [
    ((1.5, 6.0), Room::Dry),
    ((5.0, 15.0), Room::Dry),
    ((2.0, 8.0), Room::Noisy),
    ((3.0, 15.0), Room::Echoing),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Room {
    Dry,
    /// Noise 20 dB below the voices.
    Noisy,
    /// Each voice with reflections of its own.
    Echoing,
}

/// Numbers from 0 to 1, the same in each run.
struct Drawn(u64);

impl Drawn {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as f64 / f64::from(1u32 << 31)
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.next()
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.next() * count as f64) as usize).min(count - 1)
    }
}

/// A voice: clip after clip, 0.2 s apart, from one of them on.
struct Reader {
    sound: Vec<f32>,
    at: usize,
    gain: f32,
    reflections: Vec<(usize, f32)>,
}

impl Reader {
    fn new(folder: &str, room: Room, drawn: &mut Drawn) -> Option<Self> {
        let paths = clips(folder)?;
        let first = drawn.below(paths.len());
        let mut sound = Vec::new();
        for path in paths.iter().cycle().skip(first).take(paths.len().min(12)) {
            sound.extend(said(path, usize::MAX));
            sound.extend(vec![0.0; RATE as usize / 5]);
        }
        let gain = 10f64.powf(drawn.between(-3.0, 3.0) / 20.0) as f32;
        let mut reflection = || {
            let late = drawn.between(0.005, 0.3);
            let loud = 0.4 * (-late / 0.09).exp() * (1.0 - 2.0 * drawn.next());
            ((late * f64::from(RATE)) as usize, loud as f32)
        };
        let count = if room == Room::Echoing { 60 } else { 0 };
        let reflections = (0..count).map(|_| reflection()).collect();
        Some(Self { sound, at: 0, gain, reflections })
    }

    fn say(&mut self, length: usize) -> Vec<f32> {
        if self.at + length > self.sound.len() {
            self.at = 0;
        }
        let dry = &self.sound[self.at..(self.at + length).min(self.sound.len())];
        self.at += length;
        let mut wet = dry.to_vec();
        for (late, loud) in &self.reflections {
            wet.iter_mut().skip(*late).zip(dry).for_each(|(wet, dry)| *wet += loud * dry);
        }
        wet.iter_mut().for_each(|sample| *sample *= self.gain);
        wet
    }
}

/// A talk of 15 s for each voice and 15 s more, in which each speaks at least 10 s; `None` if a voice is
/// not installed.
pub(crate) fn talk(voices: &[&str], seconds: (f64, f64), room: Room, seed: usize) -> Option<Talk> {
    let mut drawn = Drawn(1 + seed as u64 + 100 * voices.len() as u64);
    let mut readers = Vec::new();
    for voice in voices {
        readers.push(Reader::new(voice, room, &mut drawn)?);
    }
    let mut talk = Talk::default();
    let mut said = vec![0; voices.len()];
    let (all, each) = ((15 * voices.len() + 15) * RATE as usize, 10 * RATE as usize);
    let mut last = usize::MAX;
    while talk.sound.len() < all || said.iter().any(|said| *said < each) {
        let mut others: Vec<usize> = (0..voices.len()).filter(|other| *other != last).collect();
        // A voice that said little comes sooner.
        others.sort_by_key(|other| said[*other]);
        last = match others.len() {
            0 => 0,
            count => others[drawn.below(count.min(2))],
        };
        let pause = drawn.between(0.05, 0.8) * f64::from(RATE);
        talk.sound.extend(vec![0.0; pause as usize]);
        let length = drawn.between(seconds.0, seconds.1) * f64::from(RATE);
        let start = talk.sound.len();
        talk.sound.extend(readers[last].say(length as usize));
        said[last] += talk.sound.len() - start;
        talk.turns.push((start..talk.sound.len(), last));
    }
    if room == Room::Noisy {
        talk.sound
            .iter_mut()
            .for_each(|sample| *sample += 0.012 * (2.0 * drawn.next() - 1.0) as f32);
    }
    Some(talk)
}
