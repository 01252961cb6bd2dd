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
    filter(&mut bad, &Faults::default());
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
fn the_knob_of_an_older_state_says_what_was_heard() {
    let older = |trim: &[(&str, ParamValue)], apart: f64| {
        let mut older = state(&format!(r#"{{"desk_gain": {apart}}}"#), trim);
        filter(&mut older, &Faults::default());
        match older.params.get("trim") {
            Some(ParamValue::F32(trim)) => *trim,
            other => panic!("{other:?}"),
        }
    };
    let trim = |trim| [("trim", ParamValue::F32(trim))];
    assert_eq!(older(&trim(-10.0), 4.5), -5.5);
    assert_eq!(older(&[], -6.0), -6.0, "a state without trim has it at 0");
    assert_eq!([older(&trim(20.0), 60.0), older(&trim(-40.0), -100.0)], [24.0, -60.0]);
}

#[test]
fn the_first_state_behind_the_seat_waits_until_it_is_decided_whose_it_is() {
    let field = SavedField::default();
    let named = |session: u64, track: u64| Saved {
        session: Some(SessionId::new(session)),
        track: Some(TrackId::new(track)),
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
