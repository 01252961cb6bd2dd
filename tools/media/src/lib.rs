//! Audio files: probe, decode, conform, write.
