"""The crawl store on SQL: the frontier and the results of runners, on SQLite and PostgreSQL, in batches."""
