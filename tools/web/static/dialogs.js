// The two dialogs: a new game, and the games that are saved.

import { get, post, remove } from "./api.js";
import { byId, el } from "./dom.js";

const choice = (label, values, chosen, attributes = {}) => el("label", {}, label, el("select", attributes,
  ...values.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) }, text))));

// What is posted of "5" or "5k": a level or a rank.
export const strength = (word) => (/^\d+$/.test(word ?? "") ? { level: Number(word) } : { level: null, rank: word ?? null });

export async function newGame(start, fail) {
  const games = await get("/api/games");
  const dialog = byId("new-game");
  const form = el("form", { method: "dialog" });
  let game = games[0];

  function seat(side, isPerson) {
    const players = game.players.map((player) => [player.name, player.name]);
    const levels = game.players.find((player) => player.levels.length)?.levels ?? [];
    const title = game.ranks.length ? "Level (1 is the weakest) or rank" : "Level (1 is the weakest)";
    const level = choice(title, [...levels, ...game.ranks].map((one) => [one, `${one}`]), game.ranks.length ? "20k" : 3, { name: `level-${side}` });
    level.hidden = isPerson;
    return el("fieldset", {}, el("legend", {}, game.sides[side]),
      choice("Who plays", [["person", "a person"], ["own", "Tengen"], ...players], isPerson ? "person" : "own",
        { name: `who-${side}`, onchange: (event) => { level.hidden = event.target.value === "person"; } }), level);
  }

  function draw() {
    const rows = [
      el("h2", { id: "new-title" }, "New game"),
      choice("Game", games.map((one) => [one.name, one.title]), game.name, { name: "game", onchange: change }),
      game.sizes.length > 1 ? choice("Board", game.sizes.map((size) => [size, `${size} × ${size}`]), game.size, { name: "size" }) : "",
      game.rules.length > 1 ? choice("Rules", game.rules.map((rule) => [rule, rule]), game.rule, { name: "rules" }) : "",
      game.komi !== null ? el("label", {}, "Komi", el("input", { type: "number", step: "0.5", name: "komi", value: game.komi })) : "",
      game.komi !== null ? choice("Handicap", [0, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [n, n || "none"]), 0, { name: "handicap" }) : "",
      seat(0, true), seat(1, false),
      el("div", { class: "row" }, el("button", { class: "main", value: "start" }, "Start"), el("button", { value: "" }, "Cancel")),
    ];
    form.replaceChildren(...rows);
  }

  function change(event) {
    game = games.find((one) => one.name === event.target.value);
    draw();
    form.elements.game.focus();
  }

  function wished() {
    const value = (name) => form.elements[name]?.value;
    const number = (name) => (form.elements[name] ? Number(value(name)) : null);
    const who = (side) => (value(`who-${side}`) === "person" ? { kind: "person" } : {
      kind: "own", player: value(`who-${side}`) === "own" ? "" : value(`who-${side}`), ...strength(value(`level-${side}`)) });
    return { game: game.name, size: number("size"), rules: value("rules") ?? "", komi: number("komi"),
      handicap: number("handicap"), seats: [who(0), who(1)] };
  }

  draw();
  dialog.replaceChildren(form);
  dialog.onclose = async () => {
    if (dialog.returnValue !== "start") return;
    try { start(await post("/api/tables", wished())); } catch (error) { fail(error); }
  };
  dialog.returnValue = "";
  dialog.showModal();
}

export async function savedGames(open, fail) {
  const dialog = byId("saved");
  const list = el("ul", { class: "games" });

  async function fill() {
    const games = await get("/api/saved");
    list.replaceChildren(...games.map((game) => el("li", {},
      el("button", { onclick: () => pick(game.name) }, `${game.name} (${game.when})`),
      el("button", { "aria-label": `Delete ${game.name}`, onclick: () => drop(game.name) }, "✕"))));
    if (!games.length) list.replaceChildren(el("li", {}, "No game is saved yet: each is kept from its first move on."));
  }

  async function pick(name) {
    dialog.close();
    try { open(await post(`/api/saved/${encodeURIComponent(name)}`)); } catch (error) { fail(error); }
  }

  async function drop(name) {
    if (!confirm(`Delete ${name}?`)) return;
    try { await remove(`/api/saved/${encodeURIComponent(name)}`); await fill(); } catch (error) { fail(error); }
  }

  dialog.replaceChildren(el("h2", { id: "saved-title" }, "Saved games"), list, el("button", { onclick: () => dialog.close() }, "Close"));
  await fill();
  dialog.showModal();
}
