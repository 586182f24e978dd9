"""The second shop: a German discounter with table markup, windows-1252 and partly the same products."""
