navigator.geolocation.getCurrentPosition(() => {});
if ("Notification" in window) Notification.requestPermission();
navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => {});
