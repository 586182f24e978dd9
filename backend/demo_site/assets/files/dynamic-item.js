"use strict";
const number = location.pathname.split("/").pop();
load("/dynamic/api/item/" + number).then((item) => {
  document.title = item.name;
  const place = document.querySelector("#item");
  const picture = element("img", "picture");
  picture.src = item.image;
  picture.alt = item.name;
  place.append(element("h1", "name", item.name), picture, element("p", "brand", item.brand));
  place.append(element("p", "price", item.price), element("p", "summary", item.summary));
  document.querySelector("#state").remove();
});
