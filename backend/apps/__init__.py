"""The nouns: models, services, selectors; one app per noun."""
