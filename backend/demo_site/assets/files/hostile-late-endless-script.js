setTimeout(() => { while (true) {} }, 500);
