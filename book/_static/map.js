// The map: a click pins a claim, dims what it does not rest on and lists what it rests on and what needs it; a second click opens its entry.
// An address with #map-LABEL pins that claim.  Without this script a click opens the entry, and the list stands below the drawing.
(() => {
  const boxes = [...document.querySelectorAll(".map-box")];
  const clear = () => {
    for (const one of document.querySelectorAll(".map-box :is(.pinned, .on, .chosen)")) one.classList.remove("pinned", "on", "chosen");
    for (const box of boxes) box.querySelector(".map-panel").replaceChildren();
  };
  const label = (node) => decodeURIComponent(node.getAttribute("href").split("#")[1]);
  const pin = (box, node) => {
    clear();
    const svg = node.closest("svg");
    const kept = new Set([node.dataset.node, ...node.dataset.below.split(" ")]);
    svg.classList.add("pinned");
    node.classList.add("chosen");
    for (const one of svg.querySelectorAll("a.node")) one.classList.toggle("on", kept.has(one.dataset.node));
    for (const edge of svg.querySelectorAll(".edge")) edge.classList.toggle("on", kept.has(edge.dataset.from) && kept.has(edge.dataset.to));
    const words = [...box.querySelectorAll(".map-list > [data-of]")].find((one) => one.dataset.of === label(node)).cloneNode(true);
    const back = Object.assign(document.createElement("button"), { type: "button", textContent: "Show all" });
    back.addEventListener("click", clear);
    words.querySelector("p").append(" ", back);
    box.querySelector(".map-panel").replaceChildren(words);
  };
  for (const box of boxes) {
    for (const svg of box.querySelectorAll("svg.map")) {
      const nodes = [...svg.querySelectorAll("a.node")];
      for (const node of nodes) {
        node.addEventListener("click", (event) => {
          if (node.classList.contains("chosen") || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          pin(box, node);
        });
        const near = (on) => {
          const used = node.dataset.uses.split(" ");
          for (const one of nodes) one.classList.toggle("near", on && used.includes(one.dataset.node));
          for (const edge of svg.querySelectorAll(`.edge[data-to="${node.dataset.node}"]`)) edge.classList.toggle("near", on);
        };
        for (const name of ["pointerenter", "focus"]) node.addEventListener(name, () => near(true));
        for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => near(false));
      }
      svg.addEventListener("click", (event) => { if (!event.target.closest("a")) clear(); });
    }
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") clear(); });
  const follow = () => {
    const asked = decodeURIComponent(location.hash).replace(/^#map-/, "");
    for (const box of boxes) {
      const found = [...box.querySelectorAll("a.node")].find((node) => label(node) === asked && node.getBoundingClientRect().width > 0);
      if (!found) continue;
      pin(box, found);
      found.scrollIntoView({ block: "center" });
      return;
    }
  };
  addEventListener("hashchange", follow);
  follow();
})();
