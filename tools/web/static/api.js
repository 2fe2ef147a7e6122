// Talks to the server: JSON back and forth, mistakes as sentences.

export class Refused extends Error {}

async function answer(response) {
  let values = {};
  try { values = await response.json(); } catch { /* an answer without words */ }
  if (!response.ok) throw new Refused(values.error || `the server answers ${response.status}`);
  return values;
}

async function send(path, options) {
  try {
    return await answer(await fetch(path, options));
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("the server does not answer: is tengen web still running?");
  }
}

export const get = (path) => send(path);
export const post = (path, values = {}) =>
  send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });
export const remove = (path) => send(path, { method: "DELETE" });
export const upload = (path, file) =>
  send(path, { method: "POST", headers: { "X-Name": encodeURIComponent(file.name || "photo") }, body: file });

// Calls view(values) and info(values) as things happen; returns how to end that.
export function listen(id, handlers) {
  const source = new EventSource(`/api/tables/${encodeURIComponent(id)}/events`);
  for (const [kind, handler] of Object.entries(handlers))
    source.addEventListener(kind, (event) => handler(JSON.parse(event.data)));
  return () => source.close();
}
