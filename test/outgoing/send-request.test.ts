import { afterAll, expect, test } from "bun:test";
import { assert, property, string } from "fast-check";
import type { Channel } from "../../src/domain/around/messages/channels.ts";
import {
  findSettingsFaults,
  type HttpSettings,
  secretsNeeded,
} from "../../src/domain/around/messages/channel-settings.ts";
import { readChannel } from "../../src/domain/around/messages/channel-fields.ts";
import { httpMessage } from "../../src/domain/around/messages/http-message.ts";
import { presets } from "../../src/domain/around/messages/presets.ts";
import type { Faults } from "../../src/domain/core/errors/errors.ts";
import { sendMessage } from "../../src/outgoing/send-message.ts";

interface Got {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}
const got: Got[] = [];
const answers: Record<string, () => Response | Promise<Response>> = {
  ok: () => new Response('{"status": "queued",  "id": 7}'),
  wrong: () => new Response("ERR 105: no credit"),
  refused: () => new Response("no such number", { status: 400 }),
  unauthorized: () => new Response("key k-secret-77 is not known", { status: 401 }),
  busy: () => new Response("", { status: 429, headers: { "retry-after": "90" } }),
  broken: () => new Response("oops", { status: 500 }),
  between: () => new Response("bad gateway", { status: 502 }),
  moved: () => new Response("", { status: 302, headers: { location: "http://127.0.0.1:9/" } }),
  slow: () => new Promise<Response>(() => undefined),
};
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const url = new URL(request.url);
    const headers = Object.fromEntries(request.headers);
    got.push({
      method: request.method,
      path: url.pathname + url.search,
      headers,
      body: await request.text(),
    });
    return answers[url.pathname.slice(1)]?.() ?? new Response("ok");
  },
});
afterAll(() => server.stop(true));

const secrets = { key: "k-secret-77" };
const message = {
  id: "msg_9",
  to: "+44 7700 900042",
  subject: "Hi",
  body: "Hello Ann",
  language: "en",
  username: "ann",
};
function settingsOf(more: Partial<HttpSettings> = {}): HttpSettings {
  return {
    kind: "http",
    method: "POST",
    url: `http://127.0.0.1:${server.port}/ok`,
    bodyKind: "none",
    body: "",
    headers: "",
    success: "200",
    match: "",
    ...more,
  };
}
function channelOf(settings: HttpSettings, more: Partial<Channel> = {}): Channel {
  return {
    id: 1,
    ispId: 1,
    name: "SMS",
    kind: "http",
    address: "mobile",
    isSms: 1,
    perMinute: 60,
    passesId: 0,
    allowLocal: 1,
    disabledAt: null,
    downSince: null,
    downReason: null,
    tryAt: null,
    createdAt: 0,
    settings,
    secrets: ["key"],
    missing: [],
    ...more,
  };
}
const sendTo = (path: string, more: Partial<HttpSettings> = {}, milliseconds = 20_000) =>
  sendMessage(
    {
      channel: channelOf(settingsOf({ url: `http://127.0.0.1:${server.port}/${path}`, ...more })),
      secrets,
    },
    message,
    { resolve: async () => ["127.0.0.1"], milliseconds },
  );

test("what came of it is said by the status, and by what the answer has to contain", async () => {
  expect(await sendTo("ok")).toEqual({ kind: "sent" });
  expect(await sendTo("ok", { match: '"status":"queued"' })).toEqual({ kind: "sent" });
  expect(await sendTo("wrong", { match: "OK" })).toEqual({
    kind: "failed",
    reason: "it answered 200: ERR 105: no credit",
  });
  expect(await sendTo("refused")).toMatchObject({ kind: "refused" });
  expect(await sendTo("broken")).toMatchObject({ kind: "failed" });
  expect(await sendTo("moved")).toMatchObject({ kind: "failed", reason: "it answered 302" });
  expect(await sendTo("busy")).toMatchObject({ kind: "down", retryAfter: 90 });
  expect(await sendTo("between")).toMatchObject({ kind: "unknown" });
  expect(await sendTo("slow", {}, 300)).toMatchObject({ kind: "unknown" });
});

test("a key that is refused is the channel's fault, and a key in the answer is told to nobody", async () => {
  const came = await sendTo("unauthorized", { headers: "X-Key: {{secret.key}}" });
  expect(got.at(-1)?.headers["x-key"]).toBe("k-secret-77");
  expect(came).toEqual({ kind: "down", reason: "it answered 401: key *** is not known" });
});

test("of a secret that an answer repeats nothing is kept, cut off or in base64", async () => {
  for (let before = 270; before <= 300; before++) {
    answers["echo"] = () => new Response(`${"x".repeat(before)}k-secret-77`, { status: 500 });
    const { kind, ...came } = await sendTo("echo");
    expect([kind, JSON.stringify(came)]).toEqual(["failed", expect.not.stringMatching(/k-s/)]);
  }
  for (const user of ["", "a", "ab", "abc"]) {
    const credentials = Buffer.from(`${user}:k-secret-77`).toString("base64");
    answers["echo"] = () => new Response(`what is ${credentials}?`, { status: 500 });
    const came = await sendTo("echo");
    expect(came).toMatchObject({ kind: "failed", reason: expect.stringContaining("***") });
    expect(JSON.stringify(came)).not.toContain(credentials);
  }
});

