//! `deskhand render`: the mix as a WAV file, of the session or of a plan's result.

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
use deskhand_session::Session;
use deskhand_session::text;
use serde_json::{Value, json};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// What to render and how.
pub(crate) struct RenderOptions {
    pub(crate) plan: Option<String>,
    pub(crate) stems: Option<PathBuf>,
    pub(crate) bits: Bits,
    pub(crate) range: Option<String>,
}

/// Renders the session in `dir` to `out`.
pub(crate) fn run(
    dir: &Path,
    out: &Path,
    options: &RenderOptions,
    output: Output,
) -> Result<Exit, Failure> {
    let mut desk = Desk::look(dir, output)?;
    let is_there = out.is_file();
    let result = render_session(&mut desk, out, options);
    if let Ok((rendered, session, warning)) = &result {
        show(rendered, session, (is_there, warning.as_deref()), output);
    }
    desk.close()?;
    result.map(|_| Exit::Done)
}

fn render_session(
    desk: &mut Desk,
    out: &Path,
    options: &RenderOptions,
) -> Result<(Rendered, Session, Option<String>), Failure> {
    let session = planned(desk, options.plan.as_deref())?;
    let depth = match options.bits {
        Bits::B16 => BitDepth::S16,
        Bits::B24 => BitDepth::S24,
        Bits::F32 => BitDepth::F32,
    };
    let (range, warning) = range(options.range.as_deref(), &session)?;
    let job = RenderJob { mix: out, stems: options.stems.as_deref(), depth, range };
    let bar = Bar::new("rendering");
    let mut progress = |done| {
        bar.set(done);
        if interrupt::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let rendered = render(&session, &desk.audio, &job, &mut progress)
        .map_err(|error| Failure::plain("render", error))?;
    Ok((rendered, session, warning))
}

/// The session, or the session with a plan applied. Nothing is committed.
fn planned(desk: &mut Desk, plan: Option<&str>) -> Result<Session, Failure> {
    let Some(plan) = plan else {
        return Ok(desk.session().clone());
    };
    let plan = find(desk, plan)?;
    plan.applied_to(desk.session()).map_err(|error| Failure::plain("conflict", error))
}

/// `A..B` in seconds; the whole timeline by default. It ends with the last sound; a longer request gives a
/// warning.
fn range(
    text: Option<&str>,
    session: &Session,
) -> Result<(Range<Frames>, Option<String>), Failure> {
    let whole = Frames::ZERO..session.heard_end();
    if whole.is_empty() && !session.clips.is_empty() {
        let fix = "unmute a track or a clip, or restore phrases: `deskhand assemble restore`";
        return Err(Failure::new(
            "no_target",
            "nothing plays: every clip or its track is muted",
            fix,
        ));
    }
    if whole.is_empty() {
        let fix = "import audio first: `deskhand import DIR FILE`";
        return Err(Failure::new("no_target", "the session has no clips to render", fix));
    }
    let Some(text) = text else { return Ok((whole, None)) };
    let end = seconds(session);
    let bad = || {
        let message = format!("--range {text} is not a part of 0 to {end} s");
        let fix = format!("write --range 0..{end} or a part of it; either end may be omitted");
        Failure::new("bad_params", message, fix)
    };
    let (from, to) = text.split_once("..").ok_or_else(bad)?;
    let parse = |text: &str, default: Frames| match text {
        "" => Ok(default),
        _ => text.parse().map(|s: f64| Seconds(s).frames(session.rate)).map_err(|_| bad()),
    };
    let (from, to) = (parse(from, whole.start)?, parse(to, whole.end)?);
    if from < Frames::ZERO || from >= to || from >= whole.end {
        return Err(bad());
    }
    let warning = format!("nothing plays after {end} s, so --range {text} ends there");
    Ok((from..to.min(whole.end), (to > whole.end).then_some(warning)))
}

fn seconds(session: &Session) -> String {
    table::decimal(session.heard_end().seconds(session.rate).0)
}

/// Prints the written file; `is_there` if the mix replaced a file.
fn show(
    rendered: &Rendered,
    session: &Session,
    (is_there, warning): (bool, Option<&str>),
    output: Output,
) {
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
    if let Some(warning) = warning {
        json["warnings"] = json!([warning]);
    }
    output.json(&json);
    let mix = &rendered.mix;
    let length = text::clock(mix.frames, session.rate);
    let place = if is_there { ", replacing the existing file" } else { "" };
    output.say(format!("rendered {} ({length}){place}", mix.path.display()));
    for (_, stem) in &rendered.stems {
        output.say(format!("  {}", stem.path.display()));
    }
    warning.iter().for_each(|warning| output.warn(warning));
    if mix.clipped > 0 {
        let what = format!("{} samples of the mix were over full scale and clip", mix.clipped);
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
