const kept = [];
setInterval(() => kept.push(new Array(5e6).fill(Math.random())), 20);
