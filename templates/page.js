"use strict";
// Everything is readable without this: it only narrows down what is shown.
(() => {
  const panel = document.querySelector(".filter");
  const text = document.getElementById("text");
  const project = document.getElementById("project");
  const found = document.getElementById("found");
  const plain = (words) => words.normalize("NFKC").toLowerCase();
  const rows = [...document.querySelectorAll(".row")].map((element) => ({
    element,
    project: element.dataset.project,
    words: plain([...element.querySelectorAll(".words, .project, a")].map((part) => part.textContent).join(" ")),
  }));
  const lists = [...document.querySelectorAll(".group, #priorities")];
  const opened = new Map();

  function narrow() {
    const wanted = plain(text.value).split(/\s+/).filter(Boolean);
    const active = wanted.length > 0 || project.value !== "";
    let count = 0;
    for (const row of rows) {
      const fits = (!project.value || row.project === project.value) && wanted.every((word) => row.words.includes(word));
      row.element.hidden = !fits;
      count += fits;
    }
    for (const list of lists) unfold(list, active);
    for (const more of document.querySelectorAll(".more, .projects")) more.hidden = active;
    found.textContent = active ? `${count} of the ${rows.length} listed` : "";
  }

  // A closed list would hide what was found in it; afterwards it is as it was.
  function unfold(list, active) {
    const any = list.querySelector(".row:not([hidden])") !== null;
    if (list.tagName !== "DETAILS") return;
    list.hidden = active && !any;
    if (active) {
      if (!opened.has(list)) opened.set(list, list.open);
      list.open = any;
    } else if (opened.has(list)) {
      list.open = opened.get(list);
      opened.delete(list);
    }
  }

  panel.hidden = false;
  text.addEventListener("input", narrow);
  project.addEventListener("change", narrow);
  panel.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  narrow(); // a browser may have kept what was typed before a reload
})();
