"use strict";
// Steps through the run of this page. The JSON of the page has everything that is shown at a step.
(() => {
  const $ = (selector) => document.querySelector(selector);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const run = JSON.parse($("#run").textContent);
  const end = run.values.length - 1;         // the index of the last state; an event that is an error has no state
  const last = run.events;
  const cells = all("table.now td[data-row]");
  const links = all("#story a[data-step]");
  const rows = all("rect.sc-row");
  const texts = all(".sc text[data-row]");
  let step = -1;
  let mattering = false;

  const shown = (k) => k === 0 || !mattering || run.matters[k - 1];

  function show(k) {
    step = Math.max(0, Math.min(last, k));
    const now = run.values[Math.min(step, end)];
    const before = step > 0 ? run.values[Math.min(step, end + 1) - 1] : now;
    for (const cell of cells) {
      const i = Number(cell.dataset.row);
      const changed = step <= end && now[i] !== before[i];
      cell.className = changed ? "changed" : "";
      cell.textContent = now[i];
      cell.title = changed ? "before: " + before[i] : now[i];
    }
    for (const link of links) {
      const here = Number(link.dataset.step) === step;
      if (here) link.setAttribute("aria-current", "step"); else link.removeAttribute("aria-current");
      if (here) reveal(link, link.closest(".scroll"));
    }
    const firsts = new Set();
    for (const row of rows) {
      const here = Number(row.dataset.first) <= step && step <= Number(row.dataset.last);
      row.classList.toggle("now", here);
      if (here) {
        firsts.add(row.closest("svg").id + row.dataset.first);
        const panel = row.closest(".scroll");
        reveal(row, panel);
        const x = Number(row.dataset.x);
        if (x - 70 < panel.scrollLeft || x + 160 > panel.scrollLeft + panel.clientWidth) {
          panel.scrollLeft = x - panel.clientWidth / 2;
        }
      }
    }
    for (const text of texts) {
      text.classList.toggle("on", firsts.has(text.closest("svg").id + text.dataset.row));
    }
    if (step === 0) for (const chart of all("#chart .scroll")) chart.scrollTop = 0;
    const what = step === 0 ? "the initial state" : run.said[step - 1];
    const time = run.when && step > 0 ? run.when[step - 1] : "";
    $("#where").textContent = step + " of " + last + (time ? " · " + time : "");
    $("#state-head").textContent = step === 0 ? "State at first" : "State after event " + step + (time ? ", at " + time : "");
    if (step > end) $("#state-head").textContent = "State before the error";
    $("#said").textContent = "Step " + step + ": " + what;
    $("#back").disabled = $("#first").disabled = step === 0;
    $("#on").disabled = step === last && run.loop === null;
    $("#last").disabled = step === last;
    document.documentElement.dataset.step = step;
  }

  // Scrolls inside the panel; the page itself does not scroll.
  function reveal(thing, panel) {
    const inner = thing.getBoundingClientRect();
    const outer = panel.getBoundingClientRect();
    const heads = panel.querySelector(".heads");
    const top = outer.top + (heads ? heads.getBoundingClientRect().height : 0) + 8;
    if (inner.top < top) panel.scrollTop -= top - inner.top;
    else if (inner.bottom > outer.bottom - 8) panel.scrollTop += inner.bottom - outer.bottom + 8;
  }

  function go(way) {
    let k = step + way;
    while (k > 0 && k < last && !shown(k)) k += way;
    if (k > last && run.loop !== null) k = run.loop + 1;   // the first event of the loop follows the last one
    if (k > last || k < 0 || !shown(k)) return;
    show(k);
    remember();
  }

  function jump(k) { show(k); remember(); }

  function remember() {
    try { history.replaceState(null, "", "#step=" + step); } catch (e) { /* the page has no history, for example in a mail client */ }
  }

  function toggle() {
    const which = $("#which");
    if (!which) return;
    mattering = !mattering;
    which.setAttribute("aria-pressed", String(mattering));
    document.documentElement.classList.toggle("mattering", mattering);
    let k = step;
    while (k > 0 && !shown(k)) k -= 1;
    show(k);
  }

  const keys = {
    ArrowLeft: () => go(-1), ArrowRight: () => go(1),
    Home: () => jump(0), End: () => jump(last), a: toggle,
  };
  const letters = { L: "ArrowLeft", R: "ArrowRight", H: "Home", E: "End", A: "a" };

  // The address `#step=5` shows a step; `#keys=RRL` presses keys, starting at step 0.
  function obey() {
    const wanted = /^#step=(\d+)$/.exec(location.hash);
    const pressed = /^#keys=([LRHEA]*)$/.exec(location.hash);
    if (wanted) show(Number(wanted[1]));
    else if (pressed) { show(0); for (const letter of pressed[1]) keys[letters[letter]](); }
    else if (step < 0) show(run.open);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (key) { event.preventDefault(); key(); }
  });
  $("#first").addEventListener("click", () => jump(0));
  $("#back").addEventListener("click", () => go(-1));
  $("#on").addEventListener("click", () => go(1));
  $("#last").addEventListener("click", () => jump(last));
  if ($("#which")) $("#which").addEventListener("click", toggle);
  for (const row of rows) row.addEventListener("click", () => jump(Number(row.dataset.last)));
  window.addEventListener("hashchange", obey);

  document.documentElement.classList.add("js");
  $(".controls").hidden = false;
  $(".live").hidden = false;
  obey();
})();