test("nobody listening, a local address that nobody allowed and a secret that is missing send nothing", async () => {
  const before = got.length;
  expect(await sendTo("", { url: "http://127.0.0.1:9/" })).toMatchObject({ kind: "down" });
  const local = channelOf(settingsOf(), { allowLocal: 0 });
  const world = { resolve: async () => ["127.0.0.1"], milliseconds: 5000 };
  expect(await sendMessage({ channel: local, secrets }, message, world)).toMatchObject({ kind: "down" });
  const empty = channelOf(settingsOf(), { missing: ["key"] });
  expect(await sendMessage({ channel: empty, secrets: {} }, message, world)).toMatchObject({
    kind: "down",
    reason: expect.stringContaining("key"),
  });
  expect(got.length).toBe(before);
});

test("a field is escaped for where it stands: JSON, form, address, header", () => {
  const evil = '"}, {"to": "1';
  const body = `a&b=c\r\nX-Evil: 1 ${evil} \\ ${"ü"}`;
  const sent = (settings: Partial<HttpSettings>, to = "+44 1") =>
    httpMessage(settingsOf(settings), secrets, { ...message, to, body });
  const json = sent({ bodyKind: "json", body: '{"text": "{{body}}", "to": ["{{digits}}"]}' });
  expect(JSON.parse(json.body ?? "")).toEqual({ text: body, to: ["441"] });
  const form = sent({ bodyKind: "form", body: "text={{body}}\nto={{to}}" });
  expect([...new URLSearchParams(form.body ?? "")]).toEqual([
    ["text", body],
    ["to", "+44 1"],
  ]);
  const { url } = sent({ url: "https://g.example/a/{{to}}?t={{body}}&k={{secret.key}}" }, "../../x");
  expect(new URL(url).pathname).toBe("/a/..%2F..%2Fx");
  expect([...new URL(url).searchParams]).toEqual([
    ["t", body],
    ["k", "k-secret-77"],
  ]);
  const { headers } = sent({ headers: "Title: {{body}}\nAuthorization: Basic AC1:{{secret.key}}" });
  expect(Object.keys(headers).sort()).toEqual(["Authorization", "Title", "User-Agent"]);
  expect(headers["Title"]).toMatch(/^=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?=$/);
  expect(headers["Authorization"]).toBe(`Basic ${Buffer.from("AC1:k-secret-77").toString("base64")}`);
});

test("whatever a text has in it, JSON stays the same JSON, a form the same form, an address the same place", () => {
  assert(
    property(string({ unit: "binary" }), string({ unit: "grapheme" }), (body, to) => {
      const one = { ...message, body: body.toWellFormed(), to: to.toWellFormed() };
      const of = (settings: Partial<HttpSettings>) => httpMessage(settingsOf(settings), secrets, one);
      const json = of({ bodyKind: "json", body: '{"text": "{{body}}"}' });
      expect(JSON.parse(json.body ?? "")).toEqual({ text: one.body });
      const form = of({ bodyKind: "form", body: "text={{body}}" });
      expect([...new URLSearchParams(form.body ?? "")].map(([name]) => name)).toEqual(["text"]);
      const { url } = of({ url: "https://g.example/x/{{to}}/y?t={{body}}#" });
      const { host, pathname, searchParams } = new URL(url);
      expect([host, pathname.split("/").length, [...searchParams].length]).toEqual(["g.example", 4, 1]);
      const { headers } = of({ headers: "Title: {{body}}" });
      expect(headers["Title"]).toMatch(/^[\x20-\x7e]*$/);
    }),
    {
      examples: [
        [".", "."],
        ["..", ".."],
        ["%2e", "%2E."],
      ],
    },
  );
});

test("every preset is a channel, and names the secrets that it needs", async () => {
  expect(presets.length).toBeGreaterThanOrEqual(5);
  for (const { key, secrets: named, channel } of presets) {
    const faults: Faults = {};
    const { settings } = readChannel(channel, faults);
    expect({ key, faults }).toEqual({ key, faults: {} });
    if (settings?.kind === "push") {
      expect(named).toEqual({});
      continue;
    }
    if (settings?.kind !== "http") throw new Error(`${key} is none`);
    expect([...new Set(secretsNeeded(settings))].sort()).toEqual(Object.keys(named).sort());
    const sent = httpMessage(
      settings,
      Object.fromEntries(Object.keys(named).map((name) => [name, "s3"])),
      message,
    );
    if (settings.bodyKind === "json") expect(() => JSON.parse(sent.body ?? "")).not.toThrow();
    expect(URL.canParse(sent.url)).toBe(true);
    expect(`${sent.url}${JSON.stringify(sent.headers)}${sent.body}`).not.toContain("{{");
  }
});

test("what cannot be right is refused with what to do", () => {
  const faultsOf = (settings: Partial<HttpSettings>) => {
    const faults: Faults = {};
    findSettingsFaults(settingsOf(settings), faults);
    return Object.keys(faults);
  };
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ url: "https://{{to}}.example/" })).toEqual(["url"]);
  expect(faultsOf({ url: "https://user:pw@g.example/" })).toEqual(["url"]);
  expect(faultsOf({ url: "ftp://g.example/" })).toEqual(["url"]);
  expect(faultsOf({ bodyKind: "json", body: '{"text": {{body}}}' })).toEqual(["body"]);
  expect(faultsOf({ bodyKind: "form", body: "nothing" })).toEqual(["body"]);
  expect(faultsOf({ bodyKind: "text", body: "{{bdy}}" })).toEqual(["body"]);
  expect(faultsOf({ bodyKind: "text", body: "{{body" })).toEqual(["body"]);
  expect(faultsOf({ headers: "Host: other" })).toEqual(["headers"]);
  expect(faultsOf({ method: "GET", bodyKind: "text", body: "x" })).toEqual(["body_kind"]);
  expect(faultsOf({ success: "2xx, fine" })).toEqual(["success"]);
});
