//! The session as a value: tracks, clips, sources, markers, the closed set of changes, the history,
//! and the plan that proposes changes.
//!
//! Thread: any. A [`Session`] is plain data that is cloned, compared and sent.
//!
//! Does not know: threads, devices, files, databases, tools. The serde shape of these types is the one
//! written form, in the store, on the wire and in plan files.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod apply;
pub mod assembly;
pub mod binding;
pub mod change;
pub mod clip;
pub mod code;
pub mod command_line;
pub mod conversation;
pub mod crossing;
pub mod digest;
pub mod effect;
pub mod handle;
pub mod history;
pub mod ids;
pub mod insert;
pub mod intent;
mod loose_segments;
pub mod marker;
pub mod measure;
pub mod offers;
pub mod plain_words;
pub mod plan;
pub mod playing;
pub mod provisional;
pub mod reads;
pub mod receipt;
pub mod recorded;
pub mod ripple;
pub mod segment;
pub mod selection;
pub mod session;
pub mod source;
pub mod split;
pub mod tempo;
pub mod text;
pub mod tool_error;
pub mod tool_name;
pub mod track;
pub mod transcript;
pub mod trust;

pub use apply::{ApplyError, Conflict, InvalidChange};
pub use assembly::{Assembly, Duplicates, Phrase, Spoken};
pub use binding::{Binding, HostRef};
pub use change::{Change, Edit};
pub use clip::{Clip, ClipPlace, ClipWindow, Fades};
pub use code::Code;
pub use command_line::CommandLine;
pub use conversation::{PartKind, Said};
pub use crossing::Crossing;
pub use effect::ToolEffect;
pub use handle::{Handle, ParseHandleError, TalkPart};
pub use history::{Author, Course, HeadMove, History, Revision, RevisionId, Takes};
pub use ids::{
    ClipId, CodeId, GroupId, IdSeed, InsertId, MarkerId, ObjectId, PhraseId, PlanId, SegmentId,
    SessionId, SourceId, TrackId,
};
pub use insert::{InsertOwner, PlacedInsert, Switch};
pub use marker::{Marker, MarkerSpan};
pub use measure::{Finding, Measure};
pub use plan::{
    Artifact, OfferStep, Plan, PlanOffer, PlanPart, PlanState, PlannedChange, Prediction,
    StoredPlan, Verify,
};
pub use playing::Playing;
pub use provisional::Provisional;
pub use reads::{Aspect, Read};
pub use receipt::{Landed, Measured, Played, Receipt};
pub use recorded::{Evidence, OutOfSync, RecordedTogether, out_of_sync, recorded_together};
pub use ripple::Ripple;
pub use segment::{
    BLEED_OF, Coding, Description, Fact, FrequencyBand, NOTHING_SAID, Segment, Word,
};
pub use selection::{Selection, TimeRange};
pub use session::Session;
pub use source::{ContentHash, Media, SameSound, Source};
pub use split::SplitState;
pub use tempo::{Meter, MeterPoint, TempoPoint};
pub use track::{Color, Group, Output, Track, TrackKind};
pub use transcript::Transcript;
pub use trust::{Category, Trust};
