"""Projects, members, secrets and project files over REST."""
