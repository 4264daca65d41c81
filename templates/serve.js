"use strict";
// What the served page does beside being read: it acts, says what came of it, and loads itself again when the vault changes.
(() => {
  const VERSION = "@version";
  const KEPT = "wrapgen"; // what a reload must not lose, in the memory of this tab
  const bar = made("div", { className: "acted" });
  const said = made("p", { role: "status" });
  bar.append(said);
  document.body.append(bar);

  function made(tag, properties, ...children) {
    const { role, ...others } = properties;
    const element = Object.assign(document.createElement(tag), others);
    if (role) element.setAttribute("role", role);
    element.append(...children);
    return element;
  }

  function button(label, words, click) {
    const element = made("button", { type: "button", textContent: label });
    element.setAttribute("aria-label", words ? `${label}: ${words}` : label);
    element.addEventListener("click", () => click(element));
    return element;
  }

  let acting = false;
  let leaving = false;
  let told = {}; // the last words, and the receipt that they are about
  function tell(text, undo, ...buttons) {
    told = { text, undo };
    said.textContent = text;
    if (undo) buttons.push(button("Undo", "", (it) => act(it, { do: "undo", receipt: undo }, "Undone")));
    bar.replaceChildren(said, ...buttons);
    bar.classList.toggle("shown", text !== "");
  }

  const listOf = (row) => row.closest("#priorities, .group");
  const rowsOf = (list) => [...list.querySelectorAll(".row[data-id]")];

  function reload() {
    if (leaving) return;
    leaving = true;
    const row = document.activeElement?.closest(".row[data-id]");
    const list = row && listOf(row);
    const focus = row && { list: list.id, index: rowsOf(list).indexOf(row), id: row.dataset.id, name: document.activeElement.textContent };
    const open = [...document.querySelectorAll("details.group[open]")].map((one) => one.id);
    const adds = document.activeElement?.closest(".adding") != null;
    sessionStorage.setItem(KEPT, JSON.stringify({ open, focus, adds, ...told }));
    location.reload();
  }

  function restore() {
    const { open = [], focus, adds, text = "", undo } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    sessionStorage.removeItem(KEPT);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (text) tell(text, undo);
    if (adds) document.querySelector(".adding input")?.focus({ preventScroll: true });
    const list = focus && document.getElementById(focus.list);
    if (!list) return;
    const rows = rowsOf(list);
    const same = rows.find((one) => one.dataset.id === focus.id);
    const row = same ?? rows[Math.min(focus.index, rows.length - 1)];
    const buttons = row ? [...row.querySelectorAll(".acts button, .acts summary")] : [];
    const target = buttons.find((one) => one.textContent === focus.name && one.checkVisibility()) ?? buttons[0];
    (target ?? document.querySelector(".skip")).focus({ preventScroll: true });
  }

  async function act(it, action, text) {
    const here = it.closest(".acts, .acted");
    const buttons = [...here.querySelectorAll("button")];
    acting = true;
    for (const one of buttons) one.disabled = true;
    tell("…");
    let done = { ok: false, said: "`wrap serve` has ended: nothing was changed. Start it again." };
    try {
      const answer = await fetch("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(action) });
      done = answer.ok ? await answer.json() : { ok: false, said: await answer.text() };
    } catch { /* said above */ }
    acting = false;
    for (const one of buttons) one.disabled = false;
    it.focus();
    const words = [text, done.said].filter(Boolean).join(" · ");
    tell(done.ok ? words : `Not done: ${done.said}`, done.undo);
    if (done.ok) reload();
  }

  function menu(words, ...buttons) {
    const summary = made("summary", { textContent: "More" });
    summary.setAttribute("aria-label", `More: ${words}`);
    const details = made("details", { className: "menu" }, summary, made("div", {}, ...buttons));
    details.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      details.open = false;
      summary.focus();
    });
    return details;
  }

  function openActs(row, item, words) {
    const doing = (label, action, text) => button(label, words, (it) => act(it, { item, ...action }, `${text}: ${words}`));
    const snooze = (label, until) => doing(label, { do: "snooze", until }, `Hidden, ${label.toLowerCase()}`);
    const said = row.querySelector(".said") !== null;
    const above = row.previousElementSibling?.dataset.id;
    const merged = [...row.querySelectorAll(".evidence li > p")].some((one) => one.textContent.trim().startsWith("also in"));
    return [
      doing("Done", { do: "done" }, "Done"),
      said ? doing("Not first", { do: "next", clear: true }, "No longer first") : doing("First", { do: "next" }, "Put first"),
      menu(
        words,
        snooze("Until tomorrow", "tomorrow"),
        snooze("For a week", "1w"),
        snooze("For a month", "1m"),
        doing("Still open", { do: "verdict", verdict: "open" }, "Judged open"),
        doing("Not work", { do: "verdict", verdict: "not_work" }, "Left out, no work"),
        ...(above ? [doing("Same as the one above", { do: "verdict", verdict: "same_as", other: above }, "Merged with the one above")] : []),
        ...(merged ? [doing("Un-merge", { do: "keep" }, "No longer merged")] : []),
      ),
    ];
  }

  function filing(row, item) {
    const { text, route, task } = row.dataset;
    const own = row.querySelector(".project")?.textContent ?? "";
    const places = new Map();
    const add = (label, where) => places.set(label, where);
    if (route === "active") add(`${own} / ${task}`, { route, project: own, task });
    if (route === "project") add(`project ${own}`, { route, project: own });
    add("today’s journal", { route: "journal" });
    for (const name of projects()) if (!places.has(`project ${name}`)) add(`project ${name}`, { route: "project", project: name });
    const words = made("input", { type: "text", defaultValue: text, maxLength: 2000 });
    words.setAttribute("aria-label", "Words");
    const where = made("select", {}, ...[...places.keys()].map((one) => made("option", { textContent: one })));
    where.setAttribute("aria-label", `Where to file: ${text}`);
    const file = (it) =>
      act(it, { do: "file", item, ...places.get(where.value), ...(words.value.trim() && words.value !== text ? { text: words.value.trim() } : {}) }, `Filed in ${where.value}: ${words.value}`);
    return [words, where, button("File", text, file), button("Skip", text, (it) => act(it, { do: "file", item, route: "skip" }, `Skipped: ${text}`))];
  }

  const projects = () => [...document.querySelectorAll("#project option")].map((one) => one.value).filter((one) => one && one !== "untagged");

  function adding() {
    const words = made("input", { type: "text", defaultValue: "", maxLength: 2000, placeholder: "A new item; due:fri and prio:high are read" });
    words.setAttribute("aria-label", "New item");
    const where = made("select", {}, made("option", { value: "", textContent: "no project" }), ...projects().map((one) => made("option", { textContent: one })));
    where.setAttribute("aria-label", "Its project");
    const add = button("Add", "", (it) => {
      const text = words.value.trim();
      if (!text) return words.focus();
      act(it, { do: "add", text, ...(where.value ? { project: where.value } : {}) }, `Added: ${text}`);
    });
    words.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) add.click();
    });
    return made("div", { className: "acts adding" }, words, where, add);
  }

  // Where a row is put says what is next: it, and all that stands above it there.
  function put(row, to) {
    const rows = rowsOf(document.getElementById("priorities"));
    if (acting || to < 0 || to >= rows.length || rows[to] === row) return;
    const others = rows.filter((one) => one !== row).map((one) => one.dataset.id);
    const words = row.querySelector(".words").textContent.trim();
    const it = row.contains(document.activeElement) ? document.activeElement : row.querySelector(".acts button");
    act(it, { do: "next", item: row.dataset.id, behind: others.slice(0, to) }, `Number ${to + 1}: ${words}`);
  }

  let dragged = null;
  function orderly(row) {
    const at = () => rowsOf(document.getElementById("priorities")).indexOf(row);
    const number = row.querySelector(".number");
    number.draggable = true;
    number.title = "Drag it, or press Alt+↑ and Alt+↓ on a button of its row";
    number.addEventListener("dragstart", () => { dragged = row; });
    number.addEventListener("dragend", () => { dragged = null; });
    row.addEventListener("dragover", (event) => { if (dragged) event.preventDefault(); });
    row.addEventListener("drop", (event) => {
      event.preventDefault();
      if (dragged) put(dragged, at());
    });
    row.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || !event.altKey) return;
      event.preventDefault();
      put(row, at() + by);
    });
  }

  document.body.classList.add("served");
  document.getElementById("priorities-title")?.after(adding());

  for (const row of document.querySelectorAll(".row[data-id]")) {
    const item = row.dataset.id;
    const words = row.querySelector(".words").textContent.trim();
    row.querySelector(".words").title = words; // a wide window shows its first line
    const keep = (label, text) => button(label, words, (it) => act(it, { do: "keep", item }, `${text}: ${words}`));
    const kinds = {
      priorities: () => openActs(row, item, words),
      overflow: () => openActs(row, item, words),
      resolved: () => [keep("Reopen", "Reopened")],
      duplicate: () => [keep("Un-merge", "No longer merged")],
      probably_done: () => [button("Done", words, (it) => act(it, { do: "done", item }, `Done: ${words}`)), keep("Still open", "Kept open")],
      pending: () => filing(row, item),
      skipped: () => [button("Bring back", words, (it) => act(it, { do: "restore", item }, `Pending again: ${words}`))],
    };
    const acts = kinds[listOf(row)?.id]?.();
    if (acts) row.querySelector(".meta").after(made("div", { className: "acts" }, ...acts));
    if (listOf(row)?.id === "priorities") orderly(row);
  }

  // What somebody types or chooses is not thrown away by a change made elsewhere.
  const busy = () =>
    acting ||
    dragged ||
    [...document.querySelectorAll(".acts input")].some((one) => one.value !== one.defaultValue) ||
    document.activeElement?.closest(".acts select, .menu[open]");

  const again = () => setTimeout(ask, 1000);
  async function ask() {
    if (document.hidden) return again(); // a page that nobody looks at asks nothing
    try {
      const answer = await fetch("?version");
      if (answer.ok && (await answer.text()) !== VERSION) {
        if (!busy()) return reload();
        if (!acting) tell("Your notes have changed elsewhere.", null, button("Show them", "", () => reload()));
      }
    } catch { /* the server has ended, or starts again */ }
    again();
  }
  restore();
  again();
})();
