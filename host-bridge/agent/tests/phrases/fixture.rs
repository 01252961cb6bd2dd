//! The session that the phrases speak about.

use deskhand_agent::{Reading, Vocabulary};
use deskhand_dsp::effects::{Band, BandShape, Effect, Equalizer};
use deskhand_dsp::{Decibels, Fade, Frames, SampleRate};
use deskhand_protocol::ToolInfo;
use deskhand_session::{
    Assembly, Clip, ClipId, Code, CodeId, Coding, ContentHash, Duplicates, Fact, Group, GroupId,
    InsertId, InsertOwner, Marker, MarkerId, Media, Phrase, PhraseId, PlacedInsert, Segment,
    SegmentId, Selection, Session, SessionId, Source, SourceId, Switch, TimeRange, Track, TrackId,
    Word,
};
use serde_json::json;
use std::sync::{Arc, LazyLock};

const RATE: i64 = 48_000;

/// What the tools say of themselves.
pub(crate) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let tools: Vec<ToolInfo> = serde_json::from_str(include_str!("../vocabulary.json")).unwrap();
    Vocabulary::of(&tools)
});

/// Words as they are read where those tools are there.
pub(crate) fn plan_words(words: &str, session: &Session) -> Reading {
    deskhand_agent::plan_words(words, session, &VOCABULARY)
}

