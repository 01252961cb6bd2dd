//! The closed set of changes: the smallest edits, each with its inverse and its precondition.

use crate::assembly::{Assembly, Phrase};
use crate::binding::Binding;
use crate::clip::{Clip, ClipPlace, ClipWindow, Fades};
use crate::code::Code;
use crate::ids::{
    ClipId, CodeId, GroupId, InsertId, MarkerId, ObjectId, PhraseId, SegmentId, SessionId,
    SourceId, TrackId,
};
use crate::insert::PlacedInsert;
use crate::marker::{Marker, MarkerSpan};
use crate::ripple::Ripple;
use crate::segment::{Description, Segment};
use crate::selection::Selection;
use crate::source::Source;
use crate::split::SplitState;
use crate::tempo::{MeterPoint, TempoPoint};
use crate::track::{Color, Group, Output, PlacedTrack};
use deskhand_dsp::{Decibels, EnvelopePoint, Polarity};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A value of one object, as it must be now (`before`) and as it will be (`after`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit<T, V> {
    /// The object.
    pub target: T,
    /// The precondition: the whole value now; `null` for "does not exist".
    pub before: V,
    /// The whole value afterwards.
    pub after: V,
}

impl<T, V> Edit<T, V> {
    /// An edit of `target` from `before` to `after`.
    pub fn new(target: T, before: V, after: V) -> Self {
        Self { target, before, after }
    }

    fn inverse(self) -> Self {
        Self { target: self.target, before: self.after, after: self.before }
    }
}

impl<T, V> Edit<T, Option<V>> {
    /// An edit that makes `target`.
    pub fn create(target: T, value: V) -> Self {
        Self::new(target, None, Some(value))
    }

    /// An edit that removes `target`.
    pub fn remove(target: T, value: V) -> Self {
        Self::new(target, Some(value), None)
    }
}

/// Declares the changes once: variant, target, value, name for people and the op of the inverse.
macro_rules! changes {
    ($($(#[$doc:meta])* $variant:ident($target:ty, $value:ty) = $op:literal inverse $inverse:ident;)*) => {
        /// The smallest invertible edit. In JSON: `{"op", "target", "before", "after"}`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "op", rename_all = "snake_case")]
        pub enum Change {
            $($(#[$doc])* $variant(Edit<$target, $value>),)*
        }

        impl Change {
            /// Every op name, in the order of declaration.
            pub const OPS: &'static [&'static str] = &[$($op),*];

            /// The op as written in JSON.
            #[must_use]
            pub fn op(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $op,)*
                }
            }

            /// The object that is changed.
            #[must_use]
            pub fn target(&self) -> ObjectId {
                match self {
                    $(Self::$variant(edit) => edit.target.into(),)*
                }
            }

            /// The change that takes this one back.
            #[must_use]
            pub fn inverse(self) -> Self {
                match self {
                    $(Self::$variant(edit) => Self::$inverse(edit.inverse()),)*
                }
            }

            /// Whether nothing would change.
            #[must_use]
            pub fn is_identity(&self) -> bool {
                match self {
                    $(Self::$variant(edit) => edit.before == edit.after,)*
                }
            }
        }
    };
}

changes! {
    /// Adds a track or bus at an index.
    AddTrack(TrackId, Option<PlacedTrack>) = "add_track" inverse RemoveTrack;
    /// Removes a track that has no clips and feeds nothing.
    RemoveTrack(TrackId, Option<PlacedTrack>) = "remove_track" inverse AddTrack;
    /// Moves a track in the list.
    MoveTrack(TrackId, usize) = "move_track" inverse MoveTrack;
    /// Names a track.
    RenameTrack(TrackId, String) = "rename_track" inverse RenameTrack;
    /// Sets the fader, in dB.
    SetTrackGain(TrackId, Decibels) = "set_track_gain" inverse SetTrackGain;
    /// Sets the pan, -1 to 1.
    SetTrackPan(TrackId, f64) = "set_track_pan" inverse SetTrackPan;
    /// Mutes or unmutes.
    SetTrackMute(TrackId, bool) = "set_track_mute" inverse SetTrackMute;
    /// Solos or unsolos.
    SetTrackSolo(TrackId, bool) = "set_track_solo" inverse SetTrackSolo;
    /// Sets or clears the color.
    SetTrackColor(TrackId, Option<Color>) = "set_track_color" inverse SetTrackColor;
    /// Routes a track to a bus or to the master.
    SetTrackOutput(TrackId, Output) = "set_track_output" inverse SetTrackOutput;
    /// Makes, changes or removes a group.
    SetGroup(GroupId, Option<Group>) = "set_group" inverse SetGroup;
    /// Adds a clip.
    AddClip(ClipId, Option<Clip>) = "add_clip" inverse RemoveClip;
    /// Removes a clip.
    RemoveClip(ClipId, Option<Clip>) = "remove_clip" inverse AddClip;
    /// Adds a copy of a clip; `target` is the copy.
    DuplicateClip(ClipId, Option<Clip>) = "duplicate_clip" inverse RemoveClip;
    /// Moves a clip in time or to another track.
    MoveClip(ClipId, ClipPlace) = "move_clip" inverse MoveClip;
    /// Changes which region of its source a clip shows.
    TrimClip(ClipId, ClipWindow) = "trim_clip" inverse TrimClip;
    /// Splits a clip in two, or joins the two again.
    SplitClip(ClipId, SplitState) = "split_clip" inverse SplitClip;
    /// Names a clip.
    RenameClip(ClipId, String) = "rename_clip" inverse RenameClip;
    /// Sets the gain of a clip, in dB.
    SetClipGain(ClipId, Decibels) = "set_clip_gain" inverse SetClipGain;
    /// Sets the fades of a clip; one that the change leaves alone may be another by now.
    SetClipFades(ClipId, Fades) = "set_clip_fades" inverse SetClipFades;
    /// Removes time from all tracks of a group and closes the gap.
    RippleDelete(GroupId, Ripple) = "ripple_delete" inverse RippleInsert;
    /// Inserts time into all tracks of a group.
    RippleInsert(GroupId, Ripple) = "ripple_insert" inverse RippleDelete;
    /// Adds a marker.
    AddMarker(MarkerId, Option<Marker>) = "add_marker" inverse RemoveMarker;
    /// Removes a marker.
    RemoveMarker(MarkerId, Option<Marker>) = "remove_marker" inverse AddMarker;
    /// Moves a marker or changes its length.
    MoveMarker(MarkerId, MarkerSpan) = "move_marker" inverse MoveMarker;
    /// Names a marker.
    RenameMarker(MarkerId, String) = "rename_marker" inverse RenameMarker;
    /// Sets or clears the code of a marker.
    SetMarkerCode(MarkerId, Option<String>) = "set_marker_code" inverse SetMarkerCode;
    /// Adds a source to the library.
    AddSource(SourceId, Option<Source>) = "add_source" inverse RemoveSource;
    /// Removes a source without clips from the library; its file stays.
    RemoveSource(SourceId, Option<Source>) = "remove_source" inverse AddSource;
    /// Selects tracks, clips and time.
    SetSelection(SessionId, Selection) = "set_selection" inverse SetSelection;
    /// Chooses the source that is worked on in the library.
    SetCurrentSource(SessionId, Option<SourceId>) = "set_current_source" inverse SetCurrentSource;
    /// Sets the gain of the mix, in dB.
    SetMasterGain(SessionId, Decibels) = "set_master_gain" inverse SetMasterGain;
    /// Sets the tempo over time.
    SetTempo(SessionId, Vec<TempoPoint>) = "set_tempo" inverse SetTempo;
    /// Sets the meter over time.
    SetMeter(SessionId, Vec<MeterPoint>) = "set_meter" inverse SetMeter;
    /// Sets the gain of a track over time.
    SetTrackEnvelope(TrackId, Vec<EnvelopePoint>) = "set_track_envelope" inverse SetTrackEnvelope;
    /// Sets the gain of a clip over time, at frames of its source.
    SetClipEnvelope(ClipId, Vec<EnvelopePoint>) = "set_clip_envelope" inverse SetClipEnvelope;
    /// Makes, changes, moves or removes a processor.
    SetInsert(InsertId, Option<PlacedInsert>) = "set_insert" inverse SetInsert;
    /// Makes, changes or removes a described piece of a source.
    SetSegment(SegmentId, Option<Segment>) = "set_segment" inverse SetSegment;
    /// Sets what is known of a segment.
    SetDescription(SegmentId, Description) = "set_description" inverse SetDescription;
    /// Marks a segment as important, or not.
    SetImportance(SegmentId, bool) = "set_importance" inverse SetImportance;
    /// Makes, changes or removes a code of the codebook.
    SetCode(CodeId, Option<Code>) = "set_code" inverse SetCode;
    /// Writes, changes or removes the note on a code, segment or source.
    SetMemo(ObjectId, Option<String>) = "set_memo" inverse SetMemo;
    /// Makes, changes or removes a phrase.
    SetPhrase(PhraseId, Option<Phrase>) = "set_phrase" inverse SetPhrase;
    /// Sets which phrases play, in which order.
    SetAssembly(SessionId, Assembly) = "set_assembly" inverse SetAssembly;
    /// Mutes or unmutes a clip.
    SetClipMute(ClipId, bool) = "set_clip_mute" inverse SetClipMute;
    /// Sets the polarity of a clip.
    SetClipPolarity(ClipId, Polarity) = "set_clip_polarity" inverse SetClipPolarity;
    /// Binds the session to a project of a DAW, or takes the bond away.
    SetBinding(SessionId, Option<Arc<Binding>>) = "set_binding" inverse SetBinding;
}

impl Change {
    /// The unit of `before` and `after`, if they are one number.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.op() {
            "set_track_gain" | "set_clip_gain" | "set_master_gain" => Some("dB"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_form_is_op_target_before_after() {
        let edit = Edit::new(ClipId::new(1), Decibels(-3.0), Decibels(1.5));
        let json = serde_json::to_value(Change::SetClipGain(edit)).unwrap();
        let expected = serde_json::json!({
            "op": "set_clip_gain", "target": "clip_000000000001", "before": -3.0, "after": 1.5
        });
        assert_eq!(json, expected);
    }

    #[test]
    fn adding_and_removing_are_inverses() {
        let marker = Marker {
            name: "Verse".into(),
            position: deskhand_dsp::Frames(5),
            length: deskhand_dsp::Frames::ZERO,
            code: None,
        };
        let add = Change::AddMarker(Edit::create(MarkerId::new(1), marker.clone()));
        let remove = Change::RemoveMarker(Edit::remove(MarkerId::new(1), marker));
        assert_eq!(add.clone().inverse(), remove);
        assert_eq!(add.clone().inverse().inverse(), add);
    }

    #[test]
    fn op_names_are_those_of_serde() {
        let json = r#"{"op":"paint_clip","target":"clip_000000000001","before":1,"after":2}"#;
        let error = serde_json::from_str::<Change>(json).unwrap_err().to_string();
        for op in Change::OPS {
            assert!(error.contains(&format!("`{op}`")), "{op} is not in: {error}");
        }
    }
}
