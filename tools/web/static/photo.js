// A photo of a board: what was read is drawn over it, corrected by clicks, read again between dragged corners.

import { post, remove, upload } from "./api.js";
import { byId, el, svg } from "./dom.js";

const COLOURS = { X: "#22b8ff", O: "#ff3fd0" };
const SIDES = [["", "who is next? as the game tells"], ["b", "Black is next"], ["w", "White is next"]];
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
let photo = null;
let page = null;
let corners = null;

// openGame(view) shows a game, fail(error) a mistake.
export async function open(file, { openGame, fail }) {
  page = { openGame, fail };
  document.querySelector("main").hidden = true;
  byId("photo-room").hidden = false;
  byId("photo-room").replaceChildren(el("p", { role: "status" }, `Reading ${file.name || "the photo"} ...`));
  if (photo) remove(`/api/photos/${photo.id}`).catch(() => {});
  photo = null;
  try { show(await upload("/api/photos", file)); } catch (error) {
    byId("photo-room").replaceChildren(el("p", { role: "status" }, `${error.message}.`), leaveButton());
  }
}

const leaveButton = () => el("button", { onclick: leave }, "Back to the board");

function leave() {
  if (photo) remove(`/api/photos/${photo.id}`).catch(() => {});
  photo = null;
  byId("photo-room").hidden = true;
  document.querySelector("main").hidden = false;
}

async function ask(work) {
  byId("photo-status").textContent = "One moment ...";
  try { return await work(); } catch (error) { byId("photo-status").textContent = `${error.message}.`; return null; }
}

async function again(withCorners) {
  const wish = { game: byId("photo-game").value, size: byId("photo-size").value, part: byId("photo-part").value.trim() };
  const values = withCorners ? { ...wish, corners } : wish;
  const found = await ask(() => post(`/api/photos/${photo.id}/read`, values));
  if (found) show(found);
}

async function setPoint(row, column, stone) {
  const found = await ask(() => post(`/api/photos/${photo.id}/point`, { board: photo.board, row, column, stone }));
  if (found) show(found);
}

function show(found) {
  const kept = { game: byId("photo-game")?.value, size: byId("photo-size")?.value, part: byId("photo-part")?.value, next: byId("photo-next")?.value };
  photo = found;
  corners = found.corners.map((corner) => [...corner]);
  byId("photo-room").replaceChildren(el("div", { class: "photo-layout" },
    el("div", {}, drawing(), el("p", { id: "photo-status", role: "status", "aria-live": "polite" }, summary())),
    el("div", {}, controls(kept), doubts())));
}

function summary() {
  const reading = photo.reading;
  if (!reading) return `${photo.error[0].toUpperCase()}${photo.error.slice(1)}.`;
  const count = reading.uncertain.length;
  const doubtful = count ? `, ${count} point${count > 1 ? "s" : ""} to look at` : "";
  return `${reading.game} ${reading.size} × ${reading.size}: ${reading.black} black, ${reading.white} white${doubtful}.`;
}

function drawing() {
  const { width, height, reading } = photo;
  const edge = 2.4 * handleSize();
  const frame = `${-edge} ${-edge} ${width + 2 * edge} ${height + 2 * edge}`;
  const root = svg("svg", { id: "photo-picture", viewBox: frame, role: "img", "aria-label": summary() });
  root.append(svg("image", { href: `/api/photos/${photo.id}/picture`, width, height }));
  if (reading) drawReading(root);
  drawCorners(root);
  return root;
}

function drawReading(root) {
  const { width, height, reading, points } = photo;
  const at = (row, column) => [points[row][column][0] * width, points[row][column][1] * height];
  const doubtful = new Set(reading.uncertain.map((one) => `${one.row} ${one.column}`));
  const [ax, ay] = at(0, 0), [bx, by] = at(0, 1);
  const cell = Math.hypot(bx - ax, by - ay);
  for (let row = 0; row < reading.size; row += 1) {
    for (let column = 0; column < reading.size; column += 1) {
      const [x, y] = at(row, column);
      const letter = reading.rows[row][column];
      const group = svg("g", { onclick: () => setPoint(row, column, { ".": 1, X: 2, O: 0, "?": 1 }[letter]) });
      group.style.cursor = "pointer";
      group.append(svg("circle", { cx: x, cy: y, r: cell * 0.45, fill: "transparent" }));
      if (COLOURS[letter]) {
        group.append(svg("circle", { cx: x, cy: y, r: cell * 0.36, fill: "none", stroke: COLOURS[letter], "stroke-width": cell * 0.1 }));
        group.append(svg("circle", { cx: x, cy: y, r: cell * 0.1, fill: letter === "X" ? "#000" : "#fff", stroke: COLOURS[letter], "stroke-width": cell * 0.03 }));
      } else if (letter === ".") group.append(svg("circle", { cx: x, cy: y, r: cell * 0.06, fill: "#35d04f" }));
      if (doubtful.has(`${row} ${column}`))
        group.append(svg("rect", { x: x - cell * 0.45, y: y - cell * 0.45, width: cell * 0.9, height: cell * 0.9, fill: "none", stroke: "#ff2d20", "stroke-width": cell * 0.1 }));
      root.append(group);
    }
  }
}

const handleSize = () => Math.max(photo.width, photo.height) / 45;

