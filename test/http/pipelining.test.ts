import { expect, test } from "bun:test";
import { connect } from "node:net";
import { listen } from "../../src/http/server.ts";
import type { HttpNeeds } from "../../src/http/app.ts";
import { temporaryApp } from "../support/http.ts";
import { insertStaff } from "../support/people.ts";

async function listening(options: Partial<HttpNeeds> = {}) {
  const store = temporaryApp(options);
  await insertStaff(store.db, "ada");
  const lan = listen(store.app, { hostname: "127.0.0.1", port: 0 });
  return Object.assign(store, {
    port: Number(lan.address.split(":")[1]),
    async [Symbol.asyncDispose]() {
      await lan.stop();
      store[Symbol.dispose]();
    },
  });
}

/** A role to create, as it stands on the wire; the last one ends the connection. */
const create = (name: string, isLast = false) => post("/api/v1/role/create", { isp_id: 1, name }, isLast);

function post(path: string, sent: object, isLast = false): string {
  const body = JSON.stringify(sent);
  return [
    `POST ${path} HTTP/1.1`,
    "Host: isp",
    `Authorization: Basic ${btoa("ada:secret-1")}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    ...(isLast ? ["Connection: close"] : []),
    "",
    body,
  ].join("\r\n");
}

/** What comes back for bytes that are written at once. */
function send(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("data", (chunk) => (received += chunk.toString()));
  socket.on("error", reject);
  socket.on("close", () => resolve(received));
  return promise;
}

const names = ({ db }: Awaited<ReturnType<typeof listening>>) =>
  db.$client
    .query<{ name: string }, []>("SELECT name FROM roles ORDER BY code")
    .all()
    .map(({ name }) => name);

test("requests with bodies that are written at once are answered in order, when the password is known", async () => {
  await using app = await listening();
  await send(app.port, create("first", true));
  const answers = await send(app.port, create("second") + create("third") + create("fourth", true));
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    "200",
    "200",
    "200",
  ]);
  expect([...answers.matchAll(/"code":(\d)/g)].map(([, code]) => code)).toEqual(["2", "3", "4"]);
  expect(names(app)).toEqual(["first", "second", "third", "fourth"]);
});

// Bun's server closes a connection on which a request comes in while another one waits for its answer
test("so are activations, each of which is brought to the disk before its answer", async () => {
  await using app = await listening();
  await send(app.port, create("first", true));
  const activate = (user_id: number, isLast = false) =>
    post("/api/v1/activation/activate", { user_id, package_id: 1 }, isLast);
  const answers = await send(app.port, activate(1) + activate(2) + activate(3, true));
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    "404",
    "404",
    "404",
  ]);
});

test("where a password has to be verified first, the connection ends and nothing is done that nobody hears of", async () => {
  const served: number[] = [];
  await using app = await listening({ served: ({ status }) => served.push(status) });
  expect(await send(app.port, create("first") + create("second", true))).toBe("");
  while (served.length === 0) await Bun.sleep(5);
  expect(served).toEqual([400]);
  expect(names(app)).toEqual([]);
  expect(await send(app.port, create("first", true))).toContain("200 OK");
  expect(app.lines).toEqual([]);
});
