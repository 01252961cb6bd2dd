//! `deskhand render`: the mix as a WAV file, as it is or as a plan would leave it.

use super::plan::find;
use crate::args::Bits;
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::Output;
use crate::progress::Bar;
use crate::table;
use deskhand_bounce::{RenderJob, Rendered, render};
use deskhand_dsp::{Frames, Seconds};
use deskhand_media::{BitDepth, Written};
use deskhand_protocol::values;
use deskhand_session::Session;
use serde_json::{Value, json};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// What to render and how.
pub(crate) struct Options {
    pub(crate) plan: Option<String>,
    pub(crate) stems: Option<PathBuf>,
    pub(crate) bits: Bits,
    pub(crate) range: Option<String>,
}

/// Renders the session in `dir` to `out`.
pub(crate) fn run(
    dir: &Path,
    out: &Path,
    options: &Options,
    output: Output,
) -> Result<Exit, Failure> {
    let mut desk = Desk::look(dir, output)?;
    let result = render_session(&mut desk, out, options);
    if let Ok((rendered, session)) = &result {
        show(rendered, session, output);
    }
    desk.close()?;
    result.map(|_| Exit::Done)
}

fn render_session(
    desk: &mut Desk,
    out: &Path,
    options: &Options,
) -> Result<(Rendered, Session), Failure> {
    let session = planned(desk, options.plan.as_deref())?;
    let depth = match options.bits {
        Bits::B16 => BitDepth::S16,
        Bits::B24 => BitDepth::S24,
        Bits::F32 => BitDepth::F32,
    };
    let range = range(options.range.as_deref(), &session)?;
    let job = RenderJob { mix: out, stems: options.stems.as_deref(), depth, range };
    let bar = Bar::new("rendering");
    let mut progress = |done| {
        bar.set(done);
        if interrupt::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let rendered = render(&session, &desk.audio, &job, &mut progress)
        .map_err(|error| Failure::plain("render", error))?;
    Ok((rendered, session))
}

/// The session, or what a plan would make of it; nothing is applied.
fn planned(desk: &mut Desk, plan: Option<&str>) -> Result<Session, Failure> {
    let Some(plan) = plan else {
        return Ok(desk.session().clone());
    };
    let plan = find(desk, plan)?;
    plan.applied_to(desk.session()).map_err(|error| Failure::plain("conflict", error))
}

/// `A..B` in seconds; the whole timeline by default.
fn range(text: Option<&str>, session: &Session) -> Result<Range<Frames>, Failure> {
    let whole = Frames::ZERO..session.heard_end();
    if whole.is_empty() && !session.clips.is_empty() {
        let fix = "unmute a track, or put phrases back: `deskhand assemble restore`";
        return Err(Failure::new("no_target", "nothing plays: all that has clips is muted", fix));
    }
    if whole.is_empty() {
        let fix = "import audio first: `deskhand import DIR FILE`";
        return Err(Failure::new("no_target", "the session has no clips to render", fix));
    }
    let Some(text) = text else { return Ok(whole) };
    let bad = || {
        let message = format!("--range {text} is not a part of 0 to {} s", seconds(session));
        Failure::new("bad_params", message, "write --range 12.5..60, or --range ..30")
    };
    let (start, end) = text.split_once("..").ok_or_else(bad)?;
    let parse = |text: &str, default: Frames| match text {
        "" => Ok(default),
        _ => text.parse().map(|s: f64| Seconds(s).frames(session.rate)).map_err(|_| bad()),
    };
    let range = parse(start, whole.start)?..parse(end, whole.end)?;
    let inside = range.start >= Frames::ZERO && range.start < range.end && range.start < whole.end;
    if inside { Ok(range) } else { Err(bad()) }
}

fn seconds(session: &Session) -> String {
    table::decimal(session.heard_end().seconds(session.rate).0)
}

fn show(rendered: &Rendered, session: &Session, output: Output) {
    let stems: Vec<_> = rendered
        .stems
        .iter()
        .map(|(track, file)| {
            let mut stem = written(file, session);
            stem["track"] = json!(track);
            stem
        })
        .collect();
    let mut json = written(&rendered.mix, session);
    json["stems"] = json!(stems);
    json["nonfinite_samples"] = json!(rendered.nonfinite);
    output.json(&json);
    let mix = &rendered.mix;
    let length = values::time(mix.frames, session.rate);
    output.say(format!("rendered {} ({length})", mix.path.display()));
    for (_, stem) in &rendered.stems {
        output.say(format!("  {}", stem.path.display()));
    }
    if mix.clipped > 0 {
        let what =
            format!("{} samples of the mix were over full scale and are clipped", mix.clipped);
        output.warn(format!("{what}; lower the master, or render with --bits 32f"));
    }
}

fn written(file: &Written, session: &Session) -> Value {
    json!({
        "file": file.path,
        "duration_s": file.frames.seconds(session.rate),
        "clipped_samples": file.clipped,
    })
}
