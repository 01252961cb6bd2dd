//! `tool_find_problems`: the problems of recordings, with times.

use super::listen::{Piece, Turn, pieces};
use super::result_list::{Book, fact};
use super::scan::{Defect, Kind, Scan, scan};
use super::spectrum::{hum, round};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::count;
use deskhand_session::{ObjectId, Provisional, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `tool_find_problems`.
pub(super) struct FindProblems;

/// A channel whose mean is over this has an offset: -60 dBFS.
const OFFSET: f64 = 0.001;
/// Softer hum than this does not matter, dBFS.
const HUM: f64 = -75.0;
/// Most problems that a fact holds.
const NOTED: usize = 100;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

/// The scan of a piece.
struct Found {
    piece: Piece,
    scan: Scan,
}

/// How people ask for it.
fn problems() -> Intent {
    Intent::verbs("find | ask | list | check | analyze")
        .about("problem | for:problem")
        .also("clipping | for:clipping | problem")
}

impl TypedTool for FindProblems {
    type Params = Params;
    type Resolved = Vec<Piece>;

    fn spec() -> ToolSpec {
        tool(
            "tool_find_problems",
            "Find problems",
            "Finds problems in recordings: clipping, DC offset, dropouts, clicks, channels out of phase, and \
             mains hum. Changes no sound. The answer is a list of {id, name, count, problems: [{problem, \
             start_s, end_s}] (times on the timeline), offset: [share of full scale by channel] or null, hum: \
             {hz, dbfs, harmonics} or null, fixes: [what a person can ask for]}.",
            Category::Level,
            Trust::Notify,
            vec![json!({"targets": "all"})],
        )
        .says([
            problems().or_everything().on(Kinds::Sound),
            problems().about("recording | in:recording | on:recording").sets("targets", "all"),
            Intent::verbs("what is wrong").or_the_whole().on(Kinds::Sound),
        ])
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<Piece>, ToolError> {
        Ok(pieces(session, &params.targets.clips(session)?))
    }

    fn targets(pieces: &Vec<Piece>) -> Vec<ObjectId> {
        pieces.iter().map(|piece| piece.clip.into()).collect()
    }

    fn run(pieces: Vec<Piece>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut found = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            let scan = scan(context, piece, Turn { index, all: pieces.len() })?;
            found.push(Found { piece: piece.clone(), scan });
            let shown: Vec<Provisional> = show(&found[index]);
            context.provisional(&shown, &mut || draft(context, &found));
        }
        Ok(draft(context, &found))
    }
}

fn show(found: &Found) -> Vec<Provisional> {
    let one = |defect: &Defect| Provisional {
        target: found.piece.clip.into(),
        position: found.piece.on_timeline(defect.start),
        length: defect.length,
        label: defect.kind.word().into(),
    };
    found.scan.defects.iter().map(one).collect()
}

fn draft(context: &PlanContext, found: &[Found]) -> Draft {
    let session = &context.session;
    let (mut draft, mut book) = (Draft::default(), Book::new(context));
    let mut said = Vec::new();
    for one in found {
        let listed: Vec<Value> =
            one.scan.defects.iter().map(|d| problem(session, &one.piece, d)).collect();
        let some: Vec<Value> = listed.iter().take(NOTED).cloned().collect();
        book.whole(
            &one.piece,
            [("problems", fact(some)), ("problem_count", fact(total(&one.scan)))],
        );
        said.push(format!("\"{}\": {}", one.piece.name, words(&one.scan)));
        context.note_phase(one.piece.clip.into(), one.scan.phase);
        if one.scan.unlisted > 0 {
            let more = one.scan.unlisted;
            draft.warnings.push(format!("\"{}\" has {more} more than are listed", one.piece.name));
        }
    }
    book.write(&mut draft, "problems were looked for");
    draft.summary = said.join("; ");
    draft.answer = Some(found.iter().map(|one| row(session, one)).collect());
    draft
}

/// How many problems there are.
pub(super) fn total(scan: &Scan) -> usize {
    let whole = [has_offset(scan), has_hum(scan)];
    scan.defects.len() + scan.unlisted + whole.into_iter().filter(|has| *has).count()
}

fn has_offset(scan: &Scan) -> bool {
    scan.dc.iter().any(|dc| dc.abs() > OFFSET)
}

fn has_hum(scan: &Scan) -> bool {
    scan.hum.is_some_and(|hum| hum.level > HUM)
}

/// "3 clicks, 1 dropout, hum at 50 Hz", or "no problems".
fn words(scan: &Scan) -> String {
    let mut said = Vec::new();
    for kind in [Kind::Clipping, Kind::Dropout, Kind::Click, Kind::Phase] {
        let number = scan.defects.iter().filter(|defect| defect.kind == kind).count();
        match (kind, number) {
            (_, 0) => {}
            (Kind::Clipping, number) => {
                said.push(format!("clipping at {}", count(number, "place")));
            }
            (Kind::Dropout, number) => said.push(count(number, "dropout")),
            (Kind::Click, number) => said.push(count(number, "click")),
            (Kind::Phase, number) => {
                said.push(format!("out of phase at {}", count(number, "place")));
            }
        }
    }
    if has_offset(scan) {
        said.push("a DC offset".into());
    }
    if let Some(hum) = scan.hum.filter(|_| has_hum(scan)) {
        said.push(format!("hum at {} Hz", deskhand_session::text::trimmed(hum.hz, 2)));
    }
    if said.is_empty() { "no problems".into() } else { said.join(", ") }
}

fn problem(session: &Session, piece: &Piece, defect: &Defect) -> Value {
    let seconds = |frame: Frames| find::seconds(piece.on_timeline(frame), session.rate);
    let end = defect.start + defect.length;
    json!({"problem": defect.kind.word(), "start_s": seconds(defect.start), "end_s": seconds(end)})
}

fn row(session: &Session, found: &Found) -> Value {
    let Found { piece, scan } = found;
    let problems: Vec<Value> = scan.defects.iter().map(|d| problem(session, piece, d)).collect();
    let offset: Option<Vec<f64>> =
        has_offset(scan).then(|| scan.dc.iter().map(|dc| round(*dc, 5)).collect());
    json!({
        "id": piece.clip, "name": piece.name, "count": total(scan), "problems": problems,
        "offset": offset, "hum": if has_hum(scan) { hum(scan) } else { Value::Null },
        "fixes": fixes(session, found),
    })
}

/// What a person can ask for about what was found, in words.
fn fixes(session: &Session, found: &Found) -> Vec<String> {
    let Found { piece, scan } = found;
    let Some(clip) = session.clips.get(&piece.clip) else { return Vec::new() };
    let on = session.name_of(clip.track.into());
    let is_opposed = scan.defects.iter().any(|defect| defect.kind == Kind::Phase);
    let fixes = [
        (has_hum(scan), "remove the hum from"),
        (has_offset(scan), "remove the DC offset from"),
        (is_opposed, "check the polarity of"),
    ];
    let wanted = fixes.into_iter().filter(|(is_found, _)| *is_found);
    wanted.map(|(_, fix)| format!("{fix} {on}")).collect()
}
