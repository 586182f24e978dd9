"""How does a bare machine become one that runs Gleaner? By steps, each repeated only when its inputs change."""
