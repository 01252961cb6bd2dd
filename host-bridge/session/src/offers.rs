//! Where the window offers a tool: data in its spec, by which the window calls tools that it does not know by name.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the window offers of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Offers {
    /// The gesture that calls it. Each gesture has one tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gesture: Option<Gesture>,
    /// Its entries in menus.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<MenuEntry>,
    /// What a person does in place of a call, for texts that name the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Instead>,
    /// The numbers that a person turns on the card of its plan. The plan is then made again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dials: Vec<Dial>,
}

/// A parameter that is a number, on the card of a plan. The schema has its range and its usual value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dial {
    /// The parameter.
    pub param: String,
    /// What it does, for people: "Lower by".
    pub label: String,
    /// "dB", "LUFS", "ms"; empty without one.
    pub unit: String,
}

/// An entry in a menu of the window. If the menu belongs to objects, they are the `targets` of the call,
/// unless the entry sets those itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MenuEntry {
    /// The menu.
    pub menu: Menu,
    /// The label.
    pub label: String,
    /// The key or click that does the same, shown next to the label; empty if there is none.
    pub key: String,
    /// The other parameters of the call.
    pub sets: Value,
}

/// A menu that shows entries of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Menu {
    /// The menu of clips.
    Clip,
    /// The menu of an audio track.
    Track,
    /// The menu of a bus.
    Bus,
    /// The buttons of a session without tracks.
    EmptyDesk,
}

/// What a person does in place of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instead {
    /// Says this, which is understood without a model.
    Say(String),
    /// Uses this in the window, or this command in a terminal.
    Use(String),
}

impl Offers {
    /// A person uses this in place of a call: "F2 in Words".
    #[must_use]
    pub fn used(what: &str) -> Self {
        Self { instead: Some(Instead::Use(what.to_owned())), ..Self::default() }
    }

    /// A person says this in place of a call: "transcribe everything".
    #[must_use]
    pub fn said(words: &str) -> Self {
        Self { instead: Some(Instead::Say(words.to_owned())), ..Self::default() }
    }

    /// The same, and a gesture calls it.
    #[must_use]
    pub fn by(self, gesture: Gesture) -> Self {
        Self { gesture: Some(gesture), ..self }
    }

    /// The same, with an entry in a menu.
    #[must_use]
    pub fn entry(mut self, menu: Menu, label: &str, key: &str, sets: Value) -> Self {
        let (label, key) = (label.to_owned(), key.to_owned());
        self.entries.push(MenuEntry { menu, label, key, sets });
        self
    }

    /// The same, with a number on the card of its plan.
    #[must_use]
    pub fn dial(mut self, param: &str, label: &str, unit: &str) -> Self {
        let (param, label, unit) = (param.to_owned(), label.to_owned(), unit.to_owned());
        self.dials.push(Dial { param, label, unit });
        self
    }

    /// Whether the window offers nothing of the tool.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Gesture> for Offers {
    fn from(gesture: Gesture) -> Self {
        Self::default().by(gesture)
    }
}

macro_rules! gestures {
    ($($name:ident)*) => {
        /// Something that a person does by hand in the window: a drag, a key, or a control of its own.
        #[expect(missing_docs, reason = "each is called after what it does")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Gesture {
            $($name,)*
        }

        impl Gesture {
            /// All gestures.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

gestures! {
    // Steps of the history, windows on objects, and the selection.
    UndoStep RedoStep OpenWindow CloseWindow Select
    // Tracks and buses.
    AddTrack MoveTrack RenameTrack ColorTrack RouteTrack GroupTracks
    SetTrackGain SetTrackPan MuteTrack SoloTrack DrawTrackGain SetMasterGain
    // Clips, and time on tracks.
    AddClip RemoveClip DuplicateClip MoveClip SplitClip TrimClip FadeClip Crossfade MuteClip TurnClip RenameClip
    SetClipGain DrawClipGain DeleteTime InsertTime
    // Markers.
    AddMarker MoveMarker RenameMarker RemoveMarker
    // Processors of a strip.
    SetInsert SwitchInsert RemoveInsert
    // Sources of the library.
    ImportAudio ChooseSource RemoveSource
    // Transcripts.
    Transcribe MarkSpeakers SetWords RestoreWords SetSpeaker SetDescription SetImportance
    ImportTranscript
    // Codes.
    SetCode RemoveCode MergeCodes SetMemo CodeRegion Uncode ReportCodes ImportCodebook ExportCodebook
    // The assembly, and takes of its phrases.
    FindPhrases RemovePhrases RestorePhrases ReorderPhrases MarkTakes Tighten ExportAssembly
    // The mix or its tracks as files, and what they will measure.
    ExportMix PredictExport WriteProject LinkProject
    // A plan that is heard before it is decided, and words and questions for the person.
    HearPlan TellPerson
    // What questions about levels are answered with.
    MeasureLevels
}
