"""The dynamic part: pages that show nothing, or not everything, without a browser."""