// Where the handle of a corner is: beside it, away from the middle of the board, so that no point lies below.
function beside(index) {
  const { width, height } = photo;
  const [x, y] = [corners[index][0] * width, corners[index][1] * height];
  const [across, down] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
  const [dx, dy] = [x - across * width, y - down * height];
  const far = 1.5 * handleSize() / (Math.hypot(dx, dy) || 1);
  return [dx * far, dy * far];
}

function drawCorners(root) {
  const { width, height } = photo;
  const size = handleSize();
  const names = ["upper left", "upper right", "lower right", "lower left"];
  const outline = svg("polygon", { fill: "none", stroke: "#ffe14d", "stroke-width": size / 6, "pointer-events": "none" });
  root.append(outline);
  const place = () => outline.setAttribute("points", corners.map(([x, y]) => `${x * width},${y * height}`).join(" "));
  place();
  corners.forEach((corner, index) => {
    const off = beside(index);
    const handle = svg("circle", { class: "corner", cx: corner[0] * width + off[0], cy: corner[1] * height + off[1], r: size, fill: index ? "#ffe14d99" : "#ff9d2d99",
      stroke: "#000", "stroke-width": size / 8, tabindex: "0", role: "slider", "aria-label": `${names[index]} corner of the board`,
      "aria-valuetext": `${Math.round(100 * corner[0])} %, ${Math.round(100 * corner[1])} %`, "aria-valuenow": Math.round(100 * corner[0]) });
    handle.style.cursor = "move";
    handle.style.touchAction = "none";
    const move = (x, y) => {
      corners[index] = [x, y];
      handle.setAttribute("cx", x * width + off[0]);
      handle.setAttribute("cy", y * height + off[1]);
      place();
    };
    handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); event.preventDefault(); });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse());
      const inside = (value) => Math.min(Math.max(value, 0), 1);
      move(inside((point.x - off[0]) / width), inside((point.y - off[1]) / height));
    });
    handle.addEventListener("pointerup", () => again(true));
    handle.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (event.key === "Enter") return again(true);
      if (!step) return;
      event.preventDefault();
      move(corners[index][0] + step[0] / 200, corners[index][1] + step[1] / 200);
    });
    root.append(handle);
  });
}

function select(id, label, values, chosen, changed) {
  return el("label", {}, label, el("select", { id, onchange: changed },
    ...values.map(([value, text]) => el("option", { value, selected: value === (chosen ?? "") }, text))));
}

function controls(kept) {
  const games = [["", "by the board"], ["go", "Go"], ["gomoku", "Gomoku"], ["reversi", "Reversi"]];
  const sizes = [["", "found"], ...[8, 9, 13, 15, 17, 19].map((size) => [String(size), String(size)])];
  const rows = [
    el("h2", {}, photo.name),
    el("p", { class: "quiet" }, "Click a point to change it: empty, black, white. Drag the yellow corners and the board is read again. Red squares are points to look at."),
    select("photo-game", "Game", games, kept.game, () => again(false)),
    select("photo-size", "Lines", sizes, kept.size, () => again(false)),
    el("label", {}, "Part that shows", el("input", { id: "photo-part", size: "12", placeholder: "all, or upper-left, C3-K13", value: kept.part ?? "", onchange: () => again(false) })),
    select("photo-next", "Next", SIDES, kept.next, () => {}),
  ];
  if (photo.boards > 1) {
    const values = Array.from({ length: photo.boards }, (_, index) => [String(index), `${index + 1} of ${photo.boards}`]);
    rows.push(select("photo-board", "Board", values, String(photo.board), (event) => pick(event.target.value)));
  }
  if (photo.reading) rows.push(el("div", { class: "row" },
    el("button", { class: "main", onclick: play }, "Play from here"),
    photo.reading.game ? el("button", { onclick: () => advise("score") }, "Score") : "",
    el("button", { onclick: () => advise("best") }, "Best move")),
  el("div", { class: "row" }, el("span", { class: "quiet" }, "Download"), ...photo.formats.map((form) =>
    el("a", { href: "", onclick: (event) => save(event, form) }, form.toUpperCase()))));
  rows.push(el("div", { class: "row" }, leaveButton()));
  return el("div", {}, ...rows);
}

async function pick(board) {
  const found = await ask(async () => (await import("./api.js")).get(`/api/photos/${photo.id}?board=${board}`));
  if (found) show(found);
}

function save(event, form) {
  event.preventDefault();
  const address = `/api/photos/${photo.id}/file?format=${form}&board=${photo.board}&next=${byId("photo-next").value}`;
  el("a", { href: address, download: "" }).click();
}

async function advise(what) {
  const found = await ask(() => post(`/api/photos/${photo.id}/advice`, { what, board: photo.board, next: byId("photo-next").value }));
  if (found) byId("photo-status").replaceChildren(el("pre", {}, found.said));
}

async function play() {
  const found = await ask(() => post(`/api/photos/${photo.id}/play`, { board: photo.board, next: byId("photo-next").value }));
  if (!found) return;
  leave();
  page.openGame(found);
}

function doubts() {
  const reading = photo.reading;
  if (!reading) return "";
  const list = reading.uncertain.map((one) => el("li", {}, `${one.point}: read as ${one.read} `,
    ...["empty", "black", "white"].map((name, stone) => el("button", { "aria-label": `${one.point} is ${name}`, onclick: () => setPoint(one.row, one.column, stone) }, name))));
  const warnings = reading.warnings.map((text) => el("li", {}, text));
  return el("div", {}, warnings.length ? el("ul", {}, ...warnings) : "", list.length ? el("ul", { class: "doubts", "aria-label": "Points to look at" }, ...list) : "");
}
