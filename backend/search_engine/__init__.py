"""From documents to ranked answers; knows no Django."""
