alert("one"); confirm("two"); prompt("three");
