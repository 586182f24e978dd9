"""What `./gleaner` does before the virtual environment exists; standard library only."""
