// The table of the ledger: search, filter by verdict, evidence and kind, sort by a column.  Without this script the table is complete.
(() => {
  const table = document.querySelector("table.ledger");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const tools = document.createElement("form");
  tools.className = "ledger-tools";
  tools.setAttribute("role", "search");
  tools.addEventListener("submit", (event) => event.preventDefault());

  const control = (name, element) => {
    const label = document.createElement("label");
    element.name = name.toLowerCase();
    label.append(name + " ", element);
    tools.append(label);
    element.addEventListener("input", filter);
    return element;
  };
  const choice = (name, key) => {
    const values = new Set(rows.flatMap((row) => row.dataset[key].split(" ").filter(Boolean)));
    const select = document.createElement("select");
    select.append(new Option("all", ""), ...[...values].sort().map((value) => new Option(value, value)));
    if (key === "verdict") select.append(new Option("all that need a repair", "!"));
    return control(name, select);
  };
  const count = document.createElement("output");

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const { verdict, evidence, kind } = row.dataset;
      const repair = verdict !== "true" && verdict !== "open";
      row.hidden = !(
        (!verdicts.value || verdict === verdicts.value || (verdicts.value === "!" && repair)) &&
        (!evidences.value || evidence.split(" ").includes(evidences.value)) &&
        (!kinds.value || kind === kinds.value) &&
        words.get(row).includes(wanted)
      );
      shown += !row.hidden;
    }
    count.textContent = `${shown} of ${rows.length} claims`;
  }

  const text = control("Search", Object.assign(document.createElement("input"), { type: "search" }));
  const verdicts = choice("Verdict", "verdict");
  const evidences = choice("Evidence", "evidence");
  const kinds = choice("Kind", "kind");
  const reset = Object.assign(document.createElement("button"), { type: "button", textContent: "Show all" });
  reset.addEventListener("click", () => { tools.reset(); filter(); });
  tools.append(reset, count);
  table.before(tools);

  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent });
    head.replaceChildren(button);
    const value = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sorted = rows.map((row, i) => [value(row), i, row]).sort((a, b) => a[0].localeCompare(b[0]) || a[1] - b[1]);
      body.append(...(down ? sorted.reverse() : sorted).map((one) => one[2]));
    });
  });

  const asked = new URLSearchParams(location.search);
  for (const element of [text, verdicts, evidences, kinds]) if (asked.has(element.name)) element.value = asked.get(element.name);
  const open = () => {
    const row = rows.find((one) => one.id === decodeURIComponent(location.hash.slice(1)));
    if (row) { row.querySelector("details").open = true; row.scrollIntoView(); }
  };
  filter();
  addEventListener("hashchange", open);
  open();
})();
