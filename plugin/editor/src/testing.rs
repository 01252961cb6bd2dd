//! A session and a plan for tests.

use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_session::plan::FORMAT;
use deskhand_session::*;

/// Two tracks with a clip each.
pub(crate) fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    for (number, name) in [(1, "Vocal"), (2, "Guitar")] {
        let track = TrackId::new(number);
        session.track_order.push(track);
        session.tracks.insert(track, Track::audio(name));
        let clip = Clip {
            name: format!("{name} take"),
            track,
            source: SourceId::new(number),
            start: Frames::ZERO,
            length: Frames(480_000),
            position: Frames(0),
            gain: Decibels::UNITY,
            fade_in: deskhand_dsp::Fade::default(),
            fade_out: deskhand_dsp::Fade::default(),
            envelope: Vec::new(),
        };
        session.clips.insert(ClipId::new(number), clip);
        session.sources.insert(SourceId::new(number), source(name));
    }
    session
}

fn source(name: &str) -> Source {
    Source {
        name: name.to_owned(),
        hash: ContentHash(name.to_owned()),
        path: format!("/music/{name}.wav"),
        size: 1_920_044,
        modified_ns: 0,
        format: "WAV 16 bit".into(),
        rate: SampleRate(48_000),
        channels: 2,
        channel: None,
        frames: Frames(48_000 * 60),
        origin: None,
        media: Media::InPlace,
    }
}

/// A plan that sets the gain of both clips.
pub(crate) fn gain_plan() -> Plan {
    let change = |number: u64, name: &str, after: f64| {
        let edit = Edit::new(ClipId::new(number), Decibels::UNITY, Decibels(after));
        let reason = "measured −20.5 LUFS".to_owned();
        PlannedChange::new(number as usize, Change::SetClipGain(edit), name.into(), reason)
    };
    Plan {
        format: FORMAT.into(),
        id: PlanId::new(7),
        digest: String::new(),
        tool: "tool_normalize".into(),
        params: serde_json::json!({}),
        session: SessionId::new(1),
        base_revision: RevisionId(1),
        summary: "Bring 2 clips to -16 LUFS".into(),
        changes: vec![change(1, "Vocal take", 4.5), change(2, "Guitar take", -3.0)],
        reads: Vec::new(),
        findings: vec![Finding::new(ClipId::new(1), Measure::IntegratedLoudness, Some(-20.5))],
        predicted: vec![Prediction::now(
            ClipId::new(1),
            Measure::IntegratedLoudness,
            -16.0,
            0.1,
            vec!["c1".into()],
        )],
        artifacts: Vec::new(),
        warnings: vec!["The guitar has 2 dB of headroom.".into()],
        derived_from: None,
    }
}
