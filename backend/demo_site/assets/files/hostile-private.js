// Every way a page can reach for another server; ?canary=http://… names one that counts who comes.
const canary = new URLSearchParams(location.search).get("canary") ?? "http://169.254.169.254";
const put = (name, attributes) => document.body.append(Object.assign(document.createElement(name), attributes));
put("img", { src: canary + "/img" });
put("iframe", { src: canary + "/iframe" });
put("script", { src: canary + "/script" });
put("link", { rel: "stylesheet", href: canary + "/style" });
put("link", { rel: "prefetch", href: canary + "/prefetch" });
put("link", { rel: "preconnect", href: canary });
put("video", { src: canary + "/video" });
put("object", { data: canary + "/object" });
fetch(canary + "/fetch", { mode: "no-cors" }).catch(() => {});
navigator.sendBeacon(canary + "/beacon", "x");
try { new WebSocket(canary.replace("http", "ws") + "/socket"); } catch (fault) { console.log(String(fault)); }
try { new EventSource(canary + "/events"); } catch (fault) { console.log(String(fault)); }
