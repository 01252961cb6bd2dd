//! Session to Schedule.
