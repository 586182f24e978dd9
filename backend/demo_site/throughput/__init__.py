"""Any number of product-like pages made on demand, cheap enough not to dominate a benchmark."""
