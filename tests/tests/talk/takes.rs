//! The loop over takes: a model proposes one step at a time, a person decides on each and says why not, and what
//! is heard at the end is what was decided.

use crate::desk::{Desk, write_parts};
use crate::model::{Model, Say, Seen, Wire, call, text};
use deskhand_bounce::{RenderJob, SessionAudio, render};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{BitDepth, Opener};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Decision, Status};
use deskhand_session::{PhraseId, Session};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

const RATE: f64 = 48_000.0;
/// Seconds of a phrase, and of the pause behind it.
const PHRASE: f64 = 0.8;
const PAUSE: f64 = 0.9;

/// What is recorded: each phrase with a tone of its own, by which it is known again. Five are said again.
pub(crate) const TAKES: [(&str, f64); 10] = [
    ("Welcome to the show.", 300.0),
    ("Welcome to, welcome to the show.", 340.0),
    ("Today we talk about money.", 400.0),
    ("Today we talk about the money.", 450.0),
    ("Prices went up again last year.", 520.0),
    ("Prices went up last year.", 600.0),
    ("Prices went up again.", 690.0),
    ("Nobody knows why.", 800.0),
    ("Thank you and goodbye.", 920.0),
    ("Thank you all and goodbye.", 1_060.0),
];

/// A desk with the recording and its transcript.
fn recorded(model: &Model) -> Desk {
    let mut desk = Desk::new(model, &[]);
    let audio = desk.folder().with_file_name("talk.wav");
    let parts: Vec<_> = TAKES.iter().flat_map(|(_, hz)| [(PHRASE, *hz), (PAUSE, 0.0)]).collect();
    write_parts(&audio, &parts);
    desk.now("import_audio", json!({"files": [audio]}));
    let said = |(number, (text, _)): (usize, &(&str, f64))| {
        let start = number as f64 * (PHRASE + PAUSE);
        json!({"start": start, "end": start + PHRASE, "text": text, "speaker": "Ann"})
    };
    let segments: Vec<Value> = TAKES.iter().enumerate().map(said).collect();
    let file = desk.folder().with_file_name("talk.json");
    std::fs::write(&file, json!({"segments": segments}).to_string()).unwrap();
    desk.now("tool_import_transcript", json!({"file": file, "target": "talk"}));
    desk
}

/// The ids of phrases by the numbers of [`TAKES`], from a result of `tool_list_phrases`.
fn ids(listed: &Value) -> Vec<Value> {
    let phrases = listed["answer"]["phrases"].as_array().unwrap();
    let of = |text: &str| {
        let found = phrases.iter().find(|phrase| phrase["text"] == text);
        found.unwrap_or_else(|| panic!("{text}: {listed:#}"))["group_id"].clone()
    };
    TAKES.iter().map(|(text, _)| of(text)).collect()
}

/// Takes of a phrase, and the one that plays.
fn takes(ids: &[Value], numbers: &[usize], keep: usize, reason: &str) -> Say {
    let takes: Vec<_> = numbers.iter().map(|n| &ids[*n]).collect();
    let params = json!({
        "phrase": TAKES[keep].0, "group_ids": takes, "recommended_group_id": ids[keep], "reason": reason,
    });
    call("takes", "tool_mark_duplicates", &params)
}

fn order(ids: &[Value], numbers: &[usize]) -> Say {
    let order: Vec<_> = numbers.iter().map(|n| &ids[*n]).collect();
    call("order", "tool_reorder_segments", &json!({"ordered_group_ids": order}))
}

/// The steps of a model that listens to what it is told: it tries another take where one was rejected.
pub(crate) fn steps() -> impl FnMut(&Seen) -> Vec<Say> {
    let known = Arc::new(Mutex::new(Vec::new()));
    move |seen: &Seen| {
        let mut known = known.lock().unwrap();
        if seen.number == 2 {
            *known = ids(&seen.results[0]);
        }
        let said = match seen.number {
            0 => call("find", "tool_find_phrases", &json!({"targets": "all"})),
            1 => call("list", "tool_list_phrases", &json!({})),
            2 => takes(&known, &[0, 1], 1, "it is the later one"),
            3 => takes(&known, &[0, 1], 0, "the other stumbles"),
            4 => takes(&known, &[2, 3], 3, "it is whole"),
            5 => takes(&known, &[4, 5, 6], 6, "it is the shortest"),
            6 => takes(&known, &[4, 5, 6], 4, "it says when"),
            7 => takes(&known, &[8, 9], 9, "it is warmer"),
            8 => order(&known, &[3, 0, 7, 4, 9]),
            9 => call("finish", "finish", &json!({"summary": "Five phrases of ten."})),
            _ => text("It is done."),
        };
        vec![said]
    }
}

