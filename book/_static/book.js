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

// A formula that is wider than a phone is broken: after its relation signs, between its summands, and in the bracket at its end.
const formulas = (() => {
  const TOKEN = /\\left|\\right|\\[lg]eq?(?![a-zA-Z])|\\[a-zA-Z]+|\\.|[^\\]/gs;
  const width = (tex) => tex.replace(/\\[td]?frac\{([^{}]*)\}\{([^{}]*)\}/g, (_, a, b) => (a.length > b.length ? a : b))
    .replace(/\\(left|right|middle|bigg?[lr]?|Bigg?[lr]?|mathcal|mathbb|mathrm|bar|hat|quad|qquad|,|\|)(?![a-zA-Z])/g, "").replace(/\\[a-zA-Z]+/g, "a").replace(/[{}_^&\s\\]/g, "").length;
  // The places of a formula where it can be broken, at a depth of brackets: before a relation, or before a summand.
  // A norm and an inner product stay whole, unless they are told to open; then the product is also broken after its comma.
  const cut = (tex, at, whole = true) => {
    const pieces = [""];
    let depth = 0, before = "", norm = false;
    for (const [token] of tex.matchAll(TOKEN)) {
      const bar = whole && token === "\\|";
      if (/^([)\]}]|\\right)$/.test(token) || (whole && /^\\(rangle|rVert)$/.test(token)) || (bar && norm)) depth -= 1;
      const relation = /^(=|<|>|\\[lg]eq?)$/.test(token);
      const sign = /^[+-]$/.test(token) && before.trim() && !/[=<>^_(&{[]$|\\[lg]eq?$|\\langle$|,$/.test(before.trim());
      if (depth === at && pieces.at(-1).trim() && (relation || sign)) pieces.push("");
      pieces[pieces.length - 1] += token;
      if (/^([([{]|\\left)$/.test(token) || (whole && /^\\(langle|lVert)$/.test(token)) || (bar && !norm)) depth += 1;
      if (bar) norm = !norm;
      before += token;
      if (!whole && depth === at && token === ",") pieces.push("");
    }
    return pieces.filter((piece) => piece.trim());
  };
  const fill = (pieces, room, first) => {
    const rows = [];
    for (const piece of pieces) {
      const relation = /^\s*(=|<|>|\\[lg]e)/.test(piece) && width(rows.join("")) > 5; // a short left side stands before its relation
      if (rows.length && !relation && width(rows.at(-1) + piece) + (rows.length > 1 || first ? 2 : 0) <= room) rows[rows.length - 1] += piece;
      else rows.push(piece);
    }
    return rows;
  };
  // The rows of a sum.  A norm or an inner product that is too wide for one is opened, and shares its rows with no other summand.
  const lay = (tex, room, first) => {
    const rows = [];
    let run = [];
    const end = () => { if (run.length) rows.push(...fill(run, room, first || rows.length > 0)); run = []; };
    for (const piece of cut(tex, 0)) {
      const opened = width(piece) > room ? cut(piece, 0, false) : [];
      if (opened.length < 2) { run.push(piece); continue; }
      if (width(run.join("")) <= 5) opened[0] = run.splice(0).join("") + opened[0]; // a short left side stands before its relation
      end();
      rows.push(...fill(opened, room, first || rows.length > 0));
    }
    end();
    return rows;
  };
  const open = (row, room) => { // the widest bracket of a row that is still too wide is opened
    if (width(row) <= room) return [row];
    let depth = 0, braces = 0, start = 0, best = [0, 0];
    for (const { 0: token, index } of row.matchAll(/\\left|\\right|\\[{}]|[{}]/g)) {
      if (token === "{" || token === "}") braces += token === "{" ? 1 : -1;
      else if (token === "\\left" && !braces && !depth++) start = index;
      else if (token === "\\right" && !braces && !--depth && index - start > best[1] - best[0]) best = [start, index];
    }
    const [from, to] = best, head = row.slice(0, from), inner = row.slice(from + 6, to), laid = lay(inner, room, true);
    if (!/[([]/.test(row[from + 5]) || (laid.length < 2 && cut(inner, 0).length < 2)) return [row];
    const rows = laid.flatMap((one) => open(one, room - 2)).map((one) => one.replace(/\\middle\|/g, "\\bigg|"));
    const tall = /frac|sum/.test(inner), deep = /\\left[([]((?!\\right).)*frac\{[^{}]*\^/s.test(inner), size = deep ? "Bigg" : tall ? "bigg" : /\\left/.test(inner) ? "Big" : "big"; // one size for both, not below what is in them
    const bracket = `\\${size}l${row[from + 5]}`;
    const alone = width(head) > 3 && width(head + rows[0]) > room;
    if (alone && /(\\[td]?frac\{[^{}]*\}\{([^{}]|\{[^{}]*\})*\}|\\right\))\s*$/.test(head)) { // a fraction or a bracket times this one: it begins a row
      rows[0] = `{}\\times${bracket}${rows[0]}`;
      rows.unshift(head);
    } else {
      if (alone) rows.unshift("");
      if (rows.length < 2) return [row];
      rows[0] = `${head}${bracket}${rows[0]}`;
    }
    rows[rows.length - 1] += `\\${size}r${row.slice(to + 6)}`;
    return rows;
  };
  // What is still too wide is broken inside brackets of one size, before a quotient of brackets, and after a comma.
  const loosen = (row, room) => {
    if (width(row) <= room) return [row];
    const pieces = [""];
    let closed = 0, before = "", norm = false;
    for (const { 0: token, index } of row.matchAll(TOKEN)) {
      if (token === "}" || token === "\\right") closed -= 1;
      const relation = /^(=|<|>|\\[lg]eq?|\\(in|to|implies|iff|Rightarrow|Longrightarrow))$/.test(token);
      const sign = /^[+-]$/.test(token) && before.trim() && !/[=<>^_(&{[]$|\\[lg]eq?$|\\langle$|,$|[lr][([]$/.test(before.trim());
      const quotient = token === "/" && row[index + 1] === "(";
      if (!closed && !norm && pieces.at(-1).trim() && (relation || sign || quotient)) pieces.push("");
      pieces[pieces.length - 1] += token;
      if (token === "{" || token === "\\left") closed += 1;
      if (token === "\\|") norm = !norm;
      if (/^\\[lr]Vert$/.test(token)) norm = token === "\\lVert";
      before += token;
      if (token === "," && !closed && !norm && !/[([]/.test(before.replace(/\([^()]*\)|\[[^[\]]*\]/g, ""))) pieces.push("");
    }
    return fill(pieces, room, true);
  };
  // At last the numerator of a fraction gets several lines.
  const pile = (row, room) => {
    if (width(row) <= room) return row;
    const start = /\\[td]?frac\{/.exec(row);
    if (!start) return row;
    let end = start.index + start[0].length, depth = 1;
    for (; end < row.length && depth; end += 1) depth += row[end - 1] === "\\" ? 0 : row[end] === "{" ? 1 : row[end] === "}" ? -1 : 0;
    const from = start.index + start[0].length, top = row.slice(from, end - 1);
    const lines = fill(cut(top, 0), room, false).flatMap((one) => open(one, room)).flatMap((one) => loosen(one, room));
    const whole = lines.length < 2 ? top : `\\begin{gathered}${lines.map((one) => one.trim().replace(/^[+-]/, "{}$&")).join("\\\\")}\\end{gathered}`;
    return row.slice(0, from) + whole + "}" + pile(row.slice(end), room);
  };
  const bare = (tex) => tex.replace(/\\(begin|end)\{(aligned|split|equation\*?|align\*?)\}/g, "");
  const flatten = (tex) => bare(tex).replace(/\\[bB]igg?([lr])(?=[([\])])/g, (_, side) => (side === "l" ? "\\left" : "\\right"))
      .replace(/\\[bB]igg?\|/g, "\\middle|").replace(/\\\\(\[[^\]]*\])?/g, " ").replace(/&|\\q?quad(?![a-zA-Z])/g, "");
  const long = (tex) => Math.max(...bare(tex).split(/\\\\(?:\[[^\]]*\])?/).map(width)); // the longest of its rows
  const broken = (tex, share, inside) => { // without the inside of brackets: only after relation signs and between summands
    const flat = flatten(tex);
    if (/\\(begin|tag|label)/.test(flat)) return tex; // a matrix or cases: left to scroll
    const room = Math.max(12, Math.floor(long(tex) * share)), pieces = cut(flat, 0);
    const rows = inside ? lay(flat, room, false).flatMap((row) => open(row, room)).flatMap((row) => loosen(row, room)).map((row) => pile(row, room))
      : fill(pieces, Math.max(room, ...pieces.map((piece) => width(piece) + 2)), false);
    return rows.length < 2 && !/gathered/.test(rows[0]) ? tex : `\\begin{aligned}${rows.map((row, i) => `&${i ? "\\enspace " : ""}${row.trim().replace(/^[+-]/, i ? "{}$&" : "$&")}`).join("\\\\[.2em]")}\\end{aligned}`;
  };
  // How wide the widest summand of a formula is, about, if its longest row has the width 1.
  const widest = (tex) => Math.max(...cut(flatten(tex), 0).map(width)) / long(tex);
  return { broken, widest };
})();

// A formula, a table or code that is wider than its place says so: its right edge fades until it is scrolled to the end.
(() => {
  const look = (one) => one.classList.toggle("more-right", one.scrollWidth - one.clientWidth - one.scrollLeft > 3);
  const narrow = () => matchMedia("(max-width: 600px)").matches; // innerWidth grows with what is too wide
  const SENTENCE = ".bd-article mjx-container:not([display='true'])";
  const inner = (one) => one.querySelector("mjx-math")?.getBoundingClientRect().width ?? 0; // scrollWidth deceives for a formula in a sentence
  // Sizes are read for all before any is changed: the page is laid out once, not once a formula.
  const shrink = (all, ratio, least) => {
    for (const one of all) one.style.fontSize = one.dataset.size ??= one.style.fontSize;
    const sizes = all.map((one) => [one, ratio(one), parseFloat(one.dataset.size) || 100]);
    for (const [one, share, size] of sizes) if (share < 1 && least(share, size)) one.style.fontSize = `${Math.floor(share * size * 0.98)}%`;
  };
  // A formula that is a little too wide is set a little smaller; one that would become unreadable is left to scroll.
  const fit = () => {
    const phone = narrow(), tables = [...document.querySelectorAll(".bd-article table.certificate")];
    for (const one of tables) one.style.fontSize = "";
    for (let i = 0; i < 3 && !phone; i += 1) { // padding stays as it is: what is left of the excess is less each time
      const wide = tables.map((one) => [one, one.parentElement.clientWidth / one.offsetWidth, parseFloat(getComputedStyle(one).fontSize)]);
      for (const [one, share, size] of wide) if (share > 0.7 && share < 1) one.style.fontSize = `${share * size * 0.99}px`;
    }
    shrink([...document.querySelectorAll(".bd-article mjx-container[display='true'], .bd-article mjx-container.own-line")], (one) => one.clientWidth / one.scrollWidth, (share, size) => (phone ? share > 0.8 : share * size > 78));
    shrink([...document.querySelectorAll(`${SENTENCE}:not(.own-line)`)], (one) => (phone ? one.clientWidth / inner(one) : (one.closest("p, dd, li, td, th")?.clientWidth ?? 0) / one.offsetWidth), (share) => share > (phone ? 0.9 : 0.6));
  };
  // On a phone it is broken instead, and whole again when the window is wide. One in a sentence then has lines of its own, and takes along the comma after it.
  const ratio = (item) => {
    const root = item.typesetRoot, room = root.clientWidth;
    if (item.display || root.matches(".own-line")) return root.scrollWidth > room + 2 ? room / root.scrollWidth : 1;
    const share = room / inner(root);
    return share > 0.91 ? 1 : share;
  };
  const mark = (root) => {
    const tied = root.closest(".tied"), last = tied?.lastChild;
    if (last?.nodeType !== 3) return tied?.querySelector(":scope > .after-formula");
    const span = Object.assign(document.createElement("span"), { className: "after-formula", textContent: last.data });
    last.replaceWith(span);
    return span;
  };
  // The next way to break a formula: outside of its brackets, as long as that helps; then, if it is still much too wide, inside them.
  const next = (item, whole, share) => {
    if (item.first === undefined) Object.assign(item, { first: share, inside: formulas.widest(whole) * 0.72 > share });
    const shown = item.broken ?? whole;
    for (const inside of item.inside ? [true] : [false, true]) {
      if (inside && !item.inside) {
        if (share > 0.87) break; // setting it a little smaller is better
        Object.assign(item, { inside, share: item.first / share });
      }
      for (item.share = (item.share ?? 1) * Math.min(0.95, share * 0.95); item.share > 0.05; item.share *= 0.9) {
        const tex = formulas.broken(whole, item.share, inside);
        if (tex !== shown) return (item.broken = tex);
      }
    }
    return shown;
  };
  const breakLines = () => {
    const doc = window.MathJax?.startup?.document, phone = narrow();
    let items = [...(doc?.math ?? [])].filter((item) => item.typesetRoot?.isConnected && (phone || item.whole));
    for (let i = 0; i < 12 && items.length; i += 1) {
      const wide = phone ? items.filter((item) => item.typesetRoot.clientWidth).map((item) => [item, ratio(item)]).filter(([, share]) => share < 1) : items.map((item) => [item, 1]);
      items = [];
      for (const [item, share] of wide) {
        const whole = item.whole ?? item.math, comma = item.display ? null : mark(item.typesetRoot);
        let tex = phone ? next(item, whole, share) : whole;
        if (phone && comma) tex = tex.replace(/(\\end\{aligned\})?$/, (end) => `\\text{${comma.textContent}}${end}`);
        if (comma) comma.hidden = phone;
        if (tex !== item.math || !item.whole) {
          Object.assign(item, { whole, math: tex });
          if (phone) item.addMenu = () => {}; // MathJax sorts all menus of the page for each: a quarter of the time
          else delete item.addMenu;
          item.rerender(doc, 20); // from reading the formula on
          items.push(item);
        }
        if (!item.display) item.typesetRoot.classList.toggle("own-line", phone);
      }
      if (items.length) doc.outputJax.styleSheet(doc); // it may need signs that no other formula has
      if (!phone) for (const item of items.splice(0)) for (const name of ["whole", "broken", "first", "inside", "share"]) delete item[name];
    }
  };
  // On a phone a table that is too wide is set row by row; each cell is led by the head of its column.
  const stack = () => {
    const tables = [...document.querySelectorAll(".bd-article table")].filter((one) => !one.matches(".ledger, .certificate") && one.rows[0]?.cells.length > 1 && !one.querySelector("td[colspan], td[rowspan]"));
    const wide = (one) => one.scrollWidth > one.clientWidth + 3;
    const numbers = (one) => [...(one.tBodies[0]?.rows ?? [])].every((row) => [...row.cells].slice(1).every((cell) => cell.innerText.trim().length < 18 && !cell.querySelector("img, pre")));
    const stacked = tables.map((one) => {
      one.classList.remove("tight");
      if (!narrow() || one.matches(".stacked, .beside") || !wide(one)) return narrow() && one.matches(".stacked, .beside");
      one.classList.toggle("tight", numbers(one)); // columns of numbers are compared downwards: a little smaller is better than row by row
      if (wide(one)) one.classList.remove("tight");
      return wide(one);
    });
    tables.forEach((table, i) => {
      table.classList.toggle("stacked", stacked[i]);
      if (!stacked[i] || table.querySelector(".stack-head")) return;
      const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
      table.classList.toggle("pair", heads.length === 2 && heads.every((one) => one.textContent.trim()));
      for (const row of table.tBodies[0].rows) {
        [...row.cells].forEach((cell, column) => {
          const head = Object.assign(document.createElement("span"), { className: "stack-head" });
          head.append(...[...(heads[column]?.childNodes ?? [])].map((one) => one.cloneNode(true)));
          if (!cell.textContent.trim() && !cell.querySelector("mjx-container, img")) cell.classList.add("empty");
          const words = cell.textContent.trim(), named = head.textContent.trim() || head.querySelector("mjx-container");
          if (column && named && words && words.length < 18 && head.textContent.length < 18 && !cell.querySelector("img, pre")) cell.classList.add("short");
          if (words === "•") cell.classList.add("ticked");
          if (!column && /^[\d.,/\s–-]+$/.test(words)) cell.classList.add("led"); // a number alone says nothing
          if (named) cell.prepend(head);
        });
      }
      if (table.querySelector("td.led")) for (const row of table.tBodies[0].rows) row.cells[0].classList.add("led"); // as its neighbours
      table.classList.toggle("figures", [...table.tBodies[0].rows].every((row) => row.querySelectorAll("td.short").length > 1));
    });
  };
  const watch = () => {
    stack();
    breakLines();
    fit();
    const all = [...document.querySelectorAll(".bd-article mjx-container[display='true'], .bd-article mjx-container.own-line, .bd-article table, .bd-article pre, .map-box, .line-nav div")];
    const hidden = all.map((one) => one.scrollWidth - one.clientWidth);
    const left = all.map((one, i) => hidden[i] - one.scrollLeft);
    all.forEach((one, i) => {
      one.classList.toggle("more-right", left[i] > 3);
      if (hidden[i] <= 3) return;
      if (!one.dataset.watched) one.addEventListener("scroll", () => look(one), { passive: true });
      one.dataset.watched = "yes";
      one.tabIndex = 0; // reached and scrolled by keyboard
    });
  };
  let asked = 0, whole = false; // once a frame at most, however many folds are opened; never for a page that is still arriving, whose tables would be set in part
  const soon = () => { if (whole) asked ||= requestAnimationFrame(() => { asked = 0; watch(); }); };
  // A line does not begin with the comma that follows a formula, nor end with the bracket before it.
  const tie = () => {
    for (const one of document.querySelectorAll(".bd-article mjx-container:not([display='true'])")) {
      const formula = one.closest("span.math") ?? one, link = formula.closest("a");
      const math = link && link.textContent.trim() === formula.textContent.trim() ? link : formula, next = math.nextSibling; // a letter that is a link goes as one
      const mark = next?.nodeType === 3 && /^[,.;:)\]?]+/.exec(next.data);
      const last = math.previousSibling, bracket = last?.nodeType === 3 && /[([]$/.test(last.data);
      if ((!mark && !bracket) || math.parentNode.matches(".tied")) continue;
      const tied = Object.assign(document.createElement("span"), { className: "tied" });
      math.before(tied);
      if (bracket) tied.append(last.splitText(last.length - 1));
      tied.append(math);
      if (!mark) continue;
      next.splitText(mark[0].length);
      tied.append(next);
    }
  };
  // Formulas change the height of a page after the browser has gone to the place in the address: go there again, unless the reader has moved on.
  let moved = false;
  for (const name of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(name, () => { moved = true; }, { once: true, passive: true });
  const arrive = () => { if (location.hash && !moved) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ behavior: "instant" }); };
  addEventListener("load", () => { (window.MathJax?.startup?.promise ?? Promise.resolve()).then(() => { whole = true; tie(); watch(); arrive(); return document.fonts.ready; }).then(() => { watch(); arrive(); }); });
  addEventListener("resize", soon);
  document.addEventListener("toggle", soon, true);
})();

// A click, a tap or the button at its corner shows a figure as large as the window; Escape or a click closes it again.
document.addEventListener("DOMContentLoaded", () => {
  const large = document.createElement("dialog");
  large.className = "large";
  large.addEventListener("click", () => large.close());
  large.addEventListener("keydown", (event) => { if (event.key === "Escape") large.close(); });
  document.body.append(large);
  for (const figure of document.querySelectorAll("figure:has(img.on-desk)")) {
    const drawings = [...figure.querySelectorAll("img.on-desk")];
    const button = Object.assign(document.createElement("button"), { type: "button", className: "enlarge", textContent: "⤢", title: "Enlarge the figure" });
    button.setAttribute("aria-label", `Enlarge ${figure.querySelector(".caption-number")?.textContent.trim() || "the figure"}`);
    const open = () => {
      large.setAttribute("aria-label", figure.querySelector("figcaption")?.textContent ?? "");
      large.replaceChildren(...drawings.map((one) => Object.assign(one.cloneNode(), { loading: "eager" })));
      large.showModal();
    };
    button.addEventListener("click", open);
    for (const one of figure.querySelectorAll("img")) one.addEventListener("click", open);
    figure.append(button);
  }
});

// Code: all folds of a page are opened and closed at once, and the browser remembers it.
document.addEventListener("DOMContentLoaded", () => {
  const folds = [...document.querySelectorAll("details.code-fold")];
  const place = document.querySelector(".article-header-buttons");
  if (!folds.length || !place) return;
  const remembered = (value) => {
    try { return value === undefined ? localStorage.getItem("book-code") : localStorage.setItem("book-code", value); } catch { return null; } // forbidden here
  };
  const button = Object.assign(document.createElement("button"), { type: "button", className: "code-switch" });
  const show = (open) => {
    for (const one of folds) one.open = open;
    button.setAttribute("aria-pressed", String(open));
    button.textContent = open ? "Hide all code" : "Show all code";
  };
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    show(open);
    remembered(open ? "shown" : "folded");
  });
  show(remembered() === "shown");
  place.prepend(button);
});
