"""The commands of the door, one module each: `parser()` for its options and help, `run()` for the work."""