#[test]
fn five_retakes_two_rejections_a_reorder_and_the_end() {
    let model = Model::serve(Wire::Anthropic, steps());
    let mut desk = recorded(&model);
    let mut steps = 0;
    decide_on_all(&mut desk, &model, &mut |desk| {
        let session = desk.session();
        assert_eq!(heard(&session, desk.folder()), in_order(&session), "step {steps}");
        steps += 1;
    });
    assert_eq!(steps, 8);
    let session = desk.session();
    assert_eq!(heard(&session, desk.folder()), [450.0, 300.0, 800.0, 520.0, 1_060.0]);
}

/// The whole loop: the model's steps, each decided on, two of them rejected with a reason. `decided_on` is called behind
/// each.
pub(crate) fn decide_on_all(desk: &mut Desk, model: &Model, decided_on: &mut dyn FnMut(&mut Desk)) {
    desk.say("assemble the best takes, and start with the topic");
    let rejected = [(1, "she stumbles in that one"), (4, "it does not say when")];
    // Of the steps that wait: finding the phrases, six for takes, the order.
    for step in 0..8 {
        let plan = desk.review();
        let reason = rejected.iter().find(|(at, _)| *at == step);
        let decision = match reason {
            Some((_, reason)) => Decision::Reject { reason: (*reason).into() },
            None => Decision::Apply,
        };
        let decided = desk.decide(plan.id, decision);
        let wanted = if reason.is_some() { Status::Rejected } else { Status::Applied };
        assert_eq!(decided.status, wanted, "{step}: {decided:#?}");
        decided_on(desk);
    }
    let end = desk.end();
    assert_eq!((end.reason, end.pending.len()), (TurnReason::Finished, 0), "{end:?}");
    let seen = model.seen();
    for (number, reason) in [(3, rejected[0].1), (6, rejected[1].1)] {
        assert_eq!(seen[number].results[0]["status"], "rejected", "{:#}", seen[number].results[0]);
        assert_eq!(seen[number].results[0]["reason"], reason);
    }
    let session = desk.session();
    assert_eq!(session.assembly.finished.as_deref(), Some("Five phrases of ten."));
    assert_eq!((session.assembly.order.len(), session.phrases.len()), (5, 10));
}

/// The tones of the phrases that play, in their order.
fn in_order(session: &Session) -> Vec<f64> {
    let tone = |id: &PhraseId| {
        let segment = &session.segments[&session.phrases[id].segments[0]];
        let number = segment.start.seconds(session.rate).0 / (PHRASE + PAUSE);
        TAKES[number.round() as usize].1
    };
    session.assembly.order.iter().map(tone).collect()
}

/// The tones of the rendered mix, in their order; each is one of [`TAKES`].
fn heard(session: &Session, folder: &Path) -> Vec<f64> {
    tones(&samples(&rendered(session, folder)))
}

/// The mix as a file, up to where the last clip ends that is heard.
pub(crate) fn rendered(session: &Session, folder: &Path) -> PathBuf {
    let file = folder.with_file_name("mix.wav");
    let audio = SessionAudio::new(folder, Opener::in_process());
    let job = RenderJob {
        mix: &file,
        stems: None,
        depth: BitDepth::F32,
        range: Frames::ZERO..session.heard_end(),
    };
    render(session, &audio, &job, &mut |_| ControlFlow::Continue(())).unwrap();
    file
}

fn samples(file: &Path) -> Vec<f32> {
    let mut reader = Opener::in_process().open_at(file, SampleRate(48_000)).unwrap();
    let frames = usize::try_from(reader.frames().0).unwrap();
    let mut planes = vec![vec![0.0; frames]; reader.channels()];
    let mut out: Vec<_> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    let mut at = 0;
    while at < frames {
        let mut rest: Vec<_> = out.iter_mut().map(|plane| &mut plane[at..]).collect();
        let read = reader.read(Frames::from_index(at), &mut rest).unwrap();
        assert!(read > 0);
        at += read;
    }
    planes.swap_remove(0)
}

/// The tone of each tenth of a second, told by its crossings of zero; repeats are one, and what is none is left out.
fn tones(wave: &[f32]) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::new();
    for window in wave.chunks_exact(4_800) {
        let loud = window.iter().filter(|sample| sample.abs() > 0.01).count();
        if loud < 4_000 {
            continue;
        }
        let rises = window.windows(2).filter(|pair| pair[0] <= 0.0 && pair[1] > 0.0).count();
        let hz = rises as f64 * RATE / window.len() as f64;
        let near = TAKES.iter().map(|(_, hz)| *hz).find(|known| (known - hz).abs() <= 15.0);
        if let Some(known) = near.filter(|known| found.last() != Some(known)) {
            found.push(known);
        }
    }
    found
}

