"""Django's PostgreSQL, with connections that a web process keeps from one request to the next."""
