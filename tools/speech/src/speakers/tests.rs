//! Names from text, and microphones that hear each other.

use super::{By, one_voice};
use crate::testing::desk_at;
use crate::turns::Count;
use deskhand_dsp::Frames;
use deskhand_session::{Code, CodeId, Segment, SegmentId, SourceId, Word};
use deskhand_toolkit::testing::Desk;
use serde_json::json;

const SECOND: i64 = 48_000;

fn say(desk: &mut Desk, source: SourceId, second: i64, text: &str) -> SegmentId {
    let id = SegmentId::new(desk.session.segments.len() as u64 + 1);
    let (start, end) = (Frames(second * SECOND), Frames((second + 1) * SECOND));
    let words =
        text.split(' ').map(|word| Word { text: word.into(), start, end, confidence: None });
    let segment = Segment { words: words.collect(), ..Segment::new(source, start, end - start) };
    desk.session.segments.insert(id, segment);
    id
}

fn speaker(desk: &Desk, id: SegmentId) -> Option<&str> {
    desk.session.segments[&id].speaker.as_deref()
}

#[test]
fn one_voice_that_was_found_alone_is_told_with_the_way_to_say_how_many() {
    let said = |name: &str| {
        let segment = Segment::new(SourceId::new(1), Frames(0), Frames(SECOND));
        Segment { speaker: Some(name.into()), ..segment }
    };
    let all = |names: &[&str]| -> Vec<(SegmentId, Segment)> {
        (1..).map(SegmentId::new).zip(names.iter().map(|name| said(name))).collect()
    };
    let one = all(&["Speaker 1", "Speaker 1"]);
    let told = one_voice(By::Sound(Count::Found), &one).unwrap();
    assert!(told.contains("only one voice") && told.contains("--count 2"), "{told}");
    assert_eq!(one_voice(By::Sound(Count::Given(1)), &one), None, "it was said");
    assert_eq!(one_voice(By::Track, &one), None);
    assert_eq!(one_voice(By::Sound(Count::Found), &all(&["Speaker 1", "Speaker 2"])), None);
    assert_eq!(one_voice(By::Sound(Count::Found), &all(&["Speaker 1"])), None);
}

#[test]
fn names_are_taken_out_of_the_text_and_hold_until_the_next() {
    for (first, second) in [
        ("Ann Lee: good day", "Bo: hi"),
        ("[Ann Lee] good day", "[Bo]: hi"),
        ("{Ann Lee} good day", "{Bo} hi"),
    ] {
        let mut desk = desk_at(48_000);
        let source = desk.recording("talk.wav", 10 * SECOND);
        desk.clip_of("Talk", source, [0, 10 * SECOND, 0]);
        let ids = [first, "it is warm today", second].into_iter().zip(0..);
        let ids: Vec<_> = ids.map(|(text, at)| say(&mut desk, source, at, text)).collect();
        let draft = desk.call("tool_mark_speakers", json!({"targets": "Talk"})).unwrap();
        assert_eq!(draft.summary, "Name the speakers of 3 phrases: Ann Lee, Bo", "{first}");
        desk.apply(&draft);
        assert_eq!(
            ids.iter().map(|id| speaker(&desk, *id)).collect::<Vec<_>>(),
            [Some("Ann Lee"), Some("Ann Lee"), Some("Bo")]
        );
        assert_eq!(desk.session.segments[&ids[0]].words.len(), 2);
    }
}

#[test]
fn the_codes_of_speakers_are_those_that_are_there_in_any_case() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 10 * SECOND);
    desk.clip_of("Talk", source, [0, 10 * SECOND, 0]);
    say(&mut desk, source, 0, "Ann: good day");
    say(&mut desk, source, 1, "Bo: hi");
    let parent = CodeId::new(1);
    let ann = Code { parent: Some(parent), ..Code::new("ANN") };
    desk.session.codes.extend([(parent, Code::new("speakers")), (CodeId::new(2), ann)]);
    let params = json!({"targets": "Talk", "codes": "make"});
    let draft = desk.call("tool_mark_speakers", params).unwrap();
    desk.apply(&draft);
    let mut names: Vec<&str> = desk.session.codes.values().map(|code| code.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["ANN", "Bo", "speakers"]);
}

/// A second of this level.
fn buzz(level: f32) -> impl Iterator<Item = f32> {
    (0..SECOND).map(move |n| if n % 2 == 0 { level } else { -level })
}

