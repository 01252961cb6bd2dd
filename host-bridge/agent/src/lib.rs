//! The conversation: the offline planner.
