// The map: a click pins a claim, shows all it rests on and dims the rest; a second click opens its entry.  Without this script a click opens it.
(() => {
  for (const box of document.querySelectorAll(".map-box")) {
    const panel = box.querySelector(".map-panel");
    const clear = () => {
      for (const one of box.querySelectorAll(".pinned, .on, .chosen")) one.classList.remove("pinned", "on", "chosen");
      panel.replaceChildren();
    };
    for (const svg of box.querySelectorAll("svg.map")) {
      const nodes = new Map([...svg.querySelectorAll("a.node")].map((node) => [node.dataset.node, node]));
      const pin = (node) => {
        clear();
        const kept = new Set([node.dataset.node, ...node.dataset.below.split(" ").filter(Boolean)]);
        svg.classList.add("pinned");
        node.classList.add("chosen");
        for (const id of kept) nodes.get(id).classList.add("on");
        for (const edge of svg.querySelectorAll(".edge")) {
          const far = edge.matches(".soft") && edge.dataset.to !== node.dataset.node; // a definition under another result: its box is enough
          edge.classList.toggle("on", !far && kept.has(edge.dataset.from) && kept.has(edge.dataset.to));
        }
        const [title, ...rest] = node.getAttribute("aria-label").split(". ");
        const head = Object.assign(document.createElement("p"), { textContent: `${title}. ${rest.join(". ")} ` });
        const open = Object.assign(document.createElement("a"), { href: node.getAttribute("href"), textContent: "Open the entry" });
        const back = Object.assign(document.createElement("button"), { type: "button", textContent: "Show all" });
        back.addEventListener("click", clear);
        head.append(open, " ", back);
        panel.replaceChildren(head);
      };
      for (const node of nodes.values()) {
        node.addEventListener("click", (event) => {
          if (node.classList.contains("chosen") || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          pin(node);
        });
        const near = (on) => { for (const edge of svg.querySelectorAll(`.edge[data-to="${node.dataset.node}"]`)) edge.classList.toggle("near", on); };
        for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => near(true));
        for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => near(false));
      }
      svg.addEventListener("click", (event) => { if (!event.target.closest("a")) clear(); });
    }
    addEventListener("keydown", (event) => { if (event.key === "Escape") clear(); });
  }
})();
