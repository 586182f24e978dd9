addEventListener("beforeunload", (leave) => { leave.preventDefault(); leave.returnValue = "stay"; });
