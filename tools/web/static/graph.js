// The graph of winning chances: who moves first is above the middle when ahead; dots are moves that lost much.

import { svg } from "./dom.js";

const [WIDTH, HEIGHT] = [400, 120];
const COLOURS = { blunder: "#d23c2e", mistake: "#e07b1f", inaccuracy: "#c9a227" };

export function drawGraph(place, view, go) {
  const count = Math.max(view.graph.length - 1, 10);
  const x = (ply) => 6 + (WIDTH - 12) * ply / count;
  const y = (win) => 6 + (HEIGHT - 12) * (1 - win);
  place.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  place.setAttribute("preserveAspectRatio", "none");
  place.replaceChildren(
    svg("line", { x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5), stroke: "var(--line)" }),
    svg("line", { x1: x(view.ply), x2: x(view.ply), y1: 0, y2: HEIGHT, stroke: "var(--accent)", "stroke-width": 2 }),
  );
  const known = view.graph.map((win, ply) => [ply, win]).filter(([, win]) => win !== null);
  const points = known.map(([ply, win]) => `${x(ply)},${y(win)}`).join(" ");
  place.append(svg("polyline", { points, fill: "none", stroke: "var(--ink)", "stroke-width": 2, "vector-effect": "non-scaling-stroke" }));
  view.lost.forEach((lost, index) => {
    if (lost && COLOURS[lost.grade] && view.graph[index + 1] !== null)
      place.append(svg("circle", { cx: x(index + 1), cy: y(view.graph[index + 1]), r: 4, fill: COLOURS[lost.grade] }));
  });
  const now = view.graph[view.ply];
  place.setAttribute("aria-label", now === null || now === undefined
    ? "Winning chances by move; none is known here" : `Winning chances: ${view.sides[0]} ${Math.round(100 * now)} percent here`);
  place.onclick = (event) => {
    const box = place.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width * WIDTH - 6) / (WIDTH - 12) * count));
  };
}
