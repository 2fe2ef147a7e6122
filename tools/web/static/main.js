// The page: what is shown of a game, and what its buttons and keys do.

import { get, listen, post, upload } from "./api.js";
import { Board } from "./board.js";
import { newGame, savedGames, strength } from "./dialogs.js";
import { byId, el } from "./dom.js";
import { drawGraph } from "./graph.js";

const RECORDS = /\.(sgf|pgn|ggf|gam|psq|obf|fen|epd|txt|text|pos|wtb)$/i;
let view = null;
let info = null;
let leave = () => {};
let games = [];

const board = new Board(byId("board"), {
  play: (move) => act("play", { move }),
  say: (text) => { byId("spoken").textContent = text; },
  refuse: (text) => { byId("spoken").textContent = byId("status").textContent = text; },
  wait: (isWaiting) => { byId("confirm").hidden = !isWaiting; },
});

function fail(error) {
  byId("error").textContent = error.message;
  byId("error").hidden = false;
}

async function act(action, values = {}) {
  if (!view) return;
  try { show(await post(`/api/tables/${encodeURIComponent(view.id)}/${action}`, values)); } catch (error) { fail(error); }
}

function open(values) {
  leave();
  view = info = null;
  show(values);
  byId("photo-room").hidden = true;
  document.querySelector("main").hidden = false;
  history.replaceState(null, "", `#${values.id}`);
  leave = listen(values.id, { view: show, info: showInfo, review: showReview });
}

function show(values) {
  if (view && values.id === view.id && values.version < view.version) return;
  if (!view || values.id !== view.id || values.version !== view.version) info = null;
  speak(view, values);
  view = values;
  if (view.info && !(info && info.lines.length >= view.info.lines.length)) info = view.info;
  byId("error").hidden = true;
  byId("status").textContent = view.status;
  byId("told").textContent = view.told ? `${view.told[0].toUpperCase()}${view.told.slice(1)}.` : "";
  [0, 1].forEach(showSeat);
  byId("pass").hidden = view.pass === null;
  byId("back").hidden = !view.isTry;
  byId("owners-wish").hidden = !view.hasOwners;
  byId("undo").disabled = !view.moves.length;
  byId("resign").disabled = view.isOver;
  for (const [id, isOn] of [["analyse", view.isAnalysing], ["review", view.isReviewing]])
    byId(id).setAttribute("aria-pressed", isOn);
  byId("review").textContent = view.isReviewing ? "Stop the review" : "Review the game";
  showMoves();
  showDownloads();
  draw();
}

// A screen reader says the last move and whose turn it is.
function speak(before, after) {
  if (before && before.id === after.id && before.version === after.version) return;
  const side = after.ply ? after.sides[(after.toMove + 1) % 2] : "";
  byId("spoken").textContent = `${after.ply ? `${side} ${after.moves[after.ply - 1]}. ` : ""}${after.status}`;
}

// Hints and chances are shown only where somebody asked for them, so that a game is not spoiled.
let asked = "";
const isAsked = () => view.isAnalysing || asked === `${view.id} ${view.version}`;

function draw() {
  board.showsOwners = byId("show-owners").checked;
  const shown = view && isAsked() ? info : null;
  board.draw(view, shown, board.showsOwners);
  drawGraph(byId("graph"), view, (ply) => act("show", { ply }));
  byId("lines").replaceChildren(...(shown ? [lineTable(shown)] : []));
}

function showInfo(values) {
  if (!view || values.version !== view.version) return;
  info = values;
  view.graph[view.ply] = values.win;
  draw();
}

function showReview({ done, total }) {
  byId("status").textContent = `Reviewed ${done} of ${total} moves.`;
}

function showSeat(side) {
  const { name, kind } = view.seats[side];
  const place = byId(`seat-${side}`);
  const isDark = (view.kind === "chequers") === (side === 1);
  const dot = el("span", { class: "dot" });
  dot.style.background = isDark ? "#111" : "#fafafa";
  const label = kind === "person" && name === view.sides[side] ? `${name}` : `${view.sides[side]}: ${name}`;
  place.replaceChildren(dot, el("span", {}, label), seatChoice(side));
  place.classList.toggle("turn", view.toMove === side && !view.isOver);
}

// Who plays a side, to be changed at any time.
function seatChoice(side) {
  const { kind, level, rank } = view.seats[side];
  const game = games.find((one) => one.name === view.game);
  const levels = game?.players.find((player) => player.levels.length)?.levels ?? [];
  const now = kind === "person" ? "person" : `own ${rank ?? level}`;
  const choices = [["person", "a person"], ...levels.map((one) => [`own ${one}`, `Tengen, level ${one}`]),
    ...(game?.ranks ?? []).map((one) => [`own ${one}`, `Tengen, ${one}`])];
  if (!choices.some(([value]) => value === now)) choices.push([now, "as now"]);
  const change = (event) => {
    const [chosen, word] = event.target.value.split(" ");
    act("seat", { side, kind: chosen, ...strength(word) });
  };
  return el("select", { "aria-label": `Who plays ${view.sides[side]}`, onchange: change },
    ...choices.map(([value, text]) => el("option", { value, selected: value === now }, text)));
}

