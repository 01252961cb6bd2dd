//! Tests of the saved state.

use super::*;

fn state(field: &str, params: &[(&str, ParamValue)]) -> PluginState {
    PluginState {
        version: String::new(),
        params: params.iter().map(|(id, value)| ((*id).to_owned(), value.clone())).collect(),
        fields: BTreeMap::from([(FIELD.to_owned(), field.to_owned())]),
    }
}

fn refusal(field: &str, params: &[(&str, ParamValue)]) -> String {
    check(&state(field, params)).unwrap_err().to_string()
}

#[test]
fn a_state_is_taken_whole_or_refused_by_name() {
    let good = serde_json::to_string(&Saved::default()).unwrap();
    assert_eq!(check(&state(&good, &[("trim", ParamValue::F32(-3.0))])), Ok(()));
    let cases = [
        refusal("{", &[]),
        refusal(r#"{"desk_gain": 1e9}"#, &[]),
        refusal(r#"{"window": {"width": 10, "height": 600, "zoom": 1}}"#, &[]),
        refusal(r#"{"track": "clip_x"}"#, &[]),
        refusal(&good, &[("trim", ParamValue::F32(f32::NAN))]),
        refusal(&good, &[("trim", ParamValue::Bool(true))]),
        refusal(&good, &[("output", ParamValue::String("sideways".into()))]),
        refusal(&good, &[("wetness", ParamValue::F32(0.0))]),
    ];
    let words = ["EOF", "desk_gain", "width", "track", "trim", "`trim`", "`output`", "`wetness`"];
    for (said, word) in cases.iter().zip(words) {
        assert!(said.contains(word), "{said}");
        assert!(said.contains("is kept"), "{said}");
    }
}

#[test]
fn a_refused_state_leaves_nothing_to_load() {
    let mut bad = state("{}", &[("trim", ParamValue::F32(1e9))]);
    filter(&mut bad);
    assert!(bad.params.is_empty() && bad.fields.is_empty());
}

#[test]
fn a_snapshot_is_fitted_and_a_large_one_refused() {
    let track = |number: u64| SnapshotTrack {
        id: TrackId::new(number),
        name: "x".repeat(60),
        gain: 0.0,
        pan: 0.0,
        kind: TrackKind::Audio,
        // One that does not fit.
        output: Output::Bus(TrackId::new(2_000)),
    };
    let large = Snapshot { rate: 48_000, tracks: (1..=2_000).map(track).collect() };
    let saved = Saved { snapshot: Some(large.clone()), ..Saved::default() };
    assert!(matches!(saved.check(), Err(StateError::Large { .. })));
    let fitted = large.fitted();
    assert!(fitted.bytes() <= LARGEST_SNAPSHOT && fitted.tracks.len() > 300);
    assert!(fitted.tracks.iter().all(|track| track.output == Output::Master));
}

#[test]
fn what_is_written_for_any_gain_of_a_track_is_read_again() {
    // The gains that a session takes, in dB.
    for gain in [-150.0, -130.0, -60.0, 0.0, 48.0] {
        for trim in [LEAST_TRIM, 0.0, MOST_TRIM] {
            let saved = Saved { desk_gain: gain - trim, ..Saved::default() };
            let json = serde_json::to_string(&saved).unwrap();
            assert_eq!(Saved::read(&json), Ok(saved), "{gain} dB behind {trim} dB");
        }
    }
}

#[test]
fn the_first_state_behind_the_seat_waits_until_it_is_decided_whose_it_is() {
    let field = SavedField::new(&Arc::new(Gains::default()));
    let named = |session: u64, track: u64| Saved {
        session: Some(SessionId::new(session)),
        track: Some(TrackId::new(track)),
        desk_gain: -3.0,
        ..Saved::default()
    };
    field.seat(Some(SessionId::new(1)), TrackId::new(1), 0);
    field.set(Saved::default());
    assert!(!field.is_late(), "it names no track");
    field.set(named(2, 5));
    assert!(field.is_late());
    assert_eq!(field.now().session, Some(SessionId::new(1)), "nothing is decided yet");
    field.set(named(2, 6));
    field.take_late();
    assert_eq!((field.now(), field.is_late()), (named(2, 6), false), "the newest");
    // From here on it is a track that came with its state: that one stays.
    field.seat(Some(SessionId::new(2)), TrackId::new(6), 0);
    field.set(named(3, 7));
    assert!(!field.is_late());
    assert_eq!(field.now().track, Some(TrackId::new(6)));
}
