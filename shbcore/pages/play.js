// Pictures with sliders.  The formulas F and the colours COLOR stand above this text; see play.py.
const NS = "http://www.w3.org/2000/svg";
const range = (from, to, n) => Array.from({ length: n }, (_, i) => from + ((to - from) * i) / (n - 1));
const short = (v) => (Math.abs(v) < 1e-9 ? "0" : Math.abs(v) >= 0.001 && Math.abs(v) < 1000 ? String(Number(v.toPrecision(3))) : v.toExponential(1));

function element(parent, name, attributes, text) {
  const node = document.createElementNS(NS, name);
  for (const key in attributes) {
    if (key === "fill" || key === "stroke") node.style[key] = attributes[key];
    else node.setAttribute(key, attributes[key]);
  }
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

// Round numbers between two others: multiples of 1, 2 or 5 times a power of ten, about `n` of them.
function round(low, high, n) {
  const rough = (high - low) / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((v) => v * power >= rough * 0.999) * power;
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// Axes below a line that says what is drawn; the box is as many units wide as letters stay readable on the screen.
// x and y map numbers to places, everything is drawn into `node`.
const phone = matchMedia("(max-width: 600px)");
const PLACES = [[0, -10, "middle"], [0, 22, "middle"], [10, 5, "start"], [-10, 5, "end"], [9, -9, "start"], [-9, -9, "end"], [9, 20, "start"], [-9, 20, "end"], [0, -28, "middle"], [0, 40, "middle"]];
function axes(parent, { x: [x0, x1], y: [y0, y1], height = 250, xlabel = "", title = "", log = false }) {
  const wide = phone.matches ? 400 : 640, [left, right, top, bottom] = [50, wide - 14, 10, height - 42];
  const scale = log ? Math.log : (v) => v;
  const X = (v) => left + ((scale(v) - scale(x0)) / (scale(x1) - scale(x0))) * (right - left);
  const Y = (v) => bottom - ((v - y0) / (y1 - y0)) * (bottom - top);
  const words = document.createElement("div");
  words.className = "play-title";
  words.textContent = title;
  parent.append(words);
  const node = element(parent, "svg", { viewBox: `0 0 ${wide} ${height}`, role: "img", "aria-label": `${title}, over ${xlabel}` });
  const inside = `play-clip-${(axes.count = (axes.count || 0) + 1)}-${Math.random().toString(36).slice(2)}`;
  element(element(node, "clipPath", { id: inside }), "rect", { x: left, y: top, width: right - left, height: bottom - top });
  const text = (x, y, words, more) => element(node, "text", { x, y, fill: "currentColor", "font-size": 14, ...more }, words);
  const line = (more) => element(node, "line", { stroke: "currentColor", "stroke-opacity": 0.14, ...more });
  for (const v of round(y0, y1, 5)) {
    line({ class: "tick", x1: left, x2: right, y1: Y(v), y2: Y(v) });
    text(left - 7, Y(v) + 5, short(v), { "text-anchor": "end" });
  }
  const ticks = log ? [0.01, 0.1, 1, 10].flatMap((v) => [v, 2 * v, 5 * v]).filter((v) => v >= x0 && v <= x1) : round(x0, x1, phone.matches ? 5 : 8);
  for (const v of ticks) {
    line({ x1: X(v), x2: X(v), y1: top, y2: bottom });
    text(X(v), bottom + 17, short(v), { "text-anchor": "middle" });
  }
  line({ x1: left, x2: right, y1: bottom, y2: bottom, "stroke-opacity": 0.6 });
  line({ x1: left, x2: left, y1: top, y2: bottom, "stroke-opacity": 0.6 });
  text((left + right) / 2, bottom + 36, xlabel, { "text-anchor": "middle" });
  const curve = (xs, f, color, more) => {
    const at = xs.map((v) => [v, f(v)]).filter(([, w]) => Number.isFinite(w));
    element(node, "polyline", { points: at.map(([v, w]) => `${X(v)},${Y(w)}`).join(" "), fill: "none", stroke: color, "stroke-width": 2.4, "clip-path": `url(#${inside})`, ...more });
  };
  // Dots, and then their names: each where it covers no other name and no dot, of such places the first.
  const dots = (...all) => {
    const at = all.map(([v, w, color, name]) => ({ x: X(v), y: Y(w), color, name }));
    for (const one of at) element(node, "circle", { cx: one.x, cy: one.y, r: 5.5, fill: one.color, stroke: "var(--pst-color-background, #fff)" });
    const taken = at.map(({ x, y }) => [x - 6, y - 6, x + 6, y + 6]);
    const common = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
    for (const one of at.filter(({ name }) => name)) {
      const size = 11 * [...one.name.normalize("NFC").replace(/\p{M}/gu, "")].length;
      const found = PLACES.map(([dx, dy, anchor]) => {
        const [x, y] = [one.x + dx, one.y + dy], from = x - { start: 0, middle: size / 2, end: size }[anchor];
        const box = [from, y - 14, from + size, y + 4];
        const inside = common(box, [left, top, right, bottom]), lost = size * 18 - inside;
        return { x, y, anchor, box, cost: lost + taken.reduce((sum, other) => sum + common(box, other), 0) };
      });
      const best = found.reduce((a, b) => (b.cost < a.cost - 1 ? b : a));
      taken.push(best.box);
      text(best.x, best.y, one.name, { "text-anchor": best.anchor, fill: one.color, "font-size": 15, "font-weight": 600, class: "name" });
    }
  };
  return { node, curve, dots, text, X, Y };
}

// A row of sliders; `draw` gets their values.  A slider with `log` moves in factors, one with `options` is a choice.
function controls(root, sliders, draw) {
  const values = {};
  const bar = document.createElement("div");
  bar.className = "play-controls";
  const picture = document.createElement("div");
  picture.className = "play-picture";
  const say = document.createElement("p");
  say.className = "play-says";
  say.setAttribute("aria-live", "polite");
  const redraw = () => {
    picture.replaceChildren();
    say.textContent = draw(picture, values);
  };
  for (const [name, one] of Object.entries(sliders)) {
    const label = document.createElement("label");
    const shown = document.createElement("output");
    const input = document.createElement(one.options ? "select" : "input");
    if (one.options) for (const [value, words] of one.options) input.append(new Option(words, value));
    else Object.assign(input, { type: "range", min: 0, max: 1, step: "any" });
    const [low, high] = one.range || [0, 1];
    const read = (t) => (one.log ? low * (high / low) ** t : low + (high - low) * t);
    if (!one.options) input.value = (one.log ? Math.log(one.value / low) / Math.log(high / low) : (one.value - low) / (high - low));
    const update = () => {
      values[name] = one.options ? input.value : one.whole ? Math.round(read(Number(input.value))) : read(Number(input.value));
      shown.textContent = one.options ? "" : short(values[name]);
    };
    input.dataset.name = name;
    input.addEventListener("input", () => (update(), redraw()));
    label.append(one.label + " ", input, shown);
    bar.append(label);
    update();
  }
  root.append(bar, picture, say);
  phone.addEventListener("change", redraw);
  redraw();
}

const pieces = {
  envelope(root) {
    controls(root, { r: { label: "λρ", range: [0.04, 0.96], value: 0.5 }, y: { label: "x", range: [-1.9, 1.9], value: 0.3 } }, (at, { r, y }) => {
      const lam = r / 2, grid = range(-2, 2, 401), hat = F.prox(y, lam), value = F.envelope(y, lam);
      const box = axes(at, { x: [-2, 2], y: [-0.5, 3.5], xlabel: "x", title: "f (grey), its envelope (green), the parabola that touches f (dashed)" });
      box.curve(grid, F.f, COLOR.neutral);
      box.curve(grid, (v) => F.envelope(v, lam), COLOR.envelope);
      box.curve(grid, (v) => value - (v - y) ** 2 / (2 * lam), COLOR.accent, { "stroke-dasharray": "6 4", "stroke-width": 1.6 });
      box.dots([y, value, COLOR.envelope, "x"], [hat, F.f(hat), COLOR.shb, "x̂"]);
      const slope = (y - hat) / lam, smooth = F.smoothness(lam);
      return `The slope of the envelope at x is (x − x̂)/λ = ${short(slope).replace("-", "−")}. Its smoothness constant is at most ` + (r > 0.5 ? `ρ/(1 − λρ) = ${short(smooth)}: beyond λρ = 1/2 the paper's 1/λ = ${short(1 / lam)} is not enough.` : `1/λ = ${short(smooth)}.`);
    });
  },

  ball(root) {
    const lam = 0.25, steps = 120;
    const sliders = {
      alpha: { label: "α", range: [0.004, 0.2], value: 0.02, log: true },
      beta: { label: "β", range: [0.02, 1], value: 0.1, log: true },
      x0: { label: "x₀", range: [-2, 2], value: 1.7 },
      k: { label: "k", range: [0, steps], value: 20, whole: true },
      start: { label: "start", options: [["repaired", "z₀ = β g₀"], ["printed", "z₀ = g₀"]] },
    };
    controls(root, sliders, (at, { alpha, beta, x0, k, start }) => {
      const run = [{ x: x0, before: x0 }];
      let z = (start === "printed" ? 1 : beta) * F.slope(x0);
      for (let i = 0; i < steps; i++) {
        const { x } = run[i], next = F.step(x, z, alpha);
        z = F.direction(F.slope(next), x, next, alpha, beta);
        run.push({ x: next, before: x });
      }
      for (const one of run) {
        one.bar = F.x_bar(one.x, one.before, beta);
        one.hat = F.x_hat(one.bar, lam);
        one.V = F.V(one.bar, one.x, one.before, alpha, beta, lam);
      }
      const here = run[k];
      const box = axes(at, { x: [-3, 3], y: [-0.5, 4], xlabel: "x", title: "f on [−2, 2], and the path up to step k" });
      box.curve(range(-2, 2, 401), F.f, COLOR.neutral);
      box.curve(run.slice(0, k + 1).map((one) => one.x), F.f, COLOR.shb, { "stroke-opacity": 0.35, "stroke-width": 5 });
      box.dots(
        [Math.max(-3, Math.min(3, here.bar)), F.f(Math.max(-2, Math.min(2, here.bar))), COLOR.accent, "x̄ₖ"],
        [here.hat, F.f(here.hat), COLOR.envelope, "x̂ₖ"],
        [here.x, F.f(here.x), COLOR.shb, "xₖ"],
      );
      const top = Math.max(...run.map((one) => one.V), 1e-9);
      const below = axes(at, { x: [0, steps], y: [0, top], height: 180, xlabel: "k", title: "Vₖ with λ = 1/(2ρ)" });
      below.curve(range(0, steps, steps + 1), (i) => run[i].V, COLOR.shb);
      below.dots([k, here.V, COLOR.shb]);
      return `ν = β/α = ${short(beta / alpha)}. At step ${k}: xₖ = ${short(here.x)}, x̄ₖ = ${short(here.bar)}, x̂ₖ = ${short(here.hat)}, Vₖ = ${short(here.V)}.`;
    });
  },

  first_step(root) {
    const sliders = {
      alpha: { label: "α", range: [0.02, 1], value: 0.25, log: true },
      beta: { label: "β", range: [0.05, 1], value: 0.25, log: true },
      lam: { label: "λ", range: [0.1, 4], value: 1, log: true },
    };
    controls(root, sliders, (at, { alpha, beta, lam }) => {
      const grid = range(-2, 2, 801), of = (length) => (v) => F.first_step(v, length, alpha, beta, lam);
      const worst = (length) => Math.max(...grid.map(of(length)));
      const [printed, repaired] = [worst(1), worst(beta)], size = 1.15 * Math.max(printed, -Math.min(...grid.map(of(beta))), 1e-6);
      const box = axes(at, { x: [-2, 2], y: [-size, size], xlabel: "x₀", title: "Lemma 4 at k = 0, left minus right; above 0 it fails" });
      box.curve([-2, 2], () => 0, "currentColor", { "stroke-width": 1 });
      box.curve(grid, of(1), COLOR.wrong, { "stroke-dasharray": "3 3" });
      box.curve(grid, of(beta), COLOR.shb);
      return `f(x) = |x|, without noise. With z₀ = g₀ (dotted) the largest excess is ${short(printed)}` + (printed > 1e-12 ? ": the lemma fails. " : ". ") + `With z₀ = β g₀ (solid) it is ${short(repaired)}` + (repaired > 1e-12 ? "." : ": the lemma holds.");
    });
  },

  bounds(root) {
    const sliders = {
      share: { label: "share of ρΔ in ρΔ + L²", range: [0, 1], value: 0.5 },
      root: { label: "√(K+1)", range: [1, 1000], value: 100, log: true },
    };
    controls(root, sliders, (at, { share, root: N }) => {
      const grid = range(Math.log(0.1), Math.log(1.99), 300).map(Math.exp), forms = { printed: COLOR.wrong, repaired: COLOR.bound, sharpened: COLOR.envelope };
      const box = axes(at, { x: [0.1, 1.99], y: [0, 24], xlabel: "ρα₀", title: "factor of (ρΔ + L²)/√(K+1), for ρ = 1 and λ = 1/2", log: true });
      for (const [form, color] of Object.entries(forms)) {
        box.curve(grid, (v) => F[form](v, N, share), color, form === "printed" ? { "stroke-dasharray": "3 3" } : {});
      }
      const best = (form) => grid.reduce((a, v) => (F[form](v, N, share) < F[form](a, N, share) ? v : a));
      const [r, s] = [best("repaired"), best("sharpened")];
      return `Repaired (black or white): least ${short(F.repaired(r, N, share))} at ρα₀ = ${short(r)}. Sharpened (green): least ${short(F.sharpened(s, N, share))} at ρα₀ = ${short(s)}; at ρα₀ = 1 it is ${short(F.sharpened(1, N, share))}. Printed (dotted): without α₀² at L², so false for a large α₀.`;
    });
  },
};

// Draws what has not been drawn yet.
function play() {
  for (const root of document.querySelectorAll(".play:not([data-drawn])")) {
    root.dataset.drawn = "yes";
    root.formulas = F;
    pieces[root.dataset.play](root);
  }
}
