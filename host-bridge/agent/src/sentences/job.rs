//! What a sentence can ask for.

use super::advice::Advice;

/// A kind of sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    ImportTranscript,
    Important,
    Unimportant,
    FindPhrases,
    ListPhrases,
    FindDuplicates,
    KeepTake,
    PhraseFirst,
    PhraseLast,
    PhraseBefore,
    PhraseBehind,
    SwapPhrases,
    RemovePhrases,
    RestorePhrases,
    RestoreAll,
    RemoveHum,
    Deliver,
    SplitStems,
    Classify,
    LevelSpeech,
    ClipBehind,
    CutRange,
    WithoutStem,
    Flaw,
    Wish,
    Nuisance,
    Recording,
    Looking,
    Saving,
    Leaving,
    NotMade,
    StemFiles,
    NeedsModel,
    ChooseTake,
    ChooseEach,
    RankTakes,
    TakesOf,
    AreTakes,
    RemoveDuplicates,
    AskTakes,
    PlayTake,
    PlayPhrase,
    SeekPhrase,
    LoopPhrase,
    PhraseBetween,
    PhraseUp,
    PhraseDown,
    PhraseNth,
    SwapNext,
    SwapBefore,
    OrderAs,
    OriginalOrder,
    ReverseOrder,
    KeepOnly,
    AskRemoved,
    RestoreGone,
    HowLong,
    RoughBest,
    EditPauses,
    FillersTone,
    ToneAlone,
    OtherFillers,
    ExportHow,
    ExportForeign,
    CorrectPhrase,
    CorrectIn,
    CorrectAll,
    CorrectOnce,
    RemoveBefore,
    RemoveBehind,
    CutBefore,
    CutBehind,
    CutFirst,
    CutLast,
    AddChapter,
    IsItClipping,
    CutWord,
    HushWord,
    CodePhrase,
    ToPhrase,
    BehindPhrase,
    LouderPhrase,
    QuieterPhrase,
    SelectPhrase,
    /// What no tool does.
    Advice(Advice),
}

impl Job {
    /// Whether its words mean something else where nothing is assembled.
    pub(super) fn needs_assembly(self) -> bool {
        matches!(
            self,
            Self::AskTakes
                | Self::ChooseTake
                | Self::ChooseEach
                | Self::RankTakes
                | Self::RemoveDuplicates
                | Self::OrderAs
                | Self::PlayTake
                | Self::AskRemoved
                | Self::OriginalOrder
                | Self::ReverseOrder
                | Self::KeepOnly
                | Self::EditPauses
        )
    }
}
