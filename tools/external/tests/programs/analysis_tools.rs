//! Tools that hear something: markers, and findings about clips.

use crate::desk::{CLIP, Desk, RATE};
use deskhand_dsp::Frames;
use deskhand_session::{Change, Marker, Session};
use deskhand_toolkit::Draft;
use serde_json::{Value, json};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("markers_stand_where_they_were_heard", markers_stand_where_they_were_heard),
    ("a_second_run_replaces_the_markers_of_the_first", a_second_run_replaces_markers),
    ("findings_become_facts_of_the_source", findings_become_facts_of_the_source),
    ("audio_markers_and_findings_are_one_plan", audio_markers_and_findings_are_one_plan),
    ("what_cannot_be_meant_is_refused_whole", what_cannot_be_meant_is_refused_whole),
];

fn says(desk: &Desk, result: &Value) -> Draft {
    let script = format!("echo '{}'", json!({ "result": result }));
    desk.write("tools", "ears", "gives = \"nothing\"", &script);
    desk.call("ears", json!({})).unwrap()
}

/// Applies a plan, as the next revision.
fn take(desk: &mut Desk, draft: &Draft) {
    desk.session = applied(&desk.session, draft);
    desk.base += 1;
}

fn applied(session: &Session, draft: &Draft) -> Session {
    session.with(draft.changes.iter().map(|planned| &planned.change)).unwrap()
}

fn marker(name: &str, position: i64, length: i64) -> Marker {
    let code = Some("tool_ears".into());
    Marker { name: name.into(), position: Frames(position), length: Frames(length), code }
}

fn markers(session: &Session) -> Vec<Marker> {
    let mut markers: Vec<_> = session.markers.values().cloned().collect();
    markers.sort_by_key(|marker| marker.position);
    markers
}

fn markers_stand_where_they_were_heard() {
    let desk = Desk::new();
    let draft = says(
        &desk,
        &json!({"markers": [
            {"name": "breath", "at_s": 0.25, "length_s": 0.5, "clip": CLIP},
            {"name": "scene 2", "at_s": 10.5},
        ]}),
    );
    assert_eq!(draft.summary, "ears: 2 markers");
    assert_eq!(draft.reads.len(), 1, "it relies on the clip that it heard");
    let session = applied(&desk.session, &draft);
    // The clip is at 1 s.
    let breath = marker("breath", RATE + RATE / 4, RATE / 2);
    assert_eq!(markers(&session), [breath, marker("scene 2", RATE * 21 / 2, 0)]);
}

fn a_second_run_replaces_markers() {
    let mut desk = Desk::new();
    let at = |seconds: f64| json!({"name": "hit", "at_s": seconds, "clip": CLIP});
    let first = says(&desk, &json!({"markers": [at(0.5), at(1.0)]}));
    take(&mut desk, &first);
    let own = Marker { code: None, ..marker("mine", RATE * 3 / 2, 0) };
    desk.session.markers.insert(deskhand_session::MarkerId::new(1), own.clone());
    let same = says(&desk, &json!({"markers": [at(0.5), at(1.0)]}));
    assert_eq!((same.changes.len(), same.summary.as_str()), (0, "ears: 2 markers"));
    let answer = says(&desk, &json!({"answer": 5}));
    assert_eq!(answer.changes, [], "one that speaks of no markers takes none away");
    let other = says(&desk, &json!({"markers": [at(1.0), at(1.5)]}));
    let ops: Vec<_> = other.changes.iter().map(|planned| planned.change.op()).collect();
    assert_eq!(ops, ["add_marker", "remove_marker"]);
    take(&mut desk, &other);
    let none = says(&desk, &json!({"markers": []}));
    assert_eq!(none.changes.len(), 2, "it hears nothing any more");
    assert_eq!(markers(&applied(&desk.session, &none)), [own], "a person's stays");
}

