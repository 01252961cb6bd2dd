//! What a sentence can ask for.

use super::advice::Advice;

/// A kind of sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Transcribe,
    TranscribeAgain,
    TranscribeVerbatim,
    ImportTranscript,
    ExportTranscript,
    MarkSpeakers,
    Turns,
    Transcript,
    DescribeSpeech,
    Search,
    CodeExact,
    CodeStart,
    CodeEnd,
    CodeSentences,
    CodeQuestions,
    CodeSimilar,
    CodeRegion,
    NewCode,
    RenameCode,
    DescribeCode,
    MoveCode,
    MergeCodes,
    RemoveCode,
    Memo,
    Important,
    Unimportant,
    CountCodes,
    CodesTogether,
    CodesOverlap,
    Quotes,
    Agreement,
    ExportCodebook,
    ImportCodebook,
    ExportProject,
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
    CutTics,
    ShortenPauses,
    Tighten,
    TightenWords,
    Finish,
    ExportAssembly,
    RemoveHum,
    Deliver,
    DeliverTo,
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
    Subtitles,
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
    CloseGaps,
    FillersTone,
    ToneAlone,
    OtherFillers,
    ExportHow,
    ExportForeign,
    ExportSpeakerless,
    NameSpeaker,
    MarkByTrack,
    Uncode,
    UncodeSelected,
    UncodeAll,
    ColorCode,
    UncolorCode,
    NoColor,
    RemoveMemo,
    ExportReport,
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
    /// Whether it puts a code on what is said, which can be held to a part of what was recorded.
    pub(super) fn codes_words(self) -> bool {
        matches!(
            self,
            Self::CodeExact
                | Self::CodeStart
                | Self::CodeEnd
                | Self::CodeSentences
                | Self::CodeQuestions
                | Self::CodeSimilar
        )
    }

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
