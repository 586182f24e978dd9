"""Projects: what groups everything, who may do what in it, its secrets and its file."""
