// The theme asks its scroll spy to follow a list that it names differently: point it to the list of sections, or turn it off.
document.addEventListener("DOMContentLoaded", () => {
  if (document.querySelector("nav.page-toc [href]")) document.body.dataset.bsTarget = "nav.page-toc";
  else document.body.removeAttribute("data-bs-spy");
});

// Previews: a link to a statement, a formula, a symbol or an entry of the ledger shows it on hover, on focus, and on the first tap.
(() => {
  const root = document.documentElement.dataset.content_root ?? "./";
  const page = location.pathname.split("/").pop().replace(/\.html$/, "");
  let loading = null;
  const load = () => (loading ??= new Promise((done) => {
    const script = document.createElement("script");
    script.src = `${root}_static/previews.js`;
    script.onload = () => done(true);
    script.onerror = () => done(false);
    document.head.append(script);
  }));
  const set = (place) => (window.MathJax?.typesetPromise ? MathJax.typesetPromise([place]) : Promise.resolve());
  const key = (link) => {
    const parts = /(?:([\w-]+)\.html)?#(.+)$/.exec(link.getAttribute("href") ?? "");
    return parts && !link.matches(".headerlink, .toc-backref") ? `${parts[1] ?? page}#${decodeURIComponent(parts[2])}` : null;
  };

  const tip = document.createElement("div");
  tip.id = "preview";
  tip.className = "preview tex2jax_process";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  let shown = null, timer = 0;
  const hide = () => { clearTimeout(timer); tip.hidden = true; shown?.removeAttribute("aria-describedby"); shown = null; };
  async function show(link) {
    if (shown === link || !(await load())) return;
    const text = window.bookPreviews?.[key(link)];
    hide();
    if (!text) return;
    shown = link;
    tip.innerHTML = text;
    const more = link.cloneNode(false);
    more.removeAttribute("id");
    more.className = "preview-open";
    more.textContent = "Open";
    tip.append(more);
    document.body.append(tip);
    tip.hidden = false;
    link.setAttribute("aria-describedby", "preview");
    place(link);
    await set(tip);
    if (shown === link) place(link);
  }
  function place(link) {
    const at = link.getBoundingClientRect(), high = tip.offsetHeight, wide = tip.offsetWidth;
    const below = at.bottom + 8 + high < innerHeight || at.top < high + 16;
    tip.style.top = `${scrollY + (below ? at.bottom + 8 : at.top - high - 8)}px`;
    tip.style.left = `${scrollX + Math.max(8, Math.min(at.left, document.documentElement.clientWidth - wide - 8))}px`;
  }
  const link = (event) => event.target.closest?.("article a[href*='#'], .bd-article a[href*='#']");
  let touch = false;
  addEventListener("pointerdown", (event) => { touch = event.pointerType === "touch"; }, true);
  addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const found = link(event);
    clearTimeout(timer);
    if (found && key(found)) timer = setTimeout(() => show(found), 200);
    else if (shown && !event.target.closest?.("#preview")) timer = setTimeout(hide, 300);
  });
  addEventListener("focusin", (event) => {
    const found = link(event);
    if (found && key(found) && !touch) show(found);
    else if (shown && !event.target.closest?.("#preview")) hide();
  });
  addEventListener("click", (event) => {
    const found = link(event);
    if (touch && found && key(found) && shown !== found && window.bookPreviews?.[key(found)]) {
      event.preventDefault();
      show(found);
    } else if (shown && !event.target.closest?.("#preview")) hide();
  }, true);
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  if (matchMedia("(hover: none)").matches) load(); // a tap must know at once whether there is a preview

  // Letters: each statement can name the letters in it.
  const LETTERS = [
    ["envelope", /F_\\lambda|F_\{\\lambda|\\Flam/], ["flambda", /f_\\lambda/], ["xbar", /\\bar\s*\{?\s*x|\\xbar/], ["xhat", /\\hat\s*\{?\s*x|\\xhat/], ["V", /V_/], ["W", /W_/],
    ["U", /U_/], ["phi", /\\varphi/], ["kstar", /k\^\*/], ["f", /(^|[^A-Za-z\\'])f['(]|\\nabla f/], ["fstar", /f\^\\star/], ["set", /\\mathcal\{X\}|\\X\b/], ["x", /(^|[^\s{r ])x_|x_\{?k/], ["z", /z_/], ["g", /g_/],
    ["d", /(^|[^a-z\\])d_/], ["p", /(^|[^a-z\\])p_/], ["alpha", /\\alpha(?!_)/], ["alpha0", /\\alpha_\{?0/], ["beta", /\\beta/], ["nu", /\\nu/], ["xi", /\\xi/], ["gamma", /\\gamma(?!_)/], ["gamma1", /\\gamma_\{?1/],
    ["rho", /\\rho/], ["lambda", /\\lambda/], ["L", /L\^2|(^|[^A-Za-z\\])L([^A-Za-z_]|$)/], ["sigma", /\\sigma/], ["bound", /G\^2|\\le G/], ["field", /\\mathcal\{F\}|\\F\b/], ["K", /(^|[^A-Za-z\\])K([^A-Za-z]|$)/], ["c", /(^|[^A-Za-z\\])c([^A-Za-z(]|$)/],
  ];
  async function name(button, block) {
    const old = block.querySelector(":scope > .letters");
    button.setAttribute("aria-expanded", String(!old));
    if (old) return old.remove();
    if (!(await load())) return;
    const items = window.MathJax?.startup?.document?.getMathItemsWithin?.([block]) ?? [];
    const tex = [...items].map((one) => one.math).join(" ; ");
    const list = document.createElement("ul");
    list.className = "letters tex2jax_process";
    const known = new Set();
    for (const [id, sign] of LETTERS) {
      const words = window.bookLetters?.[`sym-${id.toLowerCase()}`];
      if (!words || !sign.test(tex) || known.has(words)) continue; // letters of one row of the table are named together
      known.add(words);
      const one = document.createElement("li");
      one.innerHTML = words;
      list.append(one);
    }
    block.querySelector(".admonition-title").after(list);
    await set(list);
  }
  document.addEventListener("DOMContentLoaded", () => {
    for (const block of document.querySelectorAll(".bd-article div.proof, .bd-article div.admonition.statement")) {
      const title = block.querySelector(":scope > .admonition-title");
      if (!title || block.matches(".algorithm")) continue;
      const button = Object.assign(document.createElement("button"), { type: "button", className: "letters-button", textContent: "letters", title: "What the letters mean" });
      button.setAttribute("aria-expanded", "false");
      button.addEventListener("click", () => name(button, block));
      title.append(button);
    }
  });
})();

// A formula or a table that is wider than its place says so: its right edge fades until it is scrolled to the end.
(() => {
  const look = (one) => one.classList.toggle("more-right", one.scrollWidth - one.clientWidth - one.scrollLeft > 3);
  // On a desktop a formula that is a little too wide is set a little smaller; one that would become unreadable is left to scroll.
  const fit = (one) => {
    one.style.fontSize = "";
    const ratio = one.clientWidth / one.scrollWidth;
    if (innerWidth > 600 && one.matches("mjx-container") && ratio < 1 && ratio > 0.78) one.style.fontSize = `${Math.floor(ratio * 98)}%`;
  };
  const watch = () => {
    for (const one of document.querySelectorAll(".bd-article mjx-container[display='true'], .bd-article table, .strip-box, .map-box")) {
      fit(one);
      look(one);
      if (!one.dataset.watched) one.addEventListener("scroll", () => look(one), { passive: true });
      one.dataset.watched = "yes";
      if (one.scrollWidth > one.clientWidth + 3) one.tabIndex = 0; // reached and scrolled by keyboard
    }
  };
  addEventListener("load", () => { (window.MathJax?.startup?.promise ?? Promise.resolve()).then(watch); });
  addEventListener("resize", watch);
  document.addEventListener("toggle", watch, true);
})();
