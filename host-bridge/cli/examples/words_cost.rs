//! The cost of ten hours of talk, on a transcript of 100,000 words with a phrase for each segment. It is
//! searched, a code is put on 1,000 places, and one of its two speakers is renamed. Each time runs from a
//! person's call to the answer of a hub on a thread of its own, with the changes on disk.
//!
//! Thread: the main thread is a person's front end.
//!
//! `words_cost DIR [TIMES]` works in DIR, which must not exist yet, and prints one JSON object with medians
//! in seconds: `{"words", "times", "search_s", "fuzzy_s", "code_s", "coded", "regex_s", "rename_s"}`.
//! `regex_s` is the longest of the regular expressions that other engines choke on. The time of each goes
//! to stderr.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it answers on stdout")]

use anyhow::{Context, Result, bail};
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, Hub, NoRenderer, Parts, PersonFront};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::Opener;
use deskhand_protocol::{Apply, Link, News, Op, ToolResult};
use deskhand_session::{
    ContentHash, Media, Phrase, PhraseId, Segment, SegmentId, Session, SessionId, Source, SourceId,
    Word,
};
use deskhand_store::Store;
use deskhand_toolkit::{NoCache, Pool, Registry};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const RATE: SampleRate = SampleRate(48_000);
/// Words of ten hours, and words of a segment.
const WORDS: i64 = 100_000;
const SEGMENT: i64 = 10;
/// One word in this many is searched for.
const EVERY: i64 = 100;
/// From one word to the next, and how long it is said: 0.36 and 0.3 s.
const STEP: i64 = 17_280;
const SAID: i64 = 14_400;

/// Regular expressions that take for ever where an engine goes back and tries again.
const HOSTILE: [&str; 3] = ["(a|b|ab)*c", r"(\w+\s?){50}", ".*.*.*x"];

/// As many alternatives as the text of a call allows; one of them occurs.
fn alternatives() -> String {
    (0..80).map(|n| format!("alt{n}")).collect::<Vec<_>>().join("|")
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().context("usage: words_cost DIR [TIMES]")?;
    let times: usize = words.next().map_or(Ok(5), |word| word.parse())?;
    let hub = serve(Path::new(&folder))?;
    let person = hub.door().person()?;
    let search = |query: &str| {
        let found = call(&person, "tool_search_transcript", json!({"query": query}))?;
        let count = found.answer.as_ref().map_or(0, |answer| answer["count"].as_i64().unwrap_or(0));
        if count < WORDS / EVERY { bail!("{query} was found {count} times") } else { Ok(()) }
    };
    let exact = median(times, |_| search("budget"))?;
    let fuzzy = median(times, |_| search("budgit"))?;
    let mut coded = 0;
    let code = median(times, |time| {
        let params = json!({"code": format!("Money {time}"), "text": "budget"});
        let made = call(&person, "tool_code_exact", params)?;
        coded = made.answer.as_ref().map_or(0, |it| it["segments_created"].as_i64().unwrap_or(0));
        Ok(())
    })?;
    let mut regex = 0.0f64;
    for text in HOSTILE.map(str::to_owned).into_iter().chain([alternatives()]) {
        let params = json!({"code": "Hostile", "text": text, "match_type": "regex"});
        let took = median(1, |_| call(&person, "tool_code_exact", params.clone()).map(drop))?;
        eprintln!("{took:.3} s for {text:.40}");
        regex = regex.max(took);
    }
    let names = ["Ann", "Eve"];
    let rename = median(times, |time| {
        let params = json!({"speaker": names[time % 2], "name": names[(time + 1) % 2]});
        call(&person, "cmd_set_speaker", params).map(drop)
    })?;
    println!(
        "{{\"words\":{WORDS},\"times\":{times},\"search_s\":{exact:.6},\"fuzzy_s\":{fuzzy:.6},\"code_s\":{code:.6},\"coded\":{coded},\"regex_s\":{regex:.6},\"rename_s\":{rename:.6}}}"
    );
    drop(person);
    hub.stop()?;
    Ok(())
}

/// Ten hours of one recording, with every word written down.
fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), RATE);
    let source = SourceId::new(1);
    session.sources.insert(source, recording());
    let word = |at: i64| Word {
        text: match at % EVERY {
            50 => "budget".to_owned(),
            0 => format!("Word{at}."),
            other => format!("word{}", other * 37 % 1000),
        },
        start: Frames(at * STEP),
        end: Frames(at * STEP + SAID),
        confidence: Some(0.9),
    };
    for (number, first) in (1..).zip((0..WORDS).step_by(SEGMENT as usize)) {
        let words: Vec<Word> = (first..first + SEGMENT).map(word).collect();
        let start = Frames(first * STEP);
        let speaker = if number / 20 % 2 == 0 { "Ann" } else { "Ben" };
        let segment = Segment {
            words,
            speaker: Some(speaker.into()),
            ..Segment::new(source, start, Frames(SEGMENT * STEP))
        };
        session.segments.insert(SegmentId::new(number), segment);
        let (id, phrase) =
            (PhraseId::new(number), Phrase { segments: vec![SegmentId::new(number)] });
        session.phrases.insert(id, phrase);
        session.assembly.order.push(id);
    }
    session
}

/// A file that is never read.
fn recording() -> Source {
    Source {
        name: "talk.wav".into(),
        hash: ContentHash("0".repeat(64)),
        path: "/talk.wav".into(),
        size: 1,
        modified_ns: 0,
        format: "WAV 24 bit".into(),
        rate: RATE,
        channels: 1,
        channel: None,
        frames: Frames(WORDS * STEP),
        origin: None,
        same_sound: Vec::new(),
        media: Media::InPlace,
    }
}

fn serve(folder: &Path) -> Result<Hub> {
    let (store, loaded) = Store::create(folder, &session())?;
    let opener = Opener::in_process();
    let parts = Parts {
        registry: Registry::new(deskhand_bridge::all_tools()),
        pool: Pool::for_this_machine(),
        audio: Arc::new(SessionAudio::new(folder, opener.clone())),
        cache: Arc::new(NoCache),
        opener,
        folder: folder.to_owned(),
        renderer: Arc::new(NoRenderer),
        opened: Vec::new(),
    };
    Ok(Hub::start(Bridge::new(store, loaded, parts), None)?)
}

fn median(times: usize, mut run: impl FnMut(usize) -> Result<()>) -> Result<f64> {
    let mut took = Vec::with_capacity(times);
    for time in 0..times {
        let started = Instant::now();
        run(time)?;
        took.push(started.elapsed().as_secs_f64());
    }
    took.sort_by(f64::total_cmp);
    took.get(times / 2).copied().context("there were no runs")
}

fn call(person: &PersonFront, tool: &str, params: Value) -> Result<ToolResult> {
    let call = person.submit(Op::Call { tool: tool.into(), params, apply: Apply::Now });
    loop {
        let event = Link::events(person).recv_timeout(PATIENCE)?;
        match event.news {
            News::Done { result } if event.call == Some(call) => match &result.error {
                None => return Ok(*result),
                Some(error) => bail!("{tool}: {error}"),
            },
            _ => {}
        }
    }
}
