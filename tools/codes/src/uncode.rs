//! `tool_uncode`: removes codings: a whole batch, or those of some segments.

use super::coding::known;
use super::find::Several;
use super::loose::Taker;
use super::quote::{self, Quotes};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds, TextKind};
use deskhand_session::text::{count, names};
use deskhand_session::{CodeId, Coding, ObjectId, Segment, SegmentId, Session};
use deskhand_toolkit::about::{COMMAND_LIMIT, tool};
use deskhand_toolkit::target::none_called;
use deskhand_toolkit::text::is_same;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// `tool_uncode`.
pub(super) struct Uncode;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Ids of segments: one or a list. Of one that has no code itself, as of a transcript, what is coded there is meant.
    /// Or give `batch_id`.
    segment_id: Option<Several>,
    /// The batch id that a coding call returned.
    batch_id: Option<String>,
    /// Take the code off everything; it must be named.
    #[serde(default)]
    everywhere: bool,
    /// Only this code: id, name or path; omitted: all codes.
    code_id: Option<String>,
    /// Only the code with this name, instead of `code_id`.
    code: Option<String>,
    /// Only codings of this coder: "this session", "model", or the name of a merged coder. Omitted: all.
    coder: Option<String>,
}

/// The call against the session.
pub(super) struct Resolved {
    which: Which,
    code: Option<CodeId>,
    coder: Option<String>,
    /// Whether a model's call needs no leave.
    is_little: bool,
}

enum Which {
    Batch(String),
    Segments(BTreeSet<SegmentId>),
    All,
}

impl Resolved {
    fn takes(&self, segment: SegmentId, coding: &Coding) -> bool {
        self.code.is_none_or(|code| code == coding.code)
            && self.coder.as_deref().is_none_or(|who| is_same(who, coding.coder_name()))
            && match &self.which {
                Which::Batch(batch) => coding.batch.as_ref() == Some(batch),
                Which::Segments(ids) => ids.contains(&segment),
                Which::All => true,
            }
    }

    /// Whether it takes one coding at most, and nobody else's.
    fn takes_little(&self, session: &Session) -> bool {
        let Which::Segments(ids) = &self.which else { return false };
        let held = ids.iter().filter_map(|id| Some((*id, session.segments.get(id)?)));
        let held = held.flat_map(|(id, it)| it.codings.iter().map(move |coding| (id, coding)));
        let taken: Vec<_> = held.filter(|(id, coding)| self.takes(*id, coding)).collect();
        ids.len() == 1 && taken.len() < 2 && taken.iter().all(|(_, it)| it.coder.is_none())
    }
}

fn says() -> Vec<Intent> {
    let code = |intent: Intent| intent.said("code_id", "- | of | as | for", TextKind::Code);
    let known = |intent: Intent| intent.said("code_id", "-", TextKind::KnownCode).needs("code_id");
    let on = |intent: Intent, preps: &str| {
        let intent = intent.also("every | coding | code");
        intent.said("segment_id", preps, TextKind::Coded).needs("segment_id")
    };
    let all = |intent: Intent| {
        code(intent.also("every | coding | code")).sets("everywhere", true).needs("code_id").lacks(
            "codings are taken off everything code by code: say which code",
            "remove all codings of Money",
        )
    };
    let whole = |intent: Intent| all(intent.named("all", "- | off | from | of", Kinds::Whole));
    vec![
        code(on(
            Intent::verbs("remove | take+out").about("code | coding"),
            "off | from | out | on",
        )),
        code(on(Intent::verbs("take+off | remove+off").about("code | coding"), "- | from | of")),
        code(on(Intent::verbs("uncode"), "-")),
        known(on(Intent::verbs("remove | take+out"), "off | from | out")),
        known(on(Intent::verbs("take+off"), "- | from | of")),
        whole(Intent::verbs("remove | take+off | take").about("code")),
        whole(Intent::verbs("uncode").also("used")),
        all(Intent::verbs("remove | take+off | take").about("coding")),
    ]
}

/// The coded segments that are meant: of a segment without a code, those that lie where it does.
fn coded_at(session: &Session, ids: Vec<SegmentId>) -> BTreeSet<SegmentId> {
    let is_coded = |segment: &Segment| !segment.codings.is_empty();
    let place = |id: &SegmentId| session.segments.get(id).filter(|segment| !is_coded(segment));
    let there = |place| {
        let coded = session.segments.iter().filter(move |(_, it)| is_coded(it) && is_at(it, place));
        coded.map(|(id, _)| *id)
    };
    let found: Vec<SegmentId> = ids.iter().filter_map(place).flat_map(there).collect();
    ids.into_iter().chain(found).collect()
}

/// Whether one segment is about another: the middle of one lies in the other. Segments that only touch are about their
/// own.
fn is_at(one: &Segment, other: &Segment) -> bool {
    let is_in = |at: &Segment, segment: &Segment| {
        let middle = Frames(at.start.0 + at.length.0 / 2);
        segment.start <= middle && middle < segment.end()
    };
    one.source == other.source && (is_in(one, other) || is_in(other, one))
}

