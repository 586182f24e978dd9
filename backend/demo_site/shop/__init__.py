"""The friendly shop: a marketplace with 500 products."""
