//! What a known word or phrase can mean.

use crate::levels::Standard;

/// The meaning of a known word or phrase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word {
    /// Something to do.
    Verb(Verb),
    /// A thing that requests are about.
    Noun(Noun),
    /// How the next piece relates to the request.
    Prep(Prep),
    /// Louder or quieter, later or earlier.
    Dir(Dir),
    /// An amount in dB without a number: "a bit".
    Amount(f64),
    /// A signed change in dB without a number: "half as loud".
    Factor(f64),
    /// A delivery standard.
    Standard(Standard),
    /// A side of the stereo image.
    Side(Side),
    /// How far to a side, 0 to 1.
    Extent(f64),
    /// What is brought to a level on its own.
    Per(Per),
    /// Keeping the balance.
    Together,
    /// Opens a list of exceptions.
    Except,
    /// "not".
    Not,
    /// Opens a question.
    Ask(Ask),
    /// A superlative.
    Rank(Top),
    /// "is", "are".
    Be,
    /// Closes "leave … alone".
    Alone,
    /// "off" behind an amount.
    Off,
    /// How often.
    Times(u8),
    /// "and".
    And,
    /// "then": a new request.
    Then,
    /// Says nothing.
    Filler,
}

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Normalize,
    Stage,
    Strip,
    Remove,
    Cut,
    Drop,
    Set,
    Turn,
    Change,
    Bring,
    Give,
    Raise,
    Lower,
    Knock,
    Mute,
    Unmute,
    Solo,
    Unsolo,
    Pan,
    Rename,
    Call,
    RenameFromFiles,
    Move,
    Nudge,
    Split,
    Duplicate,
    Trim,
    Add,
    Mark,
    Route,
    Send,
    Group,
    Select,
    RippleDelete,
    RippleInsert,
    CloseGaps,
    KeepGaps,
    Undo,
    Redo,
    Touch,
    Leave,
    OnlyHear,
    Separate,
    Denoise,
    Align,
    Duck,
    LevelOut,
    Match,
    Master,
    Classify,
    AnalyzeAll,
    Find,
}

/// A thing that requests are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noun {
    Gain,
    ClipGain,
    Unity,
    Loudness,
    TruePeak,
    SamplePeak,
    Peak,
    Rms,
    Range,
    Momentary,
    ShortTerm,
    NoiseFloor,
    Silence,
    Fade,
    FadeIn,
    FadeOut,
    FadeInOut,
    Crossfade,
    Overlap,
    Track,
    Bus,
    Clip,
    Source,
    Marker,
    Group,
    Selected,
    Tempo,
    Bpm,
    Meter,
    Color,
    PanSetting,
    Output,
    Muted,
    Soloed,
    Clipping,
    Length,
    Start,
    Step,
    Level,
    Stems,
    Noise,
    Hum,
    DcOffset,
    Bleed,
    Beats,
    Onsets,
    Parts,
    Key,
    Spectrum,
    Problems,
    CompactDisc,
}

/// How a piece relates to the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Prep {
    To,
    By,
    At,
    From,
    Until,
    On,
    Of,
    In,
    For,
    With,
    Over,
    OverLast,
    OverFirst,
    As,
    Named,
    AtMost,
    AtLeast,
    Below,
    Through,
    Between,
}

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dir {
    Up,
    Down,
    Later,
    Earlier,
}

/// A side of the stereo image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Center,
}

/// What is brought to a level on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    Clip,
    Track,
}

/// How a question opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    What,
    HowLoud,
    HowMany,
    HowLong,
    Where,
    Show,
    Measure,
    History,
    Help,
    /// Questions that nothing can answer: "why", "should I".
    Other,
}

/// A superlative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Top {
    Loudest,
    Quietest,
    Highest,
    Lowest,
}
