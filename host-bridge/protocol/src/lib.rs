//! What front ends say and hear.
