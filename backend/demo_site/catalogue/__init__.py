"""What the shops sell and the magazine writes about: made by a seeded generator, the same in every process."""
