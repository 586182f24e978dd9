"""Where do the tests get PostgreSQL and Redis from? Private ones, that exist as long as they are needed."""