impl TypedTool for Uncode {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_uncode",
            "Remove codings",
            "Removes codings: of a batch or of some segments, of one code or of all. Segments made for these \
             codings go too. Returns {codings_removed}.",
            Category::Organize,
            Trust::Suggest,
            vec![
                json!({"batch_id": "batch_0123456789ab"}),
                json!({"segment_id": "seg_0123456789ab", "code": "Budget"}),
            ],
        )
        .cuts()
        .command("codes uncode", "Remove codes from segments, or all codes that one call gave")
        .arg("SEGMENT...", "segment_id", "One batch_… id, or seg_… ids")
        .arg("--coder NAME", "coder", "")
        .offers(Gesture::Uncode)
        .says(says())
        .limit(COMMAND_LIMIT)
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let bad = |message: String, fix: &str| ToolError::prepare(Code::BadParams, message, fix);
        let code = match (&params.code_id, &params.code) {
            (None, None) => None,
            (id, name) => Some(known(session, id.as_deref(), name.as_deref())?),
        };
        let coder = params.coder.map(|who| known_coder(session, &who)).transpose()?;
        let ids = params.segment_id.map(Several::into_vec);
        let is_batch = |id: &String| id.starts_with("batch_");
        let which = match (ids, params.batch_id) {
            (None, None) if params.everywhere && code.is_some() => Which::All,
            (None, Some(batch)) => Which::Batch(batch),
            (Some(ids), None) if ids.len() == 1 && ids.iter().all(is_batch) => {
                Which::Batch(ids.concat())
            }
            (Some(ids), None) if ids.iter().any(is_batch) => {
                let message = "batches and segments cannot be mixed, and only one batch fits";
                return Err(bad(message.to_owned(), "call it once for each batch"));
            }
            (Some(ids), None) => {
                let parsed: Result<_, _> = ids.iter().map(|id| id.parse()).collect();
                let wrong = |error| bad(format!("{error}"), "give ids of segments, or `batch_id`");
                Which::Segments(coded_at(session, parsed.map_err(wrong)?))
            }
            (Some(_), Some(_)) | (None, None) => {
                let message = "it does not say what to take codes off".to_owned();
                return Err(bad(message, "give exactly one of `segment_id` and `batch_id`"));
            }
        };
        let call = Resolved { which, code, coder, is_little: false };
        Ok(Resolved { is_little: call.takes_little(session), ..call })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn trust(call: &Resolved) -> Option<Trust> {
        call.is_little.then_some(Trust::Notify)
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let (taker, talks) = (Taker::new(session), quote::all(session));
        let quotes = Quotes::new(session, &talks);
        let concerned = taker.concerned(|id, coding| call.takes(id, coding));
        let mut draft = Draft::default();
        let mut taken = 0;
        let mut codes = BTreeSet::new();
        for (id, segment, count) in &concerned {
            let mut left = segment.codings.clone();
            left.retain(|coding| !call.takes(*id, coding));
            let goes = segment.codings.iter().filter(|coding| call.takes(*id, coding));
            codes.extend(goes.map(|coding| session.name_of(coding.code.into())));
            let name = quotes.of(segment);
            draft.change(taker.leave(*id, segment, left), name, "as asked");
            taken += count;
        }
        draft.summary = match taken {
            0 => nothing(&call),
            _ => {
                let off = match concerned.as_slice() {
                    [(_, segment, _)] => quotes.quoted(segment),
                    many => count(many.len(), "segment"),
                };
                let codes: Vec<String> = codes.into_iter().collect();
                format!("Take {} off {off}", took(&codes, taken, call.coder.as_deref()))
            }
        };
        draft.answer = Some(json!({"codings_removed": taken}));
        Ok(draft)
    }
}

/// The text about the removed codes, with the coder if only one coder's are removed.
fn took(codes: &[String], taken: usize, coder: Option<&str>) -> String {
    let by = coder.map(|who| format!(" by {who}")).unwrap_or_default();
    if taken > codes.len() {
        format!("{} of {}{by}", count(taken, "coding"), names(codes))
    } else {
        names(codes) + &by
    }
}

/// A coder with codings here, by name.
fn known_coder(session: &Session, wanted: &str) -> Result<String, ToolError> {
    let codings = session.segments.values().flat_map(|segment| &segment.codings);
    let coders: BTreeSet<&str> = codings.map(Coding::coder_name).collect();
    let known = coders.iter().find(|who| is_same(who, wanted)).map(|who| (*who).to_owned());
    let empty = "nothing is coded yet";
    known.ok_or_else(|| none_called("coder", wanted, coders.into_iter(), empty))
}

fn nothing(call: &Resolved) -> String {
    let is_part = call.code.is_some() || call.coder.is_some();
    match &call.which {
        Which::Batch(_) if is_part => "Nothing of that batch is coded so".into(),
        Which::Batch(_) => "Nothing is coded as part of that batch".into(),
        Which::Segments(ids) if ids.len() == 1 => "That segment is not coded so".into(),
        Which::All => "Nothing is coded so".into(),
        Which::Segments(_) => "None of these segments is coded so".into(),
    }
}
