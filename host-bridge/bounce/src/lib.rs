//! Offline rendering of a session through the engine.