function lineTable(shown) {
  return el("table", {}, el("caption", { class: "quiet" }, `${view.sides[0]} ${Math.round(100 * shown.win)} %, ${shown.visits} visits`),
    el("tbody", {}, ...shown.lines.slice(0, 5).map((line) => el("tr", {},
      el("th", { scope: "row" }, line.text), el("td", {}, `${(100 * line.win).toFixed(1)} %`), el("td", {}, line.pv.slice(1).join(" "))))));
}

function showMoves() {
  byId("moves").replaceChildren(...view.moves.map((text, index) => {
    const lost = view.lost[index];
    const grade = lost && lost.grade;
    const label = grade ? `${text}, ${grade}: ${lost.lost} percent lost, better ${lost.better}` : text;
    return el("li", {}, index % 2 === 0 ? el("span", { class: "quiet" }, `${index / 2 + 1}. `) : "",
      el("button", { class: grade || null, title: grade ? label : null, "aria-label": label,
        "aria-current": view.ply === index + 1 ? "true" : null, onclick: () => act("show", { ply: index + 1 }) }, text));
  }));
  const current = byId("moves").querySelector("[aria-current]");
  if (current) byId("moves").scrollTop = current.offsetTop - byId("moves").offsetTop - 90;
}

function showDownloads() {
  const forms = { chequers: ["pgn"], squares: ["sgf", "ggf", "obf"], lines: ["sgf"] }[view.kind].concat(view.game === "gomoku" ? ["psq"] : [], view.kind === "chequers" ? [] : ["text"]);
  byId("downloads").replaceChildren(el("span", { class: "quiet" }, "Download"), ...forms.map((form) =>
    el("a", { href: `/api/tables/${encodeURIComponent(view.id)}/record?format=${form}`, download: true }, form.toUpperCase())));
}

async function take(file) {
  try {
    if (RECORDS.test(file.name) || !/^image\//.test(file.type)) open(await upload("/api/files", file));
    else (await import("./photo.js")).open(file, { openGame: open, fail });
  } catch (error) { fail(error); }
}

const CLICKS = {
  "open-new": () => newGame(open, fail).catch(fail),
  "open-saved": () => savedGames(open, fail).catch(fail),
  "go-first": () => act("show", { ply: 0 }),
  "go-back": () => act("show", { ply: Math.max(0, view.ply - 1) }),
  "go-on": () => act("show", { ply: view.ply + 1 }),
  "go-last": () => act("show", { ply: view.moves.length }),
  back: () => act("back"),
  undo: () => act("undo"),
  hint: () => { asked = `${view.id} ${view.version}`; byId("status").textContent = "Looking for a hint ..."; act("hint"); },
  pass: () => act("play", { move: view.pass }),
  resign: () => { if (confirm("Resign this game?")) act("resign"); },
  confirm: () => board.confirm(),
  analyse: () => act("analyse", { on: !view.isAnalysing }),
  review: () => act("review", { on: !view.isReviewing }),
};
for (const [id, done] of Object.entries(CLICKS)) byId(id).addEventListener("click", done);
byId("show-owners").addEventListener("change", draw);
byId("file").addEventListener("change", (event) => { if (event.target.files[0]) take(event.target.files[0]); event.target.value = ""; });
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("typed-move").value.trim();
  byId("typed-move").value = "";
  if (text) act("play", { text });
});

const KEYS = { "[": "go-back", "]": "go-on", h: "hint", u: "undo", a: "analyse" };
document.addEventListener("keydown", (event) => {
  if (document.querySelector("main").hidden || event.target.matches("input, select, textarea") || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const id = KEYS[event.key];
  if (id && view && !byId(id).disabled) byId(id).click();
});
for (const kind of ["dragenter", "dragover"])
  document.addEventListener(kind, (event) => { event.preventDefault(); byId("drop-here").hidden = false; });
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) byId("drop-here").hidden = true; });
document.addEventListener("drop", (event) => {
  event.preventDefault();
  byId("drop-here").hidden = true;
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
});
document.addEventListener("paste", (event) => { if (event.clipboardData?.files[0]) take(event.clipboardData.files[0]); });

get("/api/games").then((found) => { games = found; if (view) [0, 1].forEach(showSeat); }).catch(fail);
const known = decodeURIComponent(location.hash.slice(1));
(known ? get(`/api/tables/${encodeURIComponent(known)}`) : post("/api/tables", { game: "go", size: 9 }))
  .catch(() => post("/api/tables", { game: "go", size: 9 }))
  .then(open).catch(fail);