#[test]
fn a_phrase_belongs_to_the_microphone_that_hears_it_loudest() {
    let mut desk = desk_at(48_000);
    let host = desk.recording("host.wav", 4 * SECOND);
    let guest = desk.recording("guest.wav", 4 * SECOND);
    desk.clip_of("Host", host, [0, 4 * SECOND, 0]);
    desk.clip_of("Guest", guest, [0, 4 * SECOND, 0]);
    // Each hears the other 20 dB lower; the guest's microphone is turned up by 12 dB.
    let loud = |talks: [bool; 4], gain: f32| -> Vec<f32> {
        let level = |talks: bool| if talks { gain } else { gain / 10.0 };
        talks.iter().flat_map(|talks| buzz(level(*talks))).collect()
    };
    // An offset makes no microphone louder.
    let host_hears = loud([true, true, false, true], 0.1);
    desk.sound(host, host_hears.into_iter().map(|sample| sample + 0.3).collect());
    desk.sound(guest, loud([false, false, true, false], 0.4));
    let own = say(&mut desk, host, 0, "welcome");
    say(&mut desk, host, 1, "to this");
    let bleed = say(&mut desk, host, 2, "thanks");
    say(&mut desk, host, 3, "so");
    let answer = say(&mut desk, guest, 2, "thanks");
    let draft = desk.call("tool_mark_speakers", json!({"targets": ["Host", "Guest"]})).unwrap();
    desk.apply(&draft);
    assert_eq!(speaker(&desk, own), Some("Host"));
    assert_eq!(speaker(&desk, answer), Some("Guest"));
    assert_eq!(speaker(&desk, bleed), Some("Guest"));
    assert_eq!(desk.session.segments[&bleed].description.facts["bleed_of"].value, json!("Guest"));
    let params = json!({"targets": ["Host", "Guest"], "codes": "make"});
    let draft = desk.call("tool_mark_speakers", params).unwrap();
    desk.apply(&draft);
    let coded = desk.session.segments.values().filter(|segment| !segment.codings.is_empty());
    let mut turns: Vec<_> = coded
        .map(|it| {
            (it.start.0 / SECOND, it.end().0 / SECOND, it.speaker.clone().unwrap(), it.source)
        })
        .collect();
    turns.sort();
    let turn = |start, end, name: &str, source| (start, end, name.to_owned(), source);
    let said = [turn(0, 2, "Host", host), turn(2, 3, "Guest", guest), turn(3, 4, "Host", host)];
    assert_eq!(turns, said, "what a microphone hears of another is nobody's turn");
}

#[test]
fn who_speaks_seldom_is_not_given_what_their_microphone_heard_of_another() {
    for guest_says in [1, 2] {
        let mut desk = desk_at(48_000);
        let host = desk.recording("host.wav", 10 * SECOND);
        let guest = desk.recording("guest.wav", 10 * SECOND);
        desk.clip_of("Host", host, [0, 10 * SECOND, 0]);
        desk.clip_of("Guest", guest, [0, 10 * SECOND, 0]);
        let is_guest = |second: i64| second >= 10 - guest_says;
        let sound = |level: &dyn Fn(bool) -> f32| -> Vec<f32> {
            (0..10).flat_map(|second| buzz(level(is_guest(second)))).collect()
        };
        desk.sound(host, sound(&|is_guest| if is_guest { 0.02 } else { 0.2 }));
        desk.sound(guest, sound(&|is_guest| if is_guest { 0.2 } else { 0.02 }));
        for second in 0..10 {
            for source in [host, guest] {
                say(&mut desk, source, second, "so it is");
            }
        }
        let draft = desk.call("tool_mark_speakers", json!({"targets": ["Host", "Guest"]})).unwrap();
        desk.apply(&draft);
        for segment in desk.session.segments.values() {
            let is_guest = is_guest(segment.start.0 / SECOND);
            let owner = if is_guest { "Guest" } else { "Host" };
            assert_eq!(segment.speaker.as_deref(), Some(owner), "{guest_says}: {segment:?}");
            assert_eq!(segment.is_bleed(), is_guest != (segment.source == guest));
        }
    }
}

#[test]
fn the_track_of_an_edit_is_no_microphone() {
    let mut desk = desk_at(48_000);
    let [host, guest] = ["host.wav", "guest.wav"].map(|name| desk.recording(name, 4 * SECOND));
    // The edit plays the guest first; its clips start before those of the recordings.
    desk.clip_of("Host (assembly)", host, [0, 2 * SECOND, SECOND]);
    desk.clip_of("Guest (assembly)", guest, [2 * SECOND, SECOND, 0]);
    for (name, source) in [("Host", host), ("Guest", guest)] {
        let recording = desk.clip_of(name, source, [0, 4 * SECOND, 0]);
        let track = desk.session.clips[&recording].track;
        desk.session.tracks.get_mut(&track).unwrap().mute = true;
    }
    let sound = |talks: [bool; 4]| -> Vec<f32> {
        let level = |talks: &bool| if *talks { 0.3 } else { 0.03 };
        talks.iter().flat_map(|talks| vec![level(talks); SECOND as usize]).collect()
    };
    desk.sound(host, sound([true, true, false, true]));
    desk.sound(guest, sound([false, false, true, false]));
    let own = [0, 1, 3].map(|second| say(&mut desk, host, second, "welcome"));
    let answer = say(&mut desk, guest, 2, "thanks");
    let params = json!({"targets": ["host.wav", "guest.wav"], "codes": "make"});
    let draft = desk.call("tool_mark_speakers", params).unwrap();
    assert_eq!(draft.answer.as_ref().unwrap()["speakers_detected"], json!(["Guest", "Host"]));
    desk.apply(&draft);
    assert!(own.iter().all(|id| speaker(&desk, *id) == Some("Host")));
    assert_eq!(speaker(&desk, answer), Some("Guest"));
    let coded = desk.session.segments.values().filter(|segment| !segment.codings.is_empty());
    let mut turns: Vec<_> = coded.map(|it| (it.start.0 / SECOND, it.end().0 / SECOND)).collect();
    turns.sort_unstable();
    assert_eq!(turns, [(0, 2), (2, 3), (3, 4)], "the guest's answer ends the host's turn");
}

