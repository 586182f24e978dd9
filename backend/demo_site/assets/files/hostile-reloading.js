addEventListener("load", () => location.reload());
