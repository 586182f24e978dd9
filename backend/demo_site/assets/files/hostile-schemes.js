for (const target of ["file:///etc/passwd", "chrome://settings", "data:text/html,x", "view-source:" + location]) {
  try { open(target); location = target; } catch (fault) { console.log(String(fault)); }
}
