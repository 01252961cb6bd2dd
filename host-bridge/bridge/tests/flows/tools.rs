//! Tools for the tests: one of each trust, and some that misbehave.

use crate::sound::{BASS, DRUMS, KICK, VOCALS};
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{
    Artifact, Change, ClipId, Edit, Group, GroupId, Measure, Media, ObjectId, PlannedChange,
    Prediction, Provisional, Ripple, Session, Source, SourceId,
};
use deskhand_toolkit::{
    Category, Draft, Network, PlanContext, PlanTask, Prepared, Program, Request, Tool, ToolError,
    ToolSpec, Trust,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

type Prepare = fn(&Request<'_>) -> Result<Vec<ObjectId>, ToolError>;
type Run = fn(&Value, &PlanContext) -> Result<Draft, ToolError>;

/// A tool made of two functions.
struct Fake {
    spec: ToolSpec,
    prepare: Prepare,
    run: Run,
}

struct FakeTask {
    params: Value,
    run: Run,
}

impl Tool for Fake {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn prepare(&self, request: &Request<'_>) -> Result<Prepared, ToolError> {
        let targets = (self.prepare)(request)?;
        let params = request.params.clone();
        let prepared = Prepared::new(Box::new(FakeTask { params, run: self.run }), targets);
        // A call whose own parameters decide that it talks to another machine.
        match request.params["model"].as_str() {
            Some("service") => Ok(Prepared { network: Network::Open, ..prepared }),
            Some(_) | None => Ok(prepared),
        }
    }
}

impl PlanTask for FakeTask {
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError> {
        (self.run)(&self.params, context)
    }
}

fn fake(name: &'static str, trust: Trust, prepare: Prepare, run: Run) -> Arc<dyn Tool> {
    let spec = ToolSpec {
        input_schema: json!({"type": "object"}),
        timeout: Duration::from_secs(60),
        ..ToolSpec::new(name, "For tests", "For tests.", Category::Edit, trust)
    };
    Arc::new(Fake { spec, prepare, run })
}

fn with_timeout(tool: &'static str, timeout: Duration, run: Run) -> Arc<dyn Tool> {
    let fake = fake(tool, Trust::Suggest, nothing, run);
    let spec = ToolSpec { timeout, ..fake.spec().clone() };
    Arc::new(Fake { spec, prepare: nothing, run })
}

fn nothing(_: &Request<'_>) -> Result<Vec<ObjectId>, ToolError> {
    Ok(Vec::new())
}

/// A tool that would start a program.
struct Started {
    fake: Arc<dyn Tool>,
    program: Program,
}

impl Tool for Started {
    fn spec(&self) -> &ToolSpec {
        self.fake.spec()
    }

    fn prepare(&self, request: &Request<'_>) -> Result<Prepared, ToolError> {
        self.fake.prepare(request)
    }

    fn program(&self) -> Option<&Program> {
        Some(&self.program)
    }
}

/// A tool that starts `/bin/NAME`.
pub(crate) fn with_program(name: &'static str, version: u8, network: Network) -> Arc<dyn Tool> {
    let program = Program { command: format!("/bin/{name} (version {version})"), network };
    Arc::new(Started { fake: fake(name, Trust::Require, nothing, mute), program })
}

/// The tools of the tests, and the built-in ones.
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    let mut tools = deskhand_bridge::all_tools();
    tools.retain(|tool| !tool.spec().name.starts_with("fake_"));
    tools.extend([
        fake("fake_mute", Trust::Notify, nothing, mute),
        fake("fake_look", Trust::Autonomous, nothing, look),
        fake("fake_live", Trust::Notify, drums, live),
        fake("fake_live_plan", Trust::Suggest, drums, live),
        fake("fake_reach_out", Trust::Require, nothing, mute),
        fake("fake_reach_too_far", Trust::Require, nothing, invalid),
        fake("fake_bundle", Trust::Suggest, nothing, bundle),
        fake("fake_to_hear", Trust::Suggest, nothing, to_hear),
        fake("fake_files", Trust::Suggest, nothing, files),
        fake("fake_late_files", Trust::Suggest, nothing, late_files),
        fake("fake_panic", Trust::Suggest, nothing, |_, _| panic!("a bug in the tool")),
        fake("fake_panic_early", Trust::Suggest, |_| panic!("a bug in prepare"), mute),
        fake("fake_wait", Trust::Suggest, drums, wait),
        fake("fake_no_number", Trust::Suggest, nothing, no_number),
        fake("fake_invalid", Trust::Suggest, nothing, invalid),
        fake("fake_import", Trust::Suggest, nothing, import),
        fake("fake_close_time", Trust::Suggest, nothing, close_time),
        fake("fake_chatter", Trust::Suggest, nothing, chatter),
        fake("fake_steps", Trust::Autonomous, nothing, steps),
        fake("fake_promise", Trust::Suggest, nothing, promise),
        fake("fake_promise_and_more", Trust::Suggest, nothing, promise_and_more),
        fake("fake_listen", Trust::Suggest, nothing, wait),
        with_program("fake_program", 1, Network::Closed),
        with_program("fake_online", 1, Network::Open),
        with_timeout("fake_brief", Duration::from_secs(4), look),
        with_timeout("fake_hang", Duration::from_millis(1), |_, _| hang()),
        with_timeout("fake_hours", Duration::from_secs(7_200), wait),
        with_timeout("fake_hang_long", Duration::from_secs(3_600), |_, _| hang()),
    ]);
    tools
}

fn drums(_: &Request<'_>) -> Result<Vec<ObjectId>, ToolError> {
    Ok(vec![DRUMS.into()])
}

/// Mutes or unmutes the drums.
fn mute(_: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let muted = context.session.tracks[&DRUMS].mute;
    let mut draft = Draft::new(if muted { "Unmute Drums" } else { "Mute Drums" });
    let change = Change::SetTrackMute(Edit::new(DRUMS, muted, !muted));
    draft.change(change, "Drums".into(), "as asked");
    Ok(draft)
}

/// Shows what it found, then opens audio, which the tests can hold back, and finds the same and more.
fn live(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let found = Provisional {
        target: KICK.into(),
        position: Frames(4_800),
        length: Frames::ZERO,
        label: "hit".into(),
    };
    context.provisional(&[found], &mut || mute(params, context).unwrap());
    let source = context.session.clips[&KICK].source;
    drop(context.audio.source(&context.session, source));
    let mut whole = bundle(params, context)?;
    let muted = Change::SetTrackMute(Edit::new(DRUMS, false, true));
    whole.change(muted, "Drums".into(), "found");
    Ok(whole)
}

/// Answers, and changes nothing.
fn look(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    Ok(Draft {
        answer: Some(json!({"tracks": context.session.tracks.len()})),
        warnings: params["warning"].as_str().map(str::to_owned).into_iter().collect(),
        ..Draft::new("Counted the tracks")
    })
}

/// Groups the drums, and takes the first tenth of a second out of them.
fn close_time(_: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let mut draft = Draft::new("Close time");
    let (group, tracks) = (GroupId::new(1), vec![DRUMS]);
    let grouped = Group { name: "Kit".into(), tracks: tracks.clone() };
    let grouping =
        draft.change(Change::SetGroup(Edit::create(group, grouped)), "Kit".into(), "cut together");
    let before = Ripple::now(&context.session, &tracks, Frames::ZERO, Frames(4_800));
    let after = before.closed(|| ClipId::new(77));
    let change = Change::RippleDelete(Edit::new(group, before, after));
    draft.dependent(change, "Kit".into(), "nobody speaks", vec![grouping]);
    Ok(draft)
}

/// Three gains; the third needs the second: c1 Drums -1, c2 Bass -2, c3 Vocals -3 (needs c2).
fn bundle(_: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let mut draft = Draft::new("Balance the band");
    draft.change(gain_of(&context.session, DRUMS, -1.0), "Drums".into(), "too loud");
    let bass = draft.change(gain_of(&context.session, BASS, -2.0), "Bass".into(), "too loud");
    let vocals = gain_of(&context.session, VOCALS, -3.0);
    draft.dependent(vocals, "Vocals".into(), "follows the bass", vec![bass]);
    Ok(draft)
}

/// As [`bundle`], but c2 must be heard first.
fn to_hear(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let mut draft = bundle(params, context)?;
    draft.changes[1].to_hear = true;
    Ok(draft)
}

fn gain_of(session: &Session, track: deskhand_session::TrackId, after: f64) -> Change {
    let before = session.tracks[&track].gain;
    Change::SetTrackGain(Edit::new(track, before, Decibels(after)))
}

/// Like [`mute`], with files that it says it made: the strings of the parameter `paths`.
fn files(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let paths = params["paths"].as_array().unwrap().iter();
    let artifacts = paths.map(|path| Artifact { path: path.as_str().unwrap().into(), bytes: 1 });
    Ok(Draft { artifacts: artifacts.collect(), ..mute(params, context)? })
}

/// Like [`files`], once the tests give audio, and deaf to being cancelled.
fn late_files(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let source = context.session.clips[&KICK].source;
    drop(context.audio.source(&context.session, source));
    files(params, context)
}

/// Opens the audio of a clip, which the tests can hold back, then does as [`mute`].
fn wait(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    context.measure(&context.session, KICK.into())?;
    context.step(1, 2, "Kick")?;
    mute(params, context)
}

/// Promises a level that is no number.
fn no_number(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let from = vec!["c1".to_owned()];
    let prediction = Prediction::now(KICK, Measure::Rms, f64::NAN, 0.1, from);
    Ok(Draft { predicted: vec![prediction], ..mute(params, context)? })
}

/// Plans a gain that no session takes.
fn invalid(_: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let mut draft = Draft::new("Turn it up to eleven");
    draft.change(gain_of(&context.session, DRUMS, 1_100.0), "Drums".into(), "louder");
    Ok(draft)
}

/// Sets the gain of a track and promises the RMS of the mix, measured on the session as planned.
fn promise(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let after = params["gain_db"].as_f64().unwrap();
    let change = gain_of(&context.session, DRUMS, after);
    let next = context.session.with([&change]).unwrap();
    let mix = next.id.into();
    let rms = context.levels_in(&next, mix)?.rms.unwrap();
    let mut draft = Draft::new(format!("Set the drums to {after} dB"));
    let planned: PlannedChange = PlannedChange::new(1, change, "Drums".into(), "as asked".into());
    let from = vec![planned.id.clone()];
    draft.changes.push(planned);
    draft.predicted.push(Prediction::now(next.id, Measure::Rms, rms.0, 0.1, from));
    Ok(draft)
}

/// As [`promise`], and a change of the bass without a prediction.
fn promise_and_more(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let mut draft = promise(params, context)?;
    draft.change(gain_of(&context.session, BASS, -2.0), "Bass".into(), "too loud");
    Ok(draft)
}

/// Adds a source that plays the parameter `file` of the session folder.
fn import(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    let riff = context.session.sources.values().next().unwrap();
    let source =
        Source { media: Media::Conformed(params["file"].as_str().unwrap().into()), ..riff.clone() };
    let mut draft = Draft::new("Import a file");
    let change = Change::AddSource(Edit::create(SourceId::new(9), source));
    draft.change(change, "Riff".into(), "as asked");
    Ok(draft)
}

/// Reports without a pause until it is cancelled.
fn chatter(_: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    for word in (0..100).cycle() {
        context.step(word, 100, "chatting")?;
        std::thread::park_timeout(Duration::from_millis(20));
    }
    unreachable!("it goes on for ever")
}

/// Reports ten thousand steps, then does as [`look`].
fn steps(params: &Value, context: &PlanContext) -> Result<Draft, ToolError> {
    (0..10_000).try_for_each(|step| context.step(step, 10_000, "counting"))?;
    look(params, context)
}

/// Never looks whether it should stop. The test process ends it.
fn hang() -> Result<Draft, ToolError> {
    loop {
        std::thread::park();
    }
}
