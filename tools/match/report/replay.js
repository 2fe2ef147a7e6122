// Replays the games of the report: Go with captures, Gomoku, Reversi, chess. Text enters the page as text only.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const list = document.getElementById("list");
  if (!list || !data.games.length) return;
  const byId = (id) => document.getElementById(id);
  const size = data.game === "chess" || data.game === "reversi" ? 8 : data.size;
  const letters = data.game === "gomoku" ? "abcdefghijklmnopqrstuvwxy" : "abcdefghjklmnopqrstuvwxyz"; // Go has no I
  let game = data.games[0], frames = [], at = 0;

  // A point as [column, row from the top], or null for a pass.
  function point(text) {
    const found = /^([a-z])(\d+)$/i.exec(text);
    if (!found) return null;
    const letter = found[1].toLowerCase(), number = Number(found[2]);
    return data.game === "reversi" ? ["abcdefgh".indexOf(letter), number - 1] : [letters.indexOf(letter), size - number];
  }
  const inside = (x, y) => x >= 0 && y >= 0 && x < size && y < size;
  const around = [[1, 0], [-1, 0], [0, 1], [0, -1]];

  function dead(cells, x, y) { // the chain at x, y if it has no liberty
    const colour = cells[y * size + x], chain = [[x, y]], seen = new Set([y * size + x]);
    for (const [a, b] of chain) for (const [dx, dy] of around) {
      const c = a + dx, d = b + dy, i = d * size + c;
      if (!inside(c, d) || seen.has(i)) continue;
      if (!cells[i]) return [];
      if (cells[i] === colour) { seen.add(i); chain.push([c, d]); }
    }
    return [...seen];
  }
  function playStone(cells, colour, spot) {
    const [x, y] = spot;
    cells[y * size + x] = colour;
    if (data.game === "go") {
      const remove = (a, b) => { for (const i of dead(cells, a, b)) cells[i] = ""; };
      for (const [dx, dy] of around) {
        const a = x + dx, b = y + dy;
        if (inside(a, b) && cells[b * size + a] && cells[b * size + a] !== colour) remove(a, b);
      }
      remove(x, y);
    } else if (data.game === "reversi") {
      for (let dx = -1; dx < 2; dx++) for (let dy = -1; dy < 2; dy++) {
        const line = [];
        let a = x + dx, b = y + dy;
        while ((dx || dy) && inside(a, b) && cells[b * 8 + a] && cells[b * 8 + a] !== colour) { line.push(b * 8 + a); a += dx; b += dy; }
        if (inside(a, b) && cells[b * 8 + a] === colour) for (const i of line) cells[i] = colour;
      }
    }
  }
  function playPiece(cells, text) { // UCI: e2e4, e7e8q, castling by the king's two steps
    const place = (t) => (8 - Number(t[1])) * 8 + "abcdefgh".indexOf(t[0]);
    if (!/^[a-h][1-8][a-h][1-8][nbrq]?$/.test(text)) return [];
    const from = place(text.slice(0, 2)), to = place(text.slice(2, 4)), piece = cells[from];
    if (/p/i.test(piece) && from % 8 !== to % 8 && !cells[to]) cells[Math.floor(from / 8) * 8 + to % 8] = "";
    if (/k/i.test(piece) && Math.abs(from % 8 - to % 8) === 2) {
      const row = Math.floor(from / 8) * 8, rook = to > from ? 7 : 0;
      cells[row + (to > from ? 5 : 3)] = cells[row + rook];
      cells[row + rook] = "";
    }
    cells[from] = "";
    cells[to] = text[4] ? (piece === "P" ? text[4].toUpperCase() : text[4]) : piece;
    return [from, to];
  }
  function beginning() {
    if (data.game === "chess") {
      const fen = (game.position || "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").split(" ")[0];
      const cells = fen.replace(/\//g, "").replace(/\d/g, (n) => " ".repeat(Number(n)));
      return [...cells].map((c) => c.trim()).slice(0, 64);
    }
    const cells = Array(size * size).fill("");
    if (data.game === "reversi") {
      if (game.position) [...game.position.slice(0, 64)].forEach((c, i) => { cells[i] = /[x*]/i.test(c) ? "b" : /o/i.test(c) ? "w" : ""; });
      else { cells[27] = cells[36] = "w"; cells[28] = cells[35] = "b"; }
    }
    return cells;
  }
  function replay() { // all positions of the game: cells, what was played, the cells to mark
    let cells = beginning(), first = !game.second_begins;
    const moves = [...game.start.map((m) => [m, null, null]), ...game.moves];
    frames = [{ cells: [...cells], text: "start", marks: [] }];
    moves.forEach(([text, seconds, score], i) => {
      let marks = [];
      if (data.game === "chess") marks = playPiece(cells, text);
      else {
        const spot = point(text);
        if (spot && inside(...spot)) { playStone(cells, first ? "b" : "w", spot); marks = [spot[1] * size + spot[0]]; }
      }
      const who = seconds === null ? "opening" : (first ? game.first : game.second) + ", " + seconds + " s" + (score === null ? "" : ", " + score);
      frames.push({ cells: [...cells], text: text + " (" + who + ")", marks });
      first = !first;
    });
  }
  function draw() {
    const space = "http://www.w3.org/2000/svg", box = document.createElementNS(space, "svg");
    const add = (kind, values, text) => {
      const node = document.createElementNS(space, kind);
      for (const name in values) node.setAttribute(name, values[name]);
      if (text !== undefined) node.textContent = text;
      box.append(node);
    };
    const isGrid = data.game === "go" || data.game === "gomoku", frame = frames[at];
    box.setAttribute("viewBox", `-1 -1 ${size + 1.4} ${size + 1.8}`);
    add("rect", { x: -0.2, y: -0.2, width: size + 0.4, height: size + 0.4, class: data.game === "reversi" ? "felt" : "wood" });
    for (let i = 0; i < size; i++) {
      const name = data.game === "chess" || data.game === "reversi" ? "abcdefgh"[i] : data.game === "go" ? letters[i].toUpperCase() : letters[i];
      add("text", { x: i + 0.5, y: size + 0.65, "text-anchor": "middle" }, name);
      add("text", { x: -0.35, y: i + 0.65, "text-anchor": "end" }, data.game === "reversi" ? i + 1 : size - i);
      if (isGrid) {
        add("line", { x1: 0.5, x2: size - 0.5, y1: i + 0.5, y2: i + 0.5, class: "line" });
        add("line", { y1: 0.5, y2: size - 0.5, x1: i + 0.5, x2: i + 0.5, class: "line" });
      }
    }
    if (data.game === "reversi") for (let i = 0; i <= 8; i++) {
      add("line", { x1: 0, x2: 8, y1: i, y2: i, class: "line" });
      add("line", { y1: 0, y2: 8, x1: i, x2: i, class: "line" });
    }
    const shapes = { k: "\u265a", q: "\u265b", r: "\u265c", b: "\u265d", n: "\u265e", p: "\u265f" };
    frame.cells.forEach((cell, i) => {
      const x = i % size, y = Math.floor(i / size);
      if (data.game === "chess") {
        add("rect", { x, y, width: 1, height: 1, class: (x + y) % 2 ? "dark" : "pale" });
        if (frame.marks.includes(i)) add("rect", { x, y, width: 1, height: 1, class: "move" });
        if (!cell) return;
        const isWhite = cell === cell.toUpperCase();
        add("text", { x: x + 0.5, y: y + 0.8, "text-anchor": "middle", class: "piece",
          style: isWhite ? "fill:#fff;stroke:#222;stroke-width:.02" : "fill:#111" }, shapes[cell.toLowerCase()] + "\ufe0e");
      } else if (cell) {
        add("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.46, class: cell === "b" ? "black" : "white" });
        if (frame.marks.includes(i)) add("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.24, class: "last" });
      }
    });
    byId("board").replaceChildren(box);
    byId("at").textContent = "ply " + at + " of " + (frames.length - 1) + ": " + frame.text;
  }
  function go(to) { at = Math.max(0, Math.min(frames.length - 1, to)); draw(); }
  function choose(index) {
    game = data.games[index];
    for (const item of list.children) item.className = Number(item.dataset.index) === index ? "chosen" : "";
    byId("about").textContent = `${game.first} - ${game.second}  ${game.result}  (${game.reason}${game.detail ? ": " + game.detail : ""})  opening: ${game.opening}`;
    replay();
    go(frames.length - 1);
  }
  function fill(words) {
    const items = [];
    data.games.forEach((row, index) => {
      const text = `${row.id}  ${row.first} - ${row.second}  ${row.result}  ${row.reason}  ${row.plies} plies`;
      if (!text.toLowerCase().includes(words.toLowerCase())) return;
      const item = document.createElement("li");
      item.textContent = text;
      item.dataset.index = index;
      item.addEventListener("click", () => choose(index));
      items.push(item);
    });
    list.replaceChildren(...items);
  }
  fill("");
  choose(0);
  byId("filter").addEventListener("input", (event) => fill(event.target.value));
  byId("begin").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("next").addEventListener("click", () => go(at + 1));
  byId("end").addEventListener("click", () => go(frames.length - 1));
  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "filter" && (event.key === "ArrowLeft" || event.key === "ArrowRight")) go(at + (event.key === "ArrowLeft" ? -1 : 1));
  });
})();
