"""What a text means: numbers, prices, dates, links, images and safe HTML."""
