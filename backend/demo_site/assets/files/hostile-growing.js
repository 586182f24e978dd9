setInterval(() => {
  for (let number = 0; number < 1000; number++) document.body.append(document.createElement("p"));
}, 100);
