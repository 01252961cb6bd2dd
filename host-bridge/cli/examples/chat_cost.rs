//! The time that a conversation adds to a tool call: one measurement called directly, and the same asked
//! for in words that the offline planner reads. Both go to a hub on its own thread.
//!
//! Thread: the main thread is a person's front end.
//!
//! `chat_cost DIR [TURNS]` works in DIR, which must not be there yet, and prints one JSON object with medians
//! in seconds: `{"turns", "tool_median_s", "chat_median_s", "added_s"}`.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "it answers on stdout")]

use anyhow::{Context, Result, bail};
use deskhand_agent::provider::Config;
use deskhand_agent::talk::{Settings, Talk};
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, Hub, NoRenderer, Parts, PersonFront};
use deskhand_dsp::SampleRate;
use deskhand_media::Opener;
use deskhand_protocol::{Apply, Event, Link, News, Op};
use deskhand_session::{Session, SessionId};
use deskhand_store::Store;
use deskhand_toolkit::{NoCache, Pool, Registry};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().context("usage: chat_cost DIR [TURNS]")?;
    let turns: usize = words.next().map_or(Ok(100), |word| word.parse())?;
    let hub = serve(Path::new(&folder))?;
    let person = hub.door().person()?;
    call(&person, "cmd_add_track", json!({"name": "Voice"}))?;
    let tool =
        median(turns, || call(&person, "tool_measure", json!({"targets": "Voice"})).map(drop))?;
    let chat = median(turns, || ask(&person, "how loud is the voice?"))?;
    let added = chat - tool;
    println!(
        "{{\"turns\":{turns},\"tool_median_s\":{tool:.6},\"chat_median_s\":{chat:.6},\"added_s\":{added:.6}}}"
    );
    drop(person);
    hub.stop()?;
    Ok(())
}

fn serve(folder: &Path) -> Result<Hub> {
    let session = Session::new(SessionId::new(1), SampleRate(48_000));
    let (store, loaded) = Store::create(folder, &session)?;
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
    let hub = Hub::start(Bridge::new(store, loaded, parts), None)?;
    let settings = Settings {
        config: Config::default(),
        local_only: Arc::default(),
        on_sent: Box::new(|_| {}),
    };
    Talk::start(Box::new(hub.door().conversation()?), settings)?;
    Ok(hub)
}

fn median(times: usize, mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let started = Instant::now();
        run()?;
        took.push(started.elapsed().as_secs_f64());
    }
    took.sort_by(f64::total_cmp);
    took.get(times / 2).copied().context("there were no turns")
}

fn call(person: &PersonFront, tool: &str, params: Value) -> Result<()> {
    let call = person.submit(Op::Call { tool: tool.into(), params, apply: Apply::Now });
    wait(person, |event| match &event.news {
        News::Done { result } if event.call == Some(call) => Some(result.error.is_none()),
        _ => None,
    })
}

/// From the words to the end of the turn.
fn ask(person: &PersonFront, text: &str) -> Result<()> {
    let provider = Some("offline".into());
    person.submit(Op::Say { text: text.into(), provider, attended: true });
    wait(person, |event| match &event.news {
        News::TurnEnded { end } => Some(end.reply.contains("Voice")),
        _ => None,
    })
}

fn wait(person: &PersonFront, is_good: impl Fn(&Event) -> Option<bool>) -> Result<()> {
    loop {
        let event = Link::events(person).recv_timeout(PATIENCE)?;
        match is_good(&event) {
            Some(true) => return Ok(()),
            Some(false) => bail!("not answered as expected: {event:?}"),
            None => {}
        }
    }
}
