location = "/hostile/browser/file";