/// Leave to read outside of the session, and each plan; how many it were.
fn take_everything(desk: &mut Desk) -> usize {
    let mut decided = 0;
    loop {
        let next = desk.until(|event| match &event.news {
            deskhand_protocol::News::Review { plan } => Some(Some(plan.id)),
            deskhand_protocol::News::TurnEnded { .. } => Some(None),
            _ => None,
        });
        let Some(plan) = next else {
            return decided;
        };
        let result = desk.decide(plan, Decision::Apply);
        assert!(!result.status.is_failure(), "{result:#?}");
        decided += 1;
    }
}

#[test]
fn import_these_find_their_parts_and_analyze_all() {
    let model = Model::serve(Wire::OpenAi, |seen| match seen.number {
        0 => {
            // The person names the files; their paths are the person's own words.
            let said = seen.body["messages"].as_array().unwrap().iter().rev();
            let words = said.filter_map(|message| message["content"].as_str()).next().unwrap();
            let files: Vec<_> = words.split('"').filter(|part| part.ends_with(".wav")).collect();
            vec![call("import", "import_audio", &json!({"files": files}))]
        }
        1 => vec![
            call("parts", "tool_detect_segments", &json!({"targets": "all", "as": "markers"})),
            call("all", "tool_analyze_all", &json!({"targets": "all"})),
        ],
        _ => vec![text("They are in, marked and analyzed.")],
    });
    let mut desk = Desk::new(&model, &[]);
    let files: Vec<_> =
        ["one.wav", "two.wav"].iter().map(|name| desk.folder().with_file_name(name)).collect();
    write_parts(&files[0], &[(4.0, 220.0), (4.0, 880.0)]);
    write_parts(&files[1], &[(3.0, 330.0), (0.5, 0.0), (3.0, 1_320.0)]);
    desk.say(&format!(
        "import {:?} and {:?}, find their parts and analyze all",
        files[0], files[1]
    ));
    let decided = take_everything(&mut desk);
    assert!(decided >= 1, "the import waits for a person");
    let seen = model.seen();
    assert_eq!(seen.len(), 3, "{:#?}", seen.last().map(|seen| &seen.results));
    let results = [seen[1].results.as_slice(), &seen[2].results].concat();
    assert_eq!(results.len(), 3);
    for result in &results {
        let status = result["status"].as_str().unwrap();
        assert!(["ok", "applied"].contains(&status), "{result:#}");
    }
    let session = desk.session();
    assert_eq!(session.sources.len(), 2);
    assert_eq!(session.clips.len(), 2);
    assert_parts_are_found(&session);
    assert_findings(&session, &results[2]);
}

/// Where the tone changes, and where it comes back after the silence, a part begins: to half a second.
fn assert_parts_are_found(session: &Session) {
    let clip = |name: &str| session.clips.values().find(|clip| clip.name == name).unwrap();
    let starts: Vec<i64> = session.markers.values().map(|marker| marker.position.0).collect();
    for (name, at) in [("one", 4.0), ("two", 3.5)] {
        let meant = clip(name).position.0 + (at * RATE) as i64;
        let is_near = |start: &i64| (start - meant).abs() as f64 <= 0.55 * RATE;
        assert!(starts.iter().any(is_near), "no part of {name} begins at {at} s: {starts:?}");
    }
    assert!(session.markers.values().all(|marker| marker.length > Frames::ZERO));
}

/// Each file has its own findings, in the session and for the model.
fn assert_findings(session: &Session, result: &serde_json::Value) {
    let found = |name: &str, fact: &str| {
        let clip = session.clips.values().find(|clip| clip.name == name).unwrap();
        let segments = session.segments.values().filter(|it| it.source == clip.source);
        let mut facts = segments.map(|it| serde_json::to_value(&it.description).unwrap());
        facts.find_map(|facts| facts.get(fact).map(|fact| fact["value"].clone())).unwrap()
    };
    for (name, tones) in [("one", [220.0, 880.0]), ("two", [330.0, 1_320.0])] {
        let brightness = found(name, "brightness").as_f64().unwrap();
        assert!((tones[0]..tones[1]).contains(&brightness), "{name} is bright at {brightness} Hz");
        assert!(found(name, "content").is_string() && found(name, "problem_count").is_number());
    }
    let told = result["summary"].as_str().unwrap();
    assert!(
        told.contains("\"one\"") && told.contains("\"two\"") && told.contains("parts"),
        "{told}"
    );
}