fn findings_become_facts_of_the_source() {
    let mut desk = Desk::new();
    let result = json!({"findings": [
        {"clip": CLIP, "name": "pitch", "value": 440.0, "unit": "Hz", "confidence": 0.9},
        {"clip": CLIP, "name": "voice", "value": "alto"},
        {"clip": CLIP, "name": "vibrato", "value": true, "at_s": 0.5, "length_s": 0.5},
    ]});
    let draft = says(&desk, &result);
    assert_eq!((draft.changes.len(), draft.summary.as_str()), (2, "ears: 3 findings"));
    assert_eq!(draft.changes[0].name, "Take 1");
    take(&mut desk, &draft);
    let mut found: Vec<_> = desk.session.segments.values().collect();
    found.sort_by_key(|segment| segment.start);
    // The clip shows its source from 0.5 s on.
    let place = |n: usize| (found[n].start.0, found[n].length.0);
    assert_eq!((place(0), place(1)), ((RATE / 2, RATE * 2), (RATE, RATE / 2)));
    let pitch = &found[0].description.facts["pitch"];
    assert_eq!((&pitch.value, pitch.unit.as_deref()), (&json!(440.0), Some("Hz")));
    assert_eq!((pitch.confidence, pitch.by.as_str()), (Some(0.9), "tool_ears"));
    assert_eq!(found[1].description.facts["vibrato"].value, json!(true));
    assert_eq!(says(&desk, &result).changes, [], "the same is known already");
    let other = json!({"findings": [{"clip": CLIP, "name": "pitch", "value": 220.0}]});
    let draft = says(&desk, &other);
    assert!(matches!(draft.changes[0].change, Change::SetDescription(_)), "{draft:?}");
    let after = applied(&desk.session, &draft);
    let facts: Vec<_> =
        after.segments.values().flat_map(|segment| segment.description.facts.keys()).collect();
    assert_eq!(facts.len(), 3, "what was known beside it stays");
}

fn audio_markers_and_findings_are_one_plan() {
    let desk = Desk::new();
    let script = format!(
        "cp in/1.wav out/1.wav; echo '{}'",
        json!({"result": {
            "files": [{"clip": CLIP, "file": "out/1.wav"}],
            "markers": [{"name": "hit", "at_s": 0.1, "clip": CLIP}],
            "findings": [{"clip": CLIP, "name": "hits", "value": 1}],
        }})
    );
    desk.write("tools", "ears", "", &script);
    let draft = desk.call("ears", json!({})).unwrap();
    assert_eq!(draft.summary, "ears: 1 file, 1 marker, 1 finding");
    let ops: Vec<_> = draft.changes.iter().map(|planned| planned.change.op()).collect();
    assert_eq!(ops, ["add_source", "remove_clip", "add_clip", "set_segment", "add_marker"]);
    assert_eq!(draft.reads.len(), 1, "what it relies on is named once");
    applied(&desk.session, &draft);
}

fn what_cannot_be_meant_is_refused_whole() {
    let desk = Desk::new();
    let elsewhere = deskhand_session::ClipId::new(99);
    let good = json!({"name": "a", "at_s": 0.1, "clip": CLIP});
    let many = vec![good.clone(); 2_001];
    for (result, told) in [
        (json!({"markers": [good, {"name": "b", "at_s": -1}]}), "has the time -1 s"),
        (json!({"markers": [good, {"name": "", "at_s": 1}]}), "a marker without a name"),
        (json!({"markers": [good, {"name": "b"}]}), "which means nothing"),
        (json!({"markers": [{"name": "b", "at_s": 1, "clip": elsewhere}]}), "was not given"),
        (json!({"markers": many}), "gave 2001 markers; 2000 are the most"),
        (json!({"findings": [{"clip": elsewhere, "name": "a", "value": 1}]}), "was not given"),
        (json!({"findings": [{"clip": CLIP, "name": "A b", "value": 1}]}), "calls a finding"),
        (json!({"findings": [{"clip": CLIP, "name": "a", "value": {}}]}), "has a value that is no"),
        (
            json!({"findings": [{"clip": CLIP, "name": "a", "value": 1, "at_s": 5}]}),
            "begins at 5.000 s of a clip that is 2.000 s long",
        ),
    ] {
        let said = desk.refused_with(
            "gives = \"nothing\"",
            &format!("echo '{}'", json!({ "result": result })),
        );
        assert!(said.contains(told), "{said}");
    }
}
