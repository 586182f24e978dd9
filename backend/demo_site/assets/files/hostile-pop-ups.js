for (let number = 0; number < 5; number++) open("/hostile/browser/popped?n=" + number, "_blank");