/// Track name, and its clips: name, start and end in seconds.
type Row = (&'static str, &'static [(&'static str, i64, i64)]);

const TRACKS: [Row; 11] = [
    ("Lead Vocal", &[("Take 1", 0, 30), ("Take 2", 30, 60), ("Take 3", 60, 90)]),
    ("Backing Vox", &[("Harmony", 30, 60)]),
    ("Kick", &[("Kick_01", 0, 90)]),
    ("Snare", &[("Snare_01", 0, 90)]),
    ("Overheads", &[("OH_01", 0, 90)]),
    ("Bass DI", &[("Bass_01", 0, 90)]),
    ("Guitar L", &[("Gtr L intro", 0, 20), ("Gtr L verse", 20, 80)]),
    ("Guitar R", &[("Gtr R intro", 0, 20), ("Gtr R verse", 20, 80)]),
    ("Host mic", &[("Interview A", 0, 40), ("Interview B", 40, 90)]),
    ("Guest mic", &[("Guest answers", 10, 85)]),
    ("Music bed", &[("Bed loop", 0, 90)]),
];

fn add_track(session: &mut Session, row: &Row) -> TrackId {
    let id = TrackId::new(session.tracks.len() as u64 + 1);
    session.tracks.insert(id, Track::audio(row.0));
    session.track_order.push(id);
    for (name, start, end) in row.1 {
        let clip = Clip {
            name: (*name).into(),
            track: id,
            source: SourceId::new(1),
            start: Frames::ZERO,
            length: Frames((end - start) * RATE),
            position: Frames(start * RATE),
            gain: deskhand_dsp::Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Default::default(),
            mute: false,
        };
        session.clips.insert(ClipId::new(session.clips.len() as u64 + 1), clip);
    }
    id
}

fn add_marker(session: &mut Session, name: &str, at: i64, length: i64) {
    let marker = Marker {
        name: name.into(),
        position: Frames(at * RATE),
        length: Frames(length * RATE),
        code: None,
    };
    session.markers.insert(MarkerId::new(session.markers.len() as u64 + 1), marker);
}

fn empty() -> Session {
    Session::new(SessionId::new(1), SampleRate(48_000))
}

/// The session, with clip "Take 2" selected.
pub(crate) fn session() -> Session {
    let mut session = empty();
    let ids: Vec<TrackId> = TRACKS.iter().map(|row| add_track(&mut session, row)).collect();
    let bus = TrackId::new(12);
    session.tracks.insert(bus, Track::bus("Drum bus"));
    session.track_order.push(bus);
    add_marker(&mut session, "Intro", 0, 0);
    add_marker(&mut session, "Verse", 15, 0);
    add_marker(&mut session, "Chorus", 45, 15);
    let rhythm = Group { name: "Rhythm".into(), tracks: vec![ids[2], ids[3], ids[5]] };
    session.groups.insert(GroupId::new(1), rhythm);
    session.selection = Selection { clips: vec![ClipId::new(2)], ..Selection::default() };
    session
}

/// What is said in the recording: speaker, first and last second, words.
const SAID: [(&str, i64, i64, &str); 7] = [
    ("Host", 0, 3, "Welcome to the show."),
    ("Host", 3, 7, "Today we talk about the budget."),
    ("Host", 8, 12, "Today we, um, talk about a budget."),
    ("Guest", 12, 18, "The price went up, and money is short."),
    ("Host", 18, 20, "What does it cost?"),
    ("Host", 20, 24, "Goodbye and thank you."),
    ("Guest", 24, 26, "Is this thing on?"),
];

fn segment((speaker, start, end, text): (&str, i64, i64, &str)) -> Segment {
    let word = |text: &str| Word {
        text: text.into(),
        start: Frames(start * RATE),
        end: Frames(end * RATE),
        confidence: Some(0.9),
    };
    Segment {
        speaker: Some(speaker.into()),
        words: text.split(' ').map(word).collect(),
        ..Segment::new(SourceId::new(1), Frames(start * RATE), Frames((end - start) * RATE))
    }
}

/// Tracks of which analysis wrote down what they are, whatever they are called; of the last one nothing is known.
fn classified() -> Session {
    let mut session = empty();
    let known = [("01", "speech"), ("02", "music"), ("Guest", "music"), ("Bed", "speech")];
    for (number, (name, content)) in (1..).zip(known.into_iter().chain([("Host", "")])) {
        let row: Row = (name, &[("take", 0, 90)]);
        let track = add_track(&mut session, &row);
        let source = SourceId::new(number);
        for clip in session.clips.values_mut().filter(|clip| clip.track == track) {
            clip.source = source;
        }
        let mut segment = Segment::new(source, Frames::ZERO, Frames(90 * RATE));
        let fact = Fact { value: content.into(), unit: None, confidence: None, by: "test".into() };
        segment.description.facts.insert("content".into(), fact);
        if !content.is_empty() {
            session.segments.insert(SegmentId::new(number), segment);
        }
    }
    session
}

/// The file of a recording.
fn source(name: &str) -> Source {
    Source {
        name: name.into(),
        hash: ContentHash("0".repeat(64)),
        path: format!("/audio/{name}"),
        size: 1,
        modified_ns: 0,
        format: "WAV 24 bit".into(),
        rate: SampleRate(48_000),
        channels: 1,
        channel: None,
        frames: Frames(90 * RATE),
        origin: None,
        same_sound: Vec::new(),
        media: Media::InPlace,
    }
}

/// Writes down what is said in a recording, each line a phrase.
fn write_down(session: &mut Session, name: &str, said: &[(&str, i64, i64, &str)]) {
    session.sources.insert(SourceId::new(1), source(name));
    for (number, said) in (1..).zip(said) {
        session.segments.insert(SegmentId::new(number), segment(*said));
        let phrase = Phrase { segments: vec![SegmentId::new(number)] };
        session.phrases.insert(PhraseId::new(number), phrase);
    }
}

/// The session with a recording that is transcribed, a codebook, and phrases in order; the last is removed.
pub(crate) fn spoken() -> Session {
    let mut session = session();
    write_down(&mut session, "interview.wav", &SAID);
    for (number, name) in (1..).zip(["Budget", "Cost", "Money", "Laughter"]) {
        session.codes.insert(CodeId::new(number), Code::new(name));
    }
    session.assembly = Assembly {
        order: (1..7).map(PhraseId::new).collect(),
        removed: vec![PhraseId::new(7)],
        ..Assembly::default()
    };
    session
}

/// The name of the track on which the edit plays.
const ASSEMBLY: &str = "Host mic (assembly)";

/// The same with its phrases laid out, one behind the other.
fn laid(order: &[u64]) -> Session {
    let mut session = spoken();
    lay_out(&mut session, ASSEMBLY, order);
    session
}

/// Lays phrases on a new track, one behind the other.
fn lay_out(session: &mut Session, track_name: &str, order: &[u64]) {
    session.assembly.order = order.iter().copied().map(PhraseId::new).collect();
    let track = TrackId::new(13);
    session.tracks.insert(track, Track::audio(track_name));
    session.track_order.push(track);
    let mut position = Frames::ZERO;
    for (number, phrase) in (100..).zip(session.assembly.order.clone()) {
        let spoken = session.spoken(phrase).unwrap();
        let length = spoken.end - spoken.start;
        let clip = Clip {
            name: session.name_of(phrase.into()),
            track,
            source: spoken.source,
            start: spoken.start,
            length,
            position,
            ..session.clips[&ClipId::new(1)].clone()
        };
        session.clips.insert(ClipId::new(number), clip);
        position += length;
    }
}

/// What is said in a show of one voice, with five takes of one line.
const SHOW: [(&str, i64, i64, &str); 9] = [
    ("Anna", 0, 2, "Welcome to the garden show."),
    ("Anna", 2, 7, "Today we talk about tomatoes and the budget of a small green house."),
    ("Anna", 7, 10, "The first rule of tomatoes is water."),
    ("Anna", 11, 14, "The first rule to make of this water in the morning."),
    ("Anna", 15, 19, "The first rule of tomatoes is water in the morning, never at night."),
    ("Anna", 20, 26, "The first rule of tomatoes is, um, water in the morning, never at night."),
    ("Anna", 26, 31, "The first rule of tomatoes is water in the morning ever at night."),
    ("Anna", 31, 35, "The money for a greenhouse is about 400 dollars."),
    ("Anna", 35, 38, "Thank you for listening and see you next week."),
];

/// A show of one track that was laid out: of phrases 3 to 7, which are takes, the last plays, and phrase 8 is removed.
fn show() -> Session {
    let mut session = empty();
    add_track(&mut session, &("show", &[("show", 0, 38)]));
    write_down(&mut session, "show.wav", &SHOW);
    lay_out(&mut session, "show (assembly)", &[1, 2, 7, 9]);
    session.assembly.removed = vec![PhraseId::new(8)];
    let takes: Vec<PhraseId> = (3..=7).map(PhraseId::new).collect();
    let phrase = SHOW[6].3.to_owned();
    let chosen = PhraseId::new(7);
    session.assembly.duplicates =
        vec![Duplicates { phrase, chosen, takes, reason: "as asked".into() }];
    session
}

/// Takes of one phrase, of which the first plays.
fn duplicates(takes: &[u64]) -> Duplicates {
    let first = usize::try_from(takes[0]).unwrap();
    let takes: Vec<PhraseId> = takes.iter().copied().map(PhraseId::new).collect();
    let phrase = SAID[first - 1].3.to_owned();
    Duplicates { phrase, chosen: takes[0], takes, reason: String::new() }
}

/// The session with phrases 3 and 4 coded, and a memo on what phrase 4 says.
fn coded() -> Session {
    let mut session = spoken();
    let code = |number| Coding::new(CodeId::new(number), None);
    for (number, from, to, codes) in [(0x21, 8, 12, &[1, 3][..]), (0x22, 12, 18, &[3])] {
        let codings = codes.iter().copied().map(code).collect();
        let (start, length) = (Frames(from * RATE), Frames((to - from) * RATE));
        let segment = Segment { codings, ..Segment::new(SourceId::new(1), start, length) };
        session.segments.insert(SegmentId::new(number), segment);
    }
    session.memos.insert(SegmentId::new(4).into(), "it is rumor".into());
    session
}

/// Three recordings with a track each, of which something is written down; one speaker is known by number.
fn recordings() -> Session {
    let rows: [Row; 3] = [
        ("Interview 1", &[("Interview 1", 0, 30)]),
        ("Interview 2", &[("Interview 2", 0, 30)]),
        ("micA", &[("micA", 0, 30)]),
    ];
    let mut session = empty();
    for (number, row) in (1..).zip(rows) {
        let (name, track) = (row.0, add_track(&mut session, &row));
        let id = SourceId::new(number);
        session.sources.insert(id, source(&format!("{name}.wav")));
        for clip in session.clips.values_mut().filter(|clip| clip.track == track) {
            clip.source = id;
        }
        let said = segment(("Speaker 1", 0, 3, "The money is short."));
        session.segments.insert(SegmentId::new(number), Segment { source: id, ..said });
    }
    for (number, name) in (1..).zip(["Budget", "Money"]) {
        session.codes.insert(CodeId::new(number), Code::new(name));
    }
    session
}

/// One recording alone on its track, with one speaker and an edit that has not begun.
fn single_said() -> Session {
    let mut session = spoken();
    let source = session.sources.clone();
    let mut segments = session.segments.clone();
    segments.values_mut().for_each(|segment| segment.speaker = Some("Speaker 1".into()));
    session = empty();
    add_track(&mut session, &("Talk", &[("Talk", 0, 90)]));
    (session.sources, session.segments) = (source, segments);
    session
}

/// An equalizer that cuts below 120 Hz.
fn low_cut(track: TrackId) -> PlacedInsert {
    let shape = BandShape::LowCut;
    let band = Band { shape, frequency_hz: 120.0, gain: Decibels::UNITY, q: 0.7 };
    PlacedInsert {
        on: InsertOwner::Track(track),
        index: 0,
        switch: Switch::default(),
        effect: Effect::Equalizer(Equalizer { bands: vec![band] }),
    }
}

/// The session of a variant: `none`, `tracks`, `single`, `pieces`, `unplaced`, a time on the left guitar that is selected
/// (`ranged`), a low cut on the bass (`filtered`), or one of words with some of them selected (`words`), time alone
/// (`time`) or nothing (`silent`); of edits one that is laid out (`laid`), in another
/// order (`mixed`), with takes of one phrase (`takes`) or two (`sets`), with two phrases removed (`gone`); a `show` of
/// one track; phrases that are `coded`, with words selected (`coded-words`); several `recordings`; a
/// source without the ending of its file (`single-file`); codes called by letters (`ab`), or two of one name (`fires`);
/// an edit of two `voices` that no track is called after.
// tidy: table
pub(crate) fn variant(name: &str) -> Session {
    let mut session = session();
    match name {
        "spoken" => session = spoken(),
        "words" => {
            session = spoken();
            let range = TimeRange { start: Frames(43 * RATE), end: Frames(45 * RATE) };
            session.selection.range = Some(range);
        }
        "time" => {
            session = spoken();
            let range = TimeRange { start: Frames(2 * RATE), end: Frames(4 * RATE) };
            session.selection = Selection { range: Some(range), ..Selection::default() };
        }
        "silent" => {
            session = spoken();
            session.selection = Selection::default();
        }
        "none" => session.selection = Selection::default(),
        "ardour" => {
            let host = json!({"program": "Ardour", "path": "/song.ardour", "hash": ""});
            session.host = Some(Arc::new(serde_json::from_value(host).unwrap()));
        }
        "ranged" => {
            let range = TimeRange { start: Frames(600_000), end: Frames(1_108_800) };
            let tracks = vec![TrackId::new(7)];
            session.selection = Selection { tracks, range: Some(range), ..Selection::default() };
        }
        "filtered" => {
            session.inserts.insert(InsertId::new(1), low_cut(TrackId::new(6)));
        }
        "tracks" => {
            let tracks = vec![TrackId::new(3), TrackId::new(4)];
            session.selection = Selection { tracks, ..Selection::default() };
        }
        "clicked" => {
            // A click on a clip selects its track with it.
            let (tracks, clips) = (vec![TrackId::new(1)], vec![ClipId::new(2)]);
            session.selection = Selection { tracks, clips, range: None };
        }
        "single" => {
            session = empty();
            add_track(&mut session, &("Episode 12", &[("Episode 12", 0, 600)]));
        }
        "pieces" => {
            session = empty();
            add_track(&mut session, &("Talk", &[("Question", 0, 10), ("Answer", 10, 25)]));
        }
        "muted" => {
            session = empty();
            add_track(&mut session, &("Host", &[("Host", 0, 30)]));
            add_track(&mut session, &("Guest", &[("Guest", 0, 30)]));
            add_track(&mut session, &("Bed", &[("Bed", 0, 30)]));
            session.tracks.values_mut().filter(|it| it.name == "Bed").for_each(|it| it.mute = true);
        }
        "laid" => session = laid(&[1, 2, 3, 4, 5, 6]),
        "mixed" => session = laid(&[4, 6, 1, 3, 2, 5]),
        "takes" => {
            session = laid(&[1, 2, 4, 5, 6]);
            session.assembly.duplicates = vec![duplicates(&[2, 3])];
        }
        "sets" => {
            session = laid(&[1, 2, 4]);
            session.assembly.duplicates = vec![duplicates(&[2, 3]), duplicates(&[1, 5, 6])];
        }
        "gone" => {
            session = laid(&[1, 2, 3, 4, 6]);
            session.assembly.removed.push(PhraseId::new(5));
        }
        "show" => session = show(),
        "coded" => session = coded(),
        "coded-words" => {
            session = coded();
            let range = TimeRange { start: Frames(43 * RATE), end: Frames(45 * RATE) };
            session.selection.range = Some(range);
        }
        "recordings" => session = recordings(),
        "single-file" => {
            // A source is called like its file, without the ending.
            session = single_said();
            let source = session.sources.values_mut().next().unwrap();
            (source.name, source.path) = ("talk".into(), "/audio/talk.wav".into());
            session.codes.insert(CodeId::new(1), Code::new("Budget"));
        }
        "ab" => {
            session = spoken();
            session.codes.clear();
            for (number, name) in (1..).zip(["A", "B"]) {
                session.codes.insert(CodeId::new(number), Code::new(name));
            }
        }
        "fires" => {
            session = spoken();
            let parent = Some(CodeId::new(1));
            session.codes.insert(CodeId::new(5), Code::new("Fire"));
            session.codes.insert(CodeId::new(6), Code { parent, ..Code::new("Fire") });
        }
        "classified" => session = classified(),
        "single-said" => session = single_said(),
        "voices" => {
            session = laid(&[1, 2, 3, 4, 5, 6]);
            for segment in session.segments.values_mut() {
                let is_host = segment.speaker.as_deref() == Some("Host");
                let name = if is_host { "Anna" } else { "Ben" };
                segment.speaker = Some(name.into());
            }
        }
        "unplaced" => {
            session = spoken();
            session.clips.clear();
        }
        other => panic!("no such variant: {other}"),
    }
    session
}

/// Another session, with abbreviated names, microphone pairs and nothing selected.
pub(crate) fn band() -> Session {
    let mut session = empty();
    let rows: [Row; 14] = [
        ("speech_librivox", &[("speech_librivox", 0, 30)]),
        ("BD In", &[("BD In", 0, 30)]),
        ("BD Out", &[("BD Out", 0, 30)]),
        ("SN Top", &[("SN Top", 0, 30)]),
        ("OH L", &[("OH L", 0, 30)]),
        ("OH R", &[("OH R", 0, 30)]),
        ("Bass DI", &[("Bass DI", 0, 30)]),
        ("Bass Amp", &[("Bass Amp", 0, 30)]),
        ("Gtr Amp", &[("Gtr Amp.01", 0, 10), ("Gtr Amp.02", 10, 30)]),
        ("Rhodes", &[("Rhodes", 0, 30)]),
        ("Ld Vox", &[("Ld Vox", 0, 30)]),
        ("Mute test", &[("x", 0, 30)]),
        ("Track 3", &[("y", 0, 30)]),
        ("🥁 Loop A", &[("z", 0, 30)]),
    ];
    for row in &rows {
        add_track(&mut session, row);
    }
    session
}

/// A session whose tracks are called like words of the language.
pub(crate) fn letters() -> Session {
    let mut session = empty();
    let rows: [Row; 4] = [
        ("A", &[("a1", 0, 30)]),
        ("H", &[("h1", 0, 30)]),
        ("Noise", &[("noise.wav", 0, 30)]),
        ("Level", &[("l1", 0, 30)]),
    ];
    for row in &rows {
        add_track(&mut session, row);
    }
    session
}

/// A session of which a track is called like a word that asks.
pub(crate) fn verbs() -> Session {
    let mut session = empty();
    let rows: [Row; 7] = [
        ("show", &[("show", 0, 30)]),
        ("guest", &[("guest", 0, 30)]),
        ("bass", &[("bass", 0, 30)]),
        ("micA", &[("micA", 0, 30)]),
        ("loop", &[("loop", 0, 30)]),
        ("Gate", &[("Gate", 0, 30)]),
        ("voice", &[("voice", 0, 30)]),
    ];
    for row in &rows {
        add_track(&mut session, row);
    }
    session
}
