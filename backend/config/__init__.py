"""How the parts are put together: settings, URLs, entry points, commands."""
