"""What a page says beside its documents: title, text, language, links, directives, quality."""