#[test]
fn one_recording_and_its_edit_are_not_two_speakers() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 4 * SECOND);
    desk.clip_of("Talk", source, [0, 4 * SECOND, 0]);
    desk.clip_of("Talk (assembly)", source, [SECOND, 2 * SECOND, 0]);
    for second in 0..4 {
        say(&mut desk, source, second, "so it is");
    }
    let error = desk.call("tool_mark_speakers", json!({"targets": "talk.wav"})).unwrap_err();
    assert!(error.to_string().starts_with("the phrases are of one track"), "{error}");
    let by_track = json!({"targets": "talk.wav", "speaker_format": "track"});
    let draft = desk.call("tool_mark_speakers", by_track).unwrap();
    assert_eq!(draft.answer.unwrap()["speakers_detected"], json!(["Talk"]));
}

#[test]
fn a_phrase_whose_first_word_is_cut_into_is_of_the_track_that_plays_the_rest() {
    let mut desk = desk_at(48_000);
    let [host, guest] = ["host.wav", "guest.wav"].map(|name| desk.recording(name, 4 * SECOND));
    desk.clip_of("Host", host, [SECOND / 4, 2 * SECOND, 0]);
    desk.clip_of("Guest", guest, [2 * SECOND, 2 * SECOND, 7 * SECOND / 4]);
    desk.sound(host, vec![0.3; 4 * SECOND as usize]);
    desk.sound(guest, vec![0.3; 4 * SECOND as usize]);
    let own = [0, 1].map(|second| say(&mut desk, host, second, "welcome"));
    let answers = [2, 3].map(|second| say(&mut desk, guest, second, "thanks"));
    let targets = json!({"targets": ["Host", "Guest"], "speaker_format": "track"});
    let draft = desk.call("tool_mark_speakers", targets).unwrap();
    assert_eq!(draft.answer.as_ref().unwrap()["phrases"], 4);
    desk.apply(&draft);
    assert!(own.iter().all(|id| speaker(&desk, *id) == Some("Host")));
    assert!(answers.iter().all(|id| speaker(&desk, *id) == Some("Guest")));
}

#[test]
fn without_names_and_tracks_it_says_so() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 4 * SECOND);
    desk.clip_of("Talk", source, [0, 4 * SECOND, 0]);
    let call = |desk: &Desk| {
        desk.call("tool_mark_speakers", json!({"targets": "Talk"})).unwrap_err().to_string()
    };
    assert!(call(&desk).starts_with("nothing is written down there yet"));
    say(&mut desk, source, 0, "one thing: it rains");
    assert!(call(&desk).contains("names no speakers"), "{}", call(&desk));
    let bracket = json!({"targets": "Talk", "speaker_format": "bracket"});
    let refused = desk.call("tool_mark_speakers", bracket).unwrap_err().to_string();
    assert!(refused.contains("nobody is named") && refused.contains("[Name]"), "{refused}");
    desk.session.segments.values_mut().for_each(|one| one.speaker = Some("Ann".into()));
    let draft =
        desk.call("tool_mark_speakers", json!({"targets": "Talk", "codes": "make"})).unwrap();
    assert_eq!(draft.summary, "The speakers are named already: Ann, and code their turns");
    let answer = draft.answer.unwrap();
    assert_eq!(answer["speakers_detected"], json!(["Ann"]));
    assert_eq!(answer["codes_created"].as_array().unwrap().len(), 2);
}

