addEventListener("load", () => { location = "/hostile/browser/wandering?n=" + Date.now(); });
