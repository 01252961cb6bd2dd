//! What a tool is, and the pool that runs it.
