//! Two readers of a novel, whose recordings are those in `tests/audio`, and a plan for them that is being heard.

use crate::song::{RATE, Song, clip, plan, planned, seconds, source};
use deskhand_dsp::level::{rms, sample_peak};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_editor::{Column, Levels, Live, Model, Motion, SoundOutput, Waves};
use deskhand_media::Opener;
use deskhand_protocol::desk::Which;
use deskhand_session::{
    Change, ClipId, Edit, Finding, Measure, ObjectId, Plan, Prediction, Session, SessionId,
    SourceId, Track, TrackId,
};
use serde_json::json;
use std::io;
use std::path::Path;

/// The readers: their name, their file, where they begin in seconds, and what the plan measured: LUFS, and the gain to -20.
const READERS: [(&str, &str, f64, f64, f64); 2] = [
    ("host", "dialogue-1.flac", 0.0, -25.16, 5.16),
    ("guest", "dialogue-2.flac", 16.8, -23.34, 3.34),
];
/// Where the playhead is, in seconds.
const PLAYHEAD: f64 = 9.42;

/// The recordings, mono at 48 kHz.
#[derive(Debug)]
pub struct Dialogue(Vec<Vec<f32>>);

impl Dialogue {
    /// Reads the recordings.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn read() -> io::Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../audio");
        let read = |(_, file, ..): (&str, &str, f64, f64, f64)| samples(&folder.join(file));
        READERS.into_iter().map(read).collect::<io::Result<_>>().map(Self)
    }

    /// A window in which the plan waits and plays.
    #[must_use]
    pub fn heard(&self) -> Model {
        let mut song = Song::default();
        let mut model = song.open_with(self.session());
        let words = "Normalize the dialogue to -20 LUFS.";
        song.say(&mut model, "user", json!([{"type": "text", "text": words}]));
        let plan = levelled();
        song.review(&mut model, plan.clone());
        model.live = self.live(&plan);
        model
    }

    fn session(&self) -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(RATE as u32));
        for (number, ((name, _, at, ..), sound)) in (1..).zip(READERS.iter().zip(&self.0)) {
            let (track, file) = (TrackId::new(number), SourceId::new(number));
            let length = sound.len() as f64 / RATE as f64;
            session.track_order.push(track);
            session.tracks.insert(track, Track::audio(*name));
            session.sources.insert(file, source(name));
            let mut made = clip(name, track, file, 0.0, length);
            made.position = seconds(*at);
            session.clips.insert(ClipId::new(number), made);
        }
        session
    }

    /// What the meters show at the playhead: the planned level of the first reader.
    fn live(&self, plan: &Plan) -> Live {
        let at = seconds(PLAYHEAD).index();
        let near = self.0.first().and_then(|sound| sound.get(at..at + 4_800)).unwrap_or_default();
        let gain = Decibels(READERS[0].4).amplitude() as f32;
        let peak = sample_peak(near) * gain;
        let level = Levels {
            peak: [peak; 2],
            rms: [mean(near) * gain; 2],
            momentary: -19.4,
            short_term: -20.2,
            integrated: -20.0,
            true_peak: [peak; 2],
        };
        Live {
            position: seconds(PLAYHEAD),
            motion: Motion::Playing,
            hearing: Some((plan.id, Which::Plan)),
            tracks: [(TrackId::new(1), level)].into(),
            master: level,
            output: SoundOutput::Device { name: "Speakers".into() },
            ..Live::default()
        }
    }
}

/// The readers at one level, as `deskhand ask` plans it.
fn levelled() -> Plan {
    let (mut changes, mut findings, mut predicted) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (name, _, _, measured, gain)) in (1..).zip(READERS) {
        let id = ClipId::new(number);
        let target = ObjectId::Clip(id);
        let change = Change::SetClipGain(Edit::new(id, Decibels::UNITY, Decibels(gain)));
        changes.push(planned(
            number as usize,
            change,
            name,
            &format!("measured {measured:.1} LUFS"),
        ));
        findings.push(Finding::new(target, Measure::IntegratedLoudness, Some(measured)));
        let of = vec![format!("c{number}")];
        predicted.push(Prediction::now(target, Measure::IntegratedLoudness, -20.0, 0.1, of));
    }
    Plan { findings, predicted, ..plan("Bring host and guest to -20 LUFS", changes) }
}

fn samples(file: &Path) -> io::Result<Vec<f32>> {
    let opened = Opener::in_process().probe_and_open_at(file, SampleRate(RATE as u32));
    let (_, mut reader) = opened.map_err(io::Error::other)?;
    let mut sound = vec![0.0; reader.frames().index()];
    let read = reader.read(Frames::ZERO, &mut [&mut sound]).map_err(io::Error::other)?;
    sound.truncate(read);
    Ok(sound)
}

/// Root of the mean square, as an amplitude.
fn mean(samples: &[f32]) -> f32 {
    rms(samples).map_or(0.0, |level| level.amplitude() as f32)
}

impl Waves for Dialogue {
    fn columns(
        &self,
        source: SourceId,
        start: Frames,
        per_column: f64,
        count: usize,
    ) -> Option<Vec<Column>> {
        let sound = self.0.get(usize::try_from(source.bits()).ok()?.checked_sub(1)?)?;
        let column = |index: usize| {
            let at = |index: usize| start.index() + (index as f64 * per_column) as usize;
            let end = at(index + 1).min(sound.len());
            let part = sound.get(at(index).min(end)..end).unwrap_or_default();
            Column { peak: sample_peak(part), rms: mean(part) }
        };
        Some((0..count).map(column).collect())
    }
}
