"""Our own website: friendly, dynamic and hostile."""
