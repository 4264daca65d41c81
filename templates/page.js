"use strict";
// The page is readable without this: it narrows down what is shown, and lists what the page only holds as data.
(() => {
  const STEP = 500; // rows of data that are drawn at once
  const panel = document.querySelector(".filter");
  const text = document.getElementById("text");
  const project = document.getElementById("project");
  const found = document.getElementById("found");
  const plain = (words) => words.normalize("NFKC").toLowerCase();
  const rows = [...document.querySelectorAll(".row")].map((element) => ({
    element,
    project: element.dataset.project,
    words: plain([...element.querySelectorAll(".words, .project, .handle, a")].map((part) => part.textContent).join(" ")),
  }));
  const lists = [...document.querySelectorAll(".group, #priorities")];
  const opened = new Map();
  const rest = document.querySelector(".rest");
  const further = rest ? read(JSON.parse(document.getElementById("further").textContent)) : [];
  let waiting = []; // rows of data that fit and are not drawn

  function read({ files, projects, rows }) {
    return rows.map(([number, words, own, at, line, handle, lang]) => {
      const [name, href, hasLines] = files[at];
      const place = `${name}:${line}`;
      return {
        number, handle, said: words, project: projects[own], place, lang: lang ?? "", href: hasLines ? href + line : href,
        words: plain(`${words} ${projects[own]} ${handle} ${place}`),
      };
    });
  }

  function made(tag, name, content) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.textContent = content;
    return element;
  }

  function drawn(row) {
    const [item, line] = [made("li", "row", ""), made("p", "", "")];
    const [words, link] = [made("span", "words", row.said), made("a", "", row.place)];
    words.dir = "auto";
    if (row.lang) words.lang = row.lang;
    link.href = row.href;
    line.append(words, " ", made("code", "handle", row.handle), " ", made("span", "project", row.project), " ", link);
    item.append(made("span", "number", row.number), line);
    return item;
  }

  function drawMore() {
    rest.querySelector(".rows").append(...waiting.splice(0, STEP).map(drawn));
    const button = rest.querySelector("button");
    button.hidden = waiting.length === 0;
    button.textContent = `Show ${Math.min(STEP, waiting.length)} more`;
  }

  function narrow() {
    const wanted = plain(text.value).split(/\s+/).filter(Boolean);
    const active = wanted.length > 0 || project.value !== "";
    const fits = (row) =>
      (!project.value || row.project === project.value) && wanted.every((word) => row.words.includes(word));
    let count = 0;
    for (const row of rows) {
      const shown = fits(row);
      row.element.hidden = !shown;
      count += shown;
    }
    if (rest) {
      waiting = further.filter(fits);
      count += waiting.length;
      rest.querySelector(".rows").replaceChildren();
      unfold(rest, active, waiting.length > 0);
      if (rest.open) drawMore();
    }
    for (const list of lists) unfold(list, active, list.querySelector(".row:not([hidden])") !== null);
    for (const more of document.querySelectorAll(".more, .projects")) more.hidden = active;
    found.textContent = active ? `${count} of the ${rows.length + further.length} listed` : "";
  }

  // A closed list would hide what was found in it; afterwards it is as it was.
  function unfold(list, active, any) {
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

  if (rest) {
    rest.hidden = false;
    rest.querySelector("button").addEventListener("click", drawMore);
    rest.addEventListener("toggle", () => {
      if (rest.open && !rest.querySelector(".row")) drawMore();
    });
  }
  panel.hidden = false;
  text.addEventListener("input", narrow);
  project.addEventListener("change", narrow);
  panel.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  narrow(); // a browser may have kept what was typed before a reload
})();
