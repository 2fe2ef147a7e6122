// Draws the board as SVG, and turns clicks and keys into moves. A cell is one unit; row 0 is on top.

import { svg } from "./dom.js";

const GLYPHS = { p: "♟", n: "♞", b: "♝", r: "♜", q: "♛", k: "♚" };
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const MARGIN = 0.8;

export class Board {
  // play(move) is called with a move of the game, say(text) with what a screen reader should say, refuse(text) with why
  // something is no move, wait(isWaiting) when a second tap is awaited.
  constructor(place, { play, say, refuse, wait }) {
    Object.assign(this, { play, say, refuse, wait, cursor: null, held: null, tapped: null, view: null, info: null, pressed: null });
    // One element stays for good: it keeps the focus, and a press that began before the board was drawn anew still counts.
    this.root = svg("svg", { tabindex: "0", role: "application",
      onpointerdown: (event) => { this.pressed = this.under(event); },
      onpointerup: (event) => this.released(event), onkeydown: (event) => this.key(event) });
    place.replaceChildren(this.root);
  }

  draw(view, info, showsOwners) {
    if (!this.view || this.view.version !== view.version || this.view.id !== view.id) {
      this.held = null;
      this.setTapped(null);
    }
    this.view = view;
    this.info = info;
    const { width, height } = view;
    this.root.replaceChildren();
    this.root.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`);
    this.root.setAttribute("aria-label", `${view.title} board, ${width} by ${height}. Arrow keys move, Enter plays.`);
    this.ground();
    this.letters();
    if (showsOwners && info?.owners?.length) this.owners(info.owners);
    this.marks();
    for (let cell = 0; cell < width * height; cell += 1) this.stone(cell, view.cells[cell]);
    this.hints();
    this.pointers();
  }

  at(cell) { return [cell % this.view.width + 0.5, Math.floor(cell / this.view.width) + 0.5]; }
  add(name, attributes, ...children) { this.root.append(svg(name, attributes, ...children)); }

  ground() {
    const { width, height, kind, stars } = this.view;
    if (kind === "lines") {
      this.add("rect", { x: -MARGIN, y: -MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN, fill: "var(--wood)" });
      let path = "";
      for (let x = 0; x < width; x += 1) path += `M${x + 0.5} .5V${height - 0.5}`;
      for (let y = 0; y < height; y += 1) path += `M.5 ${y + 0.5}H${width - 0.5}`;
      this.add("path", { d: path, stroke: "var(--grid)", "stroke-width": 0.035, fill: "none", "stroke-linecap": "square" });
      for (const cell of stars) { const [x, y] = this.at(cell); this.add("circle", { cx: x, cy: y, r: 0.09, fill: "var(--grid)" }); }
      return;
    }
    const [one, two] = kind === "squares" ? ["var(--felt)", "var(--felt)"] : ["var(--pale)", "var(--brown)"];
    for (let cell = 0; cell < width * height; cell += 1) {
      const [x, y] = [cell % width, Math.floor(cell / width)];
      const line = kind === "squares" ? { stroke: "#0006", "stroke-width": 0.03 } : {};
      this.add("rect", { x, y, width: 1, height: 1, fill: (x + y) % 2 ? two : one, ...line });
    }
  }

  letters() {
    const { columns, rows, width, height, kind } = this.view;
    const look = kind === "lines" ? "board-text on-wood" : "board-text";
    columns.forEach((letter, x) => [-0.45, height + 0.45].forEach((y) =>
      this.add("text", { x: x + 0.5, y, class: look, "aria-hidden": "true" }, letter)));
    rows.forEach((number, y) => [-0.45, width + 0.45].forEach((x) =>
      this.add("text", { x, y: y + 0.5, class: look, "aria-hidden": "true" }, number)));
  }

  owners(owners) {
    owners.forEach((value, cell) => {
      if (Math.abs(value) < 0.3) return;
      const [x, y] = this.at(cell);
      const size = 0.28 + 0.3 * Math.abs(value);
      this.add("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size,
        fill: value > 0 ? "#000" : "#fff", opacity: 0.15 + 0.35 * Math.abs(value) });
    });
  }

  marks() {
    if (this.view.kind === "lines") return;
    if (this.view.kind === "squares")
      for (const cell of this.view.legal) { const [x, y] = this.at(cell); this.add("circle", { cx: x, cy: y, r: 0.09, fill: "#0008" }); }
    for (const cell of this.view.last) {
      const [x, y] = this.at(cell);
      this.add("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, fill: "#ffe14d", opacity: 0.38 });
    }
  }

  stone(cell, letter) {
    if (letter === ".") return;
    const [x, y] = this.at(cell);
    if (this.view.kind === "chequers") {
      const isWhite = letter === letter.toUpperCase();
      this.add("text", { x, y: y + 0.03, "font-size": 0.86, "text-anchor": "middle", "dominant-baseline": "central",
        fill: isWhite ? "#fff" : "#111", stroke: isWhite ? "#222" : "#ddd", "stroke-width": 0.025, "paint-order": "stroke" },
      GLYPHS[letter.toLowerCase()] + "\ufe0e");
      return;
    }
    const isDark = letter === "X";
    this.add("circle", { cx: x, cy: y, r: 0.46, fill: isDark ? "#111" : "#fafafa", stroke: isDark ? "#000" : "#777", "stroke-width": 0.03 });
    if (this.view.last.includes(cell))
      this.add("circle", { cx: x, cy: y, r: 0.18, fill: "none", stroke: isDark ? "#fff" : "#c0392b", "stroke-width": 0.08 });
  }

  hints() {
    if (!this.info) return;
    const shown = new Set();
    this.info.lines.forEach((line, rank) => {
      const cell = line.cells[line.cells.length - 1];
      if (cell === undefined || shown.has(cell)) return;
      shown.add(cell);
      const [x, y] = this.at(cell);
      this.add("circle", { cx: x, cy: y, r: 0.44, fill: rank ? "#7b2d8b" : "#1c62b9", opacity: 0.88 });
      this.add("text", { x, y, class: "hint-text" }, `${Math.round(100 * line.win)}`);
    });
  }

  pointers() {
    for (const [cell, colour] of [[this.held, "#7b2d8b"], [this.tapped, "#c0392b"], [this.cursor, "#1c62b9"]]) {
      if (cell === null) continue;
      const [x, y] = this.at(cell);
      this.add("rect", { x: x - 0.48, y: y - 0.48, width: 0.96, height: 0.96, rx: 0.1, fill: "none", stroke: colour, "stroke-width": 0.09 });
    }
    if (this.held === null) return;
    for (const move of this.moves().filter((move) => move[0] === this.held)) {
      const [x, y] = this.at(move[1]);
      this.add("circle", { cx: x, cy: y, r: 0.16, fill: "#7b2d8b", opacity: 0.75 });
    }
  }

  moves() { return this.view.legal.filter(Array.isArray); }

  // The cell under a pointer, or null.
  under(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    const [column, row] = [Math.floor(point.x), Math.floor(point.y)];
    if (column < 0 || row < 0 || column >= this.view.width || row >= this.view.height) return null;
    return row * this.view.width + column;
  }

  released(event) {
    const cell = this.under(event);
    if (cell === null || cell !== this.pressed || event.button !== 0) return;
    this.pressed = null;
    const isSmall = this.root.getBoundingClientRect().width / this.view.width < 28 && event.pointerType !== "mouse";
    this.choose(cell, isSmall);
  }

  key(event) {
    const step = STEPS[event.key];
    if (step) {
      const from = this.cursor ?? Math.floor(this.view.height / 2) * this.view.width + Math.floor(this.view.width / 2);
      const [x, y] = [from % this.view.width, Math.floor(from / this.view.width)];
      const isNew = this.cursor === null;
      const column = Math.min(Math.max(x + (isNew ? 0 : step[1]), 0), this.view.width - 1);
      const row = Math.min(Math.max(y + (isNew ? 0 : step[0]), 0), this.view.height - 1);
      this.cursor = row * this.view.width + column;
      this.say(this.described(this.cursor));
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) {
      this.choose(this.cursor, false);
    } else if (event.key === "Escape") {
      this.held = null;
      this.setTapped(null);
    } else return;
    event.preventDefault();
    this.again();
  }

  again() { this.draw(this.view, this.info, this.showsOwners); }
  name(cell) { return `${this.view.columns[cell % this.view.width]}${this.view.rows[Math.floor(cell / this.view.width)]}`; }

  described(cell) {
    const letter = this.view.cells[cell];
    if (letter === ".") return `${this.name(cell)}, empty`;
    if (this.view.kind !== "chequers") return `${this.name(cell)}, ${letter === "X" ? "black" : "white"}`;
    const colour = letter === letter.toUpperCase() ? "white" : "black";
    return `${this.name(cell)}, ${colour} ${NAMES[letter.toLowerCase()]}`;
  }

  setTapped(cell) {
    this.tapped = cell;
    this.wait(cell !== null);
  }

  confirm() { if (this.tapped !== null) this.choose(this.tapped, false); }

  // A cell was chosen. needsSecond: fingers are wide, a second tap plays.
  choose(cell, needsSecond) {
    if (this.view.kind === "chequers") return this.choosePiece(cell);
    if (!this.view.legal.includes(cell)) return this.refuse(`${this.name(cell)} cannot be played`);
    if (needsSecond && this.tapped !== cell) { this.setTapped(cell); return this.again(); }
    this.setTapped(null);
    this.play(cell);
  }

  choosePiece(cell) {
    const found = this.moves().filter((move) => move[0] === this.held && move[1] === cell);
    if (this.held !== null && found.length) {
      this.held = null;
      const wanted = found.length > 1 ? (prompt("Promote to queen, rook, bishop or knight (q, r, b, n)?", "q") || "q").trim().toLowerCase()[0] : "";
      this.play((found.find((move) => move[2] === wanted) || found[0])[3]);
      return;
    }
    this.held = this.held !== cell && this.moves().some((move) => move[0] === cell) ? cell : null;
    if (this.held !== null) this.say(`${this.described(cell)} picked up`);
    this.again();
  }
}
