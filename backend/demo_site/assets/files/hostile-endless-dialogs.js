while (true) alert("again");
