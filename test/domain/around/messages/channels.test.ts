import { expect, test } from "bun:test";
import { openedAsText } from "../../../support/opened-store.ts";
import { checkSetup } from "../../../../src/domain/machine/check/check.ts";
import {
  channelToSend,
  createChannel,
  deleteChannel,
  listChannels,
  setChannelEnabled,
  setChannelSecret,
  updateChannel,
} from "../../../../src/domain/around/messages/channels.ts";
import { createRule } from "../../../../src/domain/around/messages/rules.ts";
import { saveTemplate } from "../../../../src/domain/around/messages/templates.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { by } from "../../../support/isp.ts";
import { mailChannel, webChannel } from "../../../support/messages.ts";
import { boss, office } from "../../../support/office.ts";
import { NOW } from "../../../support/store.ts";

const world = { now: NOW };
const SECRET = "never-told-4711";
/** May manage messages, and is no Admin. */
const manager: Actor = { ...boss, staffId: 3, admin: false, flags: new Set(["message_manage"]) };
const faultsOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (Reflect.get(error, "fields") ?? Reflect.get(error, "kind")) : error;
  }
};

test("a secret is sealed, and stands in no answer, in no entry and not in the store", async () => {
  using store = await office();
  const { db } = store;
  createChannel(db, by, { ...webChannel, headers: "X-Key: {{secret.key}}" }, world);
  expect(listChannels(db, by)).toMatchObject([{ secrets: [], missing: ["key"] }]);
  const made = setChannelSecret(db, by, { id: 1, input: { name: "key", value: SECRET } }, world);
  expect(made).toMatchObject({ secrets: ["key"], missing: [] });
  expect(channelToSend(db, 1)?.secrets).toEqual({ key: SECRET });
  expect(JSON.stringify([made, listChannels(db, by)])).not.toContain(SECRET);
  expect(openedAsText(store)).not.toContain(SECRET);
  const emptied = setChannelSecret(db, by, { id: 1, input: { name: "key", value: "" } }, world);
  expect(emptied).toMatchObject({ secrets: [], missing: ["key"] });
});

test("a channel that is moved forgets its secrets, so that nobody has them sent to themselves", async () => {
  using store = await office();
  const { db } = store;
  createChannel(db, by, { ...webChannel, headers: "X-Key: {{secret.key}}" }, world);
  const set = () => setChannelSecret(db, by, { id: 1, input: { name: "key", value: SECRET } }, world);
  set();
  const to = (input: Record<string, unknown>) => updateChannel(db, manager, { id: 1, input }, world).secrets;
  expect(to({ url: "https://gateway.example/other?x={{to}}" })).toEqual(["key"]);
  expect(to({ per_minute: 5 })).toEqual(["key"]);
  expect(to({ url: "https://evil.example/send" })).toEqual([]);
  set();
  expect(to({ url: "http://evil.example/send" })).toEqual([]);
  createChannel(db, by, { ...mailChannel, user: "office" }, world);
  setChannelSecret(db, by, { id: 2, input: { name: "password", value: SECRET } }, world);
  const mail = (input: Record<string, unknown>) => updateChannel(db, by, { id: 2, input }, world);
  expect(mail({ from: "x@isp.example" }).secrets).toEqual(["password"]);
  expect(mail({ host: "evil.example" }).secrets).toEqual([]);
});

test("addresses in the own network, and mail without TLS, are for an Admin to allow", async () => {
  using store = await office();
  const { db } = store;
  const local = { ...webChannel, url: "http://10.0.0.5/send", allow_local: 1 };
  expect(faultsOf(() => createChannel(db, manager, local, world))).toBe("forbidden");
  expect(faultsOf(() => createChannel(db, boss, { ...mailChannel, tls: "none" }, world))).toHaveProperty(
    "tls",
  );
  createChannel(db, boss, { ...mailChannel, tls: "none", allow_local: 1, host: "10.0.0.6" }, world);
  createChannel(db, boss, local, world);
  const moved = updateChannel(db, manager, { id: 2, input: { url: "http://10.0.0.7/send" } }, world);
  expect(moved.allowLocal).toBe(0);
  // what was allowed is one address: another path of it, or another method, may be a router's own page
  for (const input of [{ url: "http://10.0.0.5/reboot" }, { method: "PUT" }]) {
    createChannel(db, boss, local, world);
    const id = Math.max(...listChannels(db, boss).map((one) => one.id));
    expect(updateChannel(db, manager, { id, input: { name: "Still" } }, world).allowLocal).toBe(1);
    expect(
      faultsOf(() => updateChannel(db, manager, { id, input: { ...input, allow_local: 1 } }, world)),
    ).toBe("forbidden");
    expect(updateChannel(db, manager, { id, input }, world).allowLocal).toBe(0);
    expect(updateChannel(db, boss, { id, input: { allow_local: 1 } }, world).allowLocal).toBe(1);
    expect(updateChannel(db, boss, { id, input: { url: "http://10.0.0.5/other" } }, world).allowLocal).toBe(
      1,
    );
  }
  const mail = { ...mailChannel, host: "10.0.0.8", allow_local: 1 };
  createChannel(db, boss, mail, world);
  const { id } = listChannels(db, boss).at(-1) ?? { id: 0 };
  expect(updateChannel(db, manager, { id, input: { port: 2525 } }, world).allowLocal).toBe(0);
  expect(faultsOf(() => updateChannel(db, manager, { id: 2, input: { allow_local: 1 } }, world))).toBe(
    "forbidden",
  );
});

test("what cannot be is refused, each fault at its field", async () => {
  using store = await office();
  const { db } = store;
  const make = (input: Record<string, unknown>) => faultsOf(() => createChannel(db, by, input, world));
  expect(make({})).toHaveProperty("kind");
  expect(Object.keys(make({ ...mailChannel, from: "nobody", host: "a b" }) as object).sort()).toEqual([
    "from",
    "host",
  ]);
  expect(make({ ...mailChannel, address: "mobile" })).toHaveProperty("address");
  expect(make({ ...mailChannel, url: "https://x.example" })).toHaveProperty("url");
  expect(make({ ...webChannel, host: "mail.example" })).toHaveProperty("host");
  expect(make({ ...webChannel, url: "" })).toHaveProperty("url");
  createChannel(db, by, webChannel, world);
  expect(faultsOf(() => updateChannel(db, by, { id: 1, input: { kind: "smtp" } }, world))).toHaveProperty(
    "kind",
  );
});

test("a channel that a rule has is not deleted, and one that is off is no finding", async () => {
  using store = await office();
  const { db } = store;
  createChannel(db, by, webChannel, world);
  saveTemplate(db, by, { isp_id: 1, name: "hello", language: "en", body: "Hello" }, world);
  const rule = {
    isp_id: 1,
    name: "A",
    on: "expiry",
    audience: "subscriber",
    channel_id: 1,
    template: "hello",
  };
  createRule(db, by, rule, world);
  expect(faultsOf(() => deleteChannel(db, by, { id: 1 }, world))).toBe("conflict");
  db.$client.run(`UPDATE channels SET down_since = ${NOW}, down_reason = 'no'`);
  const found = () => checkSetup(db, by, world).filter(({ subject }) => subject === "messages");
  expect(found()).toMatchObject([{ severity: "warning" }]);
  setChannelEnabled(db, by, { id: 1, enabled: false }, world);
  expect(found()).toEqual([]);
});