/// Phrases in turn with their speakers, marked as nobody said how.
fn auto(said: &[(Option<&str>, &str)]) -> Result<Vec<(Option<String>, String)>, String> {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 60 * SECOND);
    desk.clip_of("Talk", source, [0, 60 * SECOND, 0]);
    for ((speaker, text), at) in said.iter().zip(0..) {
        let id = say(&mut desk, source, at, text);
        desk.session.segments.get_mut(&id).unwrap().speaker = speaker.map(str::to_owned);
    }
    let draft = desk.call("tool_mark_speakers", json!({"targets": "Talk"}));
    desk.apply(&draft.map_err(|error| error.to_string())?);
    Ok(desk.session.segments.values().map(|it| (it.speaker.clone(), it.text())).collect())
}

#[test]
fn who_is_named_already_keeps_the_name_unless_a_format_is_given() {
    let (ann, ben) = (Some("Ann"), Some("Ben"));
    let said = [(ann, "Listen: so"), (ben, "Look: here"), (ann, "Fine")];
    let kept = said.map(|(name, text)| (name.map(str::to_owned), text.to_owned()));
    assert_eq!(auto(&said).unwrap(), kept);
    let said = [(None, "Cleo: hi"), (ann, "Listen: so"), (None, "go on"), (None, "Cleo: yes")];
    let marked = auto(&said).unwrap();
    let told: Vec<_> = marked.iter().map(|(name, text)| (name.as_deref(), text.as_str())).collect();
    let cleo = Some("Cleo");
    assert_eq!(told, [(cleo, "hi"), (ann, "Listen: so"), (ann, "go on"), (cleo, "yes")]);
}

#[test]
fn a_name_is_one_however_it_is_written() {
    let said =
        [(None, "Anna: hi"), (None, "ANNA: yes we do"), (None, "Ben:oh well"), (None, "anna: no")];
    let marked = auto(&said).unwrap();
    let told: Vec<_> = marked.iter().map(|(name, text)| (name.as_deref(), text.as_str())).collect();
    // A name begins with a capital.
    let (anna, ben) = (Some("Anna"), Some("Ben"));
    assert_eq!(told, [(anna, "hi"), (anna, "yes we do"), (ben, "oh well"), (ben, "anna: no")]);
}

#[test]
fn a_convention_is_found_out_where_a_share_of_the_phrases_follows_it() {
    let once = [(None, "welcome"), (None, "Listen: so"), (None, "go on")];
    assert!(auto(&once).unwrap_err().contains("names no speakers"));
    let mut seldom = vec![(None, "so it is"); 20];
    seldom.extend([(None, "Listen: so"), (None, "Look: here")]);
    assert!(auto(&seldom).unwrap_err().contains("names no speakers"));
    for sounds in [["[Music] we go on", "[BLANK_AUDIO] so"], ["[Laughter] no", "[applause] oh"]] {
        let sounds = sounds.map(|text| (None, text));
        assert!(auto(&sounds).unwrap_err().contains("names no speakers"), "{sounds:?}");
    }
}

#[test]
fn speakers_become_codes_and_each_turn_is_coded_once() {
    let mut desk = desk_at(48_000);
    let source = desk.recording("talk.wav", 10 * SECOND);
    desk.clip_of("Talk", source, [0, 10 * SECOND, 0]);
    for (text, at) in
        ["Ann: good day", "it is warm", "Bo: hi there", "Ann: so"].into_iter().zip(0..)
    {
        say(&mut desk, source, at, text);
    }
    let params = json!({"targets": "Talk", "speaker_format": "colon", "codes": "make"});
    let draft = desk.call("tool_mark_speakers", params.clone()).unwrap();
    let answer = draft.answer.clone().unwrap();
    assert_eq!(answer["speakers_detected"], json!(["Ann", "Bo"]));
    assert_eq!(answer["codes_created"].as_array().unwrap().len(), 3);
    desk.apply(&draft);
    let names: Vec<&str> = desk.session.codes.values().map(|code| code.name.as_str()).collect();
    assert!(names.contains(&"Speakers") && names.contains(&"Ann") && names.contains(&"Bo"));
    let coded = |desk: &Desk| {
        let mut coded: Vec<(i64, i64, String)> = desk
            .session
            .segments
            .values()
            .filter(|segment| !segment.codings.is_empty())
            .map(|segment| {
                assert_eq!(
                    Some(segment.codings[0].batch.as_deref()),
                    Some(answer["batch_id"].as_str())
                );
                let code = &desk.session.codes[&segment.codings[0].code];
                assert!(code.parent.is_some() && segment.words.is_empty());
                (segment.start.0 / SECOND, segment.end().0 / SECOND, code.name.clone())
            })
            .collect();
        coded.sort();
        coded
    };
    let turns = [(0, 2, "Ann".into()), (2, 3, "Bo".into()), (3, 4, "Ann".into())];
    assert_eq!(coded(&desk), turns);
    let again = json!({"targets": "Talk", "speaker_format": "colon", "codes": "make"});
    let draft = desk.call("tool_mark_speakers", again).unwrap();
    assert_eq!(draft.changes.len(), 0, "nothing is made twice");
}
