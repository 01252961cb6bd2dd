//! What the band plays: positions and lengths in beats, pitches as MIDI note numbers.

/// A note of a pitched instrument.
#[derive(Clone, Copy)]
pub(super) struct Note {
    pub(super) beat: f64,
    pub(super) beats: f64,
    pub(super) pitch: u8,
}

/// What a drummer hits.
#[derive(Clone, Copy)]
pub(super) enum Drum {
    Kick,
    Snare,
    Hat,
    Crash,
}

/// One hit; `force` is an amplitude, 0 to 1.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) beat: f64,
    pub(super) drum: Drum,
    pub(super) force: f32,
}

/// A bar of harmony: what the left hand of the keys holds, and the root under it.
struct Chord {
    root: u8,
    voices: [u8; 4],
}

const D_MINOR_9: Chord = Chord { root: 38, voices: [53, 57, 60, 64] };
const G_13: Chord = Chord { root: 43, voices: [53, 57, 59, 64] };
const C_MAJOR_9: Chord = Chord { root: 36, voices: [52, 55, 59, 62] };
const A_MINOR_7: Chord = Chord { root: 33, voices: [52, 55, 60, 64] };
const F_MAJOR_7: Chord = Chord { root: 41, voices: [53, 57, 60, 64] };

const BARS: [Chord; 10] = [
    D_MINOR_9, G_13, C_MAJOR_9, A_MINOR_7, D_MINOR_9, G_13, C_MAJOR_9, A_MINOR_7, F_MAJOR_7,
    C_MAJOR_9,
];

/// Beat, beats, pitch: the tune, from the third bar on.
const TUNE: [(f64, f64, u8); 33] = [
    (8.0, 1.0, 76),
    (9.0, 0.5, 79),
    (9.5, 1.5, 74),
    (11.5, 0.5, 72),
    (12.0, 1.5, 76),
    (13.5, 0.5, 72),
    (14.0, 2.0, 69),
    (16.5, 0.5, 69),
    (17.0, 0.5, 72),
    (17.5, 0.5, 74),
    (18.0, 1.5, 77),
    (19.5, 0.5, 76),
    (20.0, 1.0, 74),
    (21.0, 0.5, 71),
    (21.5, 1.5, 67),
    (23.0, 0.5, 69),
    (23.5, 0.5, 71),
    (24.0, 0.75, 76),
    (24.75, 0.75, 79),
    (25.5, 1.5, 83),
    (27.0, 1.0, 79),
    (28.0, 1.0, 81),
    (29.0, 0.5, 79),
    (29.5, 0.5, 76),
    (30.0, 1.5, 72),
    (31.5, 0.5, 74),
    (32.0, 1.0, 77),
    (33.0, 1.0, 76),
    (34.0, 1.0, 72),
    (35.0, 0.5, 69),
    (35.5, 0.5, 72),
    (36.0, 1.0, 74),
    (37.0, 3.0, 76),
];

/// Every bar with its first beat; the last bar is the ending, held.
fn bars() -> impl Iterator<Item = (f64, &'static Chord, bool)> {
    let last = BARS.len() - 1;
    let place = move |(bar, chord)| (bar as f64 * 4.0, chord, bar == last);
    BARS.iter().enumerate().map(place)
}

pub(super) fn lead() -> impl Iterator<Item = Note> {
    TUNE.into_iter().map(|(beat, beats, pitch)| Note { beat, beats, pitch })
}

/// The chords, struck on the first beat and pushed before the third; held in the last bar.
pub(super) fn keys() -> Vec<Note> {
    let mut notes = Vec::new();
    for (start, chord, ending) in bars() {
        for (voice, pitch) in chord.voices.into_iter().enumerate() {
            let beat = start + voice as f64 * 0.015; // fingers do not land together
            if ending {
                notes.push(Note { beat, beats: 4.0, pitch });
            } else {
                notes.push(Note { beat, beats: 1.4, pitch });
                notes.push(Note { beat: beat + 1.5, beats: 2.0, pitch });
            }
        }
    }
    notes
}

/// Root, root again, then the fifth that leads on.
pub(super) fn bass() -> Vec<Note> {
    let mut notes = Vec::new();
    for (beat, chord, ending) in bars() {
        let pitch = chord.root;
        if ending {
            notes.push(Note { beat, beats: 4.0, pitch });
            continue;
        }
        notes.push(Note { beat, beats: 1.4, pitch });
        notes.push(Note { beat: beat + 1.5, beats: 0.4, pitch });
        notes.push(Note { beat: beat + 2.5, beats: 0.5, pitch });
        notes.push(Note { beat: beat + 3.0, beats: 0.9, pitch: pitch + 7 });
    }
    notes
}

/// A backbeat with eighths on the hat, a fill before the ninth bar and one crash to end.
pub(super) fn drums() -> Vec<Hit> {
    let mut hits = Vec::new();
    for (start, _, ending) in bars() {
        let hit = |beat: f64, drum, force| Hit { beat: start + beat, drum, force };
        if ending {
            hits.extend([hit(0.0, Drum::Kick, 1.0), hit(0.0, Drum::Crash, 0.6)]);
            continue;
        }
        hits.extend([0.0, 2.5].map(|beat| hit(beat, Drum::Kick, 1.0)));
        hits.extend([1.0, 3.0].map(|beat| hit(beat, Drum::Snare, 0.75)));
        for eighth in 0..8 {
            let accent = if eighth % 2 == 0 { 0.28 } else { 0.17 };
            hits.push(hit(f64::from(eighth) * 0.5, Drum::Hat, accent));
        }
        if start == 28.0 {
            let fill = [(3.25, 0.4), (3.5, 0.55), (3.75, 0.7)];
            hits.extend(fill.map(|(beat, force)| hit(beat, Drum::Snare, force)));
        }
    }
    hits
}
