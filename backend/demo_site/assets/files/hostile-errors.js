setInterval(() => { throw new Error("again"); }, 10);
