setInterval(() => fetch("/hostile/browser/tick?" + Math.random()), 100);
