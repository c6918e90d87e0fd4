// Two lists that can be searched: the table of the ledger (with filters in the address, sorting, details below a row), and the paper line by line.
// Without this script both are complete.
(() => {
  // gamma, γ and \gamma are the same to the search; so are letters with and without braces, signs of sub- and superscript, spaces and case.
  const GREEK = { α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ϵ: "epsilon", ζ: "zeta", η: "eta", θ: "theta", κ: "kappa", λ: "lambda",
    μ: "mu", ν: "nu", ξ: "xi", ρ: "rho", σ: "sigma", φ: "varphi", ϕ: "phi", ω: "omega", Δ: "delta", Φ: "phi", Π: "pi" };
  const SIGNS = { "≤": "\\le", "≥": "\\ge", "∞": "\\infty", "∇": "\\nabla", "√": "\\sqrt", "‖": "\\|", "⟨": "\\langle", "⟩": "\\rangle" };
  const plain = (text) => text.normalize("NFKC")
    .replace(/[α-ωϵϕΔΦΠ]/g, (one) => ` ${GREEK[one] ?? one} `)
    .replace(/[≤≥∞∇√‖⟨⟩]/g, (one) => SIGNS[one])
    .toLowerCase().replace(/\\/g, "").replace(/[{}_^\s]/g, "");

  const address = (asked) => {
    const text = location.pathname + (asked.size ? `?${asked}` : "") + location.hash;
    try { history.replaceState(null, "", text); } catch { /* a page opened from a file may refuse: then it is not remembered */ }
  };

  // The paper line by line: a field above it leaves the lines that have the words.
  const nav = document.querySelector(".line-nav");
  if (nav) {
    const lines = [...document.querySelectorAll(".line")].map((one) => [one, plain(one.textContent)]);
    const field = Object.assign(document.createElement("input"), { type: "search", name: "find", placeholder: "(24), Lemma 4, eq:znorm, γ" });
    const only = Object.assign(document.createElement("input"), { type: "checkbox", name: "only" });
    const count = document.createElement("output");
    const find = () => {
      const wanted = plain(field.value);
      for (const [one, words] of lines) one.hidden = !words.includes(wanted) || (only.checked && one.matches(".true, .open"));
      for (const part of document.querySelectorAll(".lines")) part.classList.toggle("nothing", !part.querySelector(".line:not([hidden])"));
      count.textContent = wanted || only.checked ? `${lines.filter(([one]) => !one.hidden).length} of ${lines.length}` : "";
    };
    const label = (...parts) => { const made = document.createElement("label"); made.append(...parts); return made; };
    nav.prepend(label("Find ", field), label(only, " only defects"), count);
    const asked = new URLSearchParams(location.search);
    field.value = asked.get("find") ?? "";
    only.checked = asked.has("only");
    const changed = () => { find(); address(new URLSearchParams({ ...(field.value && { find: field.value }), ...(only.checked && { only: "not-true" }) })); };
    for (const one of [field, only]) one.addEventListener("input", changed);
    nav.addEventListener("click", (event) => { if (event.target.closest("a") && (field.value || only.checked)) { field.value = ""; only.checked = false; find(); } });
    find();
  }

  const table = document.querySelector("table.ledger");
  if (!table) return;
  table.classList.add("live");
  const bodies = [...table.tBodies].filter((body) => body.id);
  const sections = [...table.tBodies].filter((body) => !body.id);
  const row = (body) => body.rows[0];

  const words = new Map(bodies.map((body) => [body, plain(body.textContent)]));

  const tools = document.createElement("form");
  tools.className = "ledger-tools";
  tools.setAttribute("role", "search");
  tools.addEventListener("submit", (event) => event.preventDefault());
  const control = (name, element) => {
    const label = document.createElement("label");
    element.name = name.toLowerCase();
    label.append(name + " ", element);
    tools.append(label);
    element.addEventListener("input", () => { filter(); remember(); });
    return element;
  };
  const choice = (name, key, sorted = true) => {
    const all = (body) => (key === "section" ? [row(body).dataset.section] : row(body).dataset[key].split(" ").filter(Boolean));
    const values = [...new Set(bodies.flatMap(all))];
    const select = document.createElement("select");
    select.append(new Option("all", ""), ...(sorted ? values.sort() : values).map((value) => new Option(value === "open" ? "not judged" : value, value)));
    if (key === "verdict") select.append(new Option("all that need a repair", "!"));
    return control(name, select);
  };
  const count = document.createElement("output");

  function filter() {
    const wanted = plain(text.value);
    let shown = 0;
    for (const body of bodies) {
      const { verdict, evidence, kind, section } = row(body).dataset;
      const repair = !["true", "open", "proved"].includes(verdict);
      body.hidden = !(
        (!verdicts.value || verdict === verdicts.value || (verdicts.value === "!" && repair)) &&
        (!evidences.value || evidence.split(" ").includes(evidences.value)) &&
        (!kinds.value || kind === kinds.value) && (!parts.value || section === parts.value) &&
        words.get(body).includes(wanted)
      );
      shown += !body.hidden;
    }
    const left = new Set(bodies.filter((body) => !body.hidden).map((body) => row(body).dataset.section));
    for (const one of sections) one.hidden = table.classList.contains("sorted") || !left.has(one.textContent.trim());
    const beyond = bodies.filter((body) => !body.hidden && body.id.startsWith("beyond/")).length;
    count.textContent = `${shown} of ${bodies.length} claims: ${shown - beyond} of the paper, ${beyond} beyond it`;
  }

  const text = control("Search", Object.assign(document.createElement("input"), { type: "search", placeholder: "gamma, γ or \\gamma" }));
  const parts = choice("Section", "section", false);
  const verdicts = choice("Verdict", "verdict");
  const evidences = choice("Evidence", "evidence");
  const kinds = choice("Kind", "kind");
  const all = [text, parts, verdicts, evidences, kinds];
  const reset = Object.assign(document.createElement("button"), { type: "button", textContent: "Show all" });
  reset.addEventListener("click", () => { tools.reset(); filter(); remember(); });
  tools.append(reset, count);
  table.before(tools);

  // The search and the filters stand in the address, so that a view can be shared.
  function remember() {
    const asked = new URLSearchParams(all.filter((one) => one.value).map((one) => [one.name, one.value]));
    address(asked);
  }
  const asked = new URLSearchParams(location.search);
  for (const one of all) if (asked.has(one.name)) one.value = asked.get(one.name);

  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent });
    head.replaceChildren(button);
    const value = (body) => row(body).cells[column].dataset.sort ?? row(body).cells[column].textContent;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      table.classList.add("sorted");
      const order = bodies.map((body, i) => [value(body), i, body]).sort((a, b) => a[0].localeCompare(b[0]) || a[1] - b[1]);
      table.append(...(down ? order.reverse() : order).map((one) => one[2]));
      filter();
    });
  });

  const show = (body, open) => {
    body.classList.toggle("open", open);
    body.querySelector("button.opens").setAttribute("aria-expanded", String(open));
  };
  for (const body of bodies) body.querySelector("button.opens").addEventListener("click", () => show(body, !body.classList.contains("open")));
  const follow = () => {
    const body = bodies.find((one) => one.id === decodeURIComponent(location.hash.slice(1)));
    if (!body) return;
    if (body.hidden) { tools.reset(); filter(); }
    show(body, true);
    body.scrollIntoView();
  };
  filter();
  addEventListener("hashchange", follow);
  follow();
})();
