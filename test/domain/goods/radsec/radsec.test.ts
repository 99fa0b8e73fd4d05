import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { checkSetup } from "../../../../src/domain/machine/check/check.ts";
import { openSessions } from "../../../../src/domain/service/control/disconnect.ts";
import { makeRouters, type RouterProtocols } from "../../../../src/domain/service/control/routers.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { addNas, updateNas } from "../../../../src/domain/goods/nas/nas.ts";
import {
  issueRadsec,
  keepRadsec,
  revokeRadsec,
  takeBundle,
} from "../../../../src/domain/goods/radsec/certificate.ts";
import { listIdentities } from "../../../../src/domain/goods/radsec/identities.ts";
import { serverAddresses, serverKeys } from "../../../../src/domain/goods/radsec/keys.ts";
import { listRadsecCertificates } from "../../../../src/domain/goods/radsec/list.ts";
import { requireServerAddress } from "../../../../src/domain/goods/radsec/rules.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { subscriberById } from "../../../../src/domain/goods/subscribers/find.ts";
import { aSubscriber, by, DAY, loadIsp } from "../../../support/isp.ts";
import { openedBundle } from "../../../support/radsec-client.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const at = { now: NOW };
const hill = { id: 1, isp_id: 1, name: "hill", address: "10.99.0.7", secret: "s-hill" };
const server = "203.0.113.10";

async function withRouter(nas: object = {}) {
  const store = temporaryStore();
  await loadIsp(store.db, { nas: [{ ...hill, ...nas }], subscribers: [aSubscriber(1)] });
  return store;
}

async function refusal(work: () => unknown): Promise<DomainError | undefined> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  return undefined;
}

test("a PKCS#12 has the router's key, its certificate for its address and the authority, and nothing of it stays", async () => {
  using store = await withRouter();
  const { db } = store;
  const { bundle, password, certificate } = await issueRadsec(db, by, { nasId: 1, server }, at);
  const files = await openedBundle(bundle, password);
  const own = new X509Certificate(files.certificate);
  const authority = new X509Certificate(files.authority);
  expect([own.subject, own.subjectAltName]).toEqual(["CN=10.99.0.7", "IP Address:10.99.0.7"]);
  expect([own.ca, authority.ca, own.verify(authority.publicKey)]).toEqual([false, true, true]);
  expect(own.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(certificate.fingerprint);
  expect(new Date(own.validTo).getTime() / 1000).toBe(certificate.notAfter);
  const ours = new X509Certificate(serverKeys(db)?.server.certificate ?? "");
  expect([ours.subjectAltName, ours.verify(authority.publicKey)]).toEqual([`IP Address:${server}`, true]);
  // the whole store, with its trail, has neither the key nor the password
  const dump = db.$client.serialize().toString("latin1");
  for (const hidden of [password, files.key.split("\n")[2] ?? "-", "BEGIN RSA PRIVATE KEY"])
    expect(dump.includes(hidden)).toBe(false);
  expect(listIdentities(db).get(certificate.fingerprint)).toMatchObject({ nasId: 1 });
});

test("a second certificate leaves the first, the authority stays, and our own is for every address that was named", async () => {
  using store = await withRouter();
  const { db } = store;
  const first = await issueRadsec(db, by, { nasId: 1, server }, at);
  const authority = serverKeys(db)?.authority;
  await issueRadsec(db, by, { nasId: 1, server: "radius.isp.example" }, at);
  expect(serverAddresses(db)).toEqual([server, "radius.isp.example"]);
  expect(serverKeys(db)?.authority).toBe(authority ?? "");
  expect(listIdentities(db).size).toBe(2);
  revokeRadsec(db, by, { nasId: 1, certificateId: first.certificate.id }, at);
  expect([...listIdentities(db).keys()]).not.toContain(first.certificate.fingerprint);
  const again = () => revokeRadsec(db, by, { nasId: 1, certificateId: first.certificate.id }, at);
  expect((await refusal(again))?.kind).toBe("refused");
});

test("a file is given once, and for a day", async () => {
  using store = await withRouter();
  const { db } = store;
  const keep = { nasId: 1, server, keep: true };
  const one = await issueRadsec(db, by, keep, at);
  const take = (certificateId: number, now: number) =>
    takeBundle(db, by, { nasId: 1, certificateId }, { now });
  expect(take(one.certificate.id, NOW).bundle.equals(one.bundle)).toBe(true);
  expect((await refusal(() => take(one.certificate.id, NOW)))?.kind).toBe("refused");
  const two = await issueRadsec(db, by, keep, at);
  expect((await refusal(() => take(two.certificate.id, NOW + DAY)))?.kind).toBe("refused");
  await keepRadsec(db, by, { now: NOW + DAY });
  expect(listRadsecCertificates(db, by, 1).map(({ isWaiting }) => isWaiting)).toEqual([false, false]);
});

test("our own certificate is made anew before it ends, under the same authority", async () => {
  using store = await withRouter();
  const { db } = store;
  await issueRadsec(db, by, { nasId: 1, server }, at);
  const before = serverKeys(db);
  await keepRadsec(db, by, { now: NOW + 600 * DAY });
  expect(serverKeys(db)).toEqual(before);
  await keepRadsec(db, by, { now: NOW + 680 * DAY });
  const after = serverKeys(db);
  expect(after?.authority).toBe(before?.authority ?? "");
  expect(after?.server.certificate).not.toBe(before?.server.certificate ?? "");
});

test("check says thirty days before that a router needs another certificate, and when it has none", async () => {
  using store = await withRouter();
  const { db } = store;
  const text = (now: number) =>
    checkSetup(db, by, { now }).flatMap(({ subject, message }) =>
      subject === "routers" && message.includes("RadSec") ? [message] : [],
    );
  updateNas(db, by, { nasId: 1, input: { radsec: true } }, at);
  expect(text(NOW)).toEqual([
    "hill: it is to ask by RadSec and has no certificate; make one with: gatehouse nas radsec hill",
  ]);
  await issueRadsec(db, by, { nasId: 1, server }, at);
  expect(text(NOW + 699 * DAY)).toEqual([]);
  expect(text(NOW + 701 * DAY)).toEqual([expect.stringContaining("its RadSec certificate ends at ")]);
  expect(text(NOW + 731 * DAY)).toEqual([expect.stringContaining("its RadSec certificate has expired at ")]);
});

test.each([
  ["the secret of RadSec", { secret: "radsec" }, "secret"],
  ["Disconnect-Requests", { radsec: true, disconnect_method: "coa" }, "disconnect_method"],
  ["a network", { radsec: true, address: "10.99.0.0/24" }, "address"],
  ["a router of an access box", { radsec: true, address: "10.99.0.8%tower-1" }, "address"],
])("a router by RadSec is refused %s", async (_, values, field) => {
  using store = await withRouter();
  const { id: __, ...edge } = { ...hill, name: "edge", address: "10.99.0.9" };
  const refused = await refusal(() => addNas(store.db, by, { ...edge, ...values }, at));
  expect(Object.keys(refused?.fields ?? {})).toEqual([field]);
});

test("a network gets no certificate", async () => {
  using store = await withRouter({ address: "10.99.0.0/24" });
  const refused = await refusal(() => issueRadsec(store.db, by, { nasId: 1, server }, at));
  expect(refused?.message).toContain("RadSec needs one address for each router");
});

test.each([
  ["its RouterOS API", { host: "10.99.0.7", username: "api", password: "x" }, "acknowledged" as const],
  ["nobody, where it has none", null, "failed" as const],
])("sessions are ended by %s, and no CoA goes out", async (_, routeros, kind) => {
  using store = await withRouter({ routeros });
  const { db } = store;
  updateNas(db, by, { nasId: 1, input: { radsec: true } }, at);
  insertSessions(db, { subscriberId: 1, nasId: 1 });
  const requests: string[] = [];
  const coa = async () => {
    requests.push("coa");
    return { kind: "acknowledged" as const };
  };
  const protocols: RouterProtocols = {
    coa: { disconnect: coa, changeRate: coa, changeTimeout: coa },
    api: {
      disconnect: async () => {
        requests.push("api");
        return { kind: "acknowledged" };
      },
      find: async () => ({ kind: "listed", users: [] }),
    },
  };
  const routers = makeRouters(db, protocols);
  const holder = subscriberById(db, everything, 1);
  const [session] = openSessions(db, 1);
  if (!session) throw new Error("there is no session");
  expect((await routers.disconnect(holder, session)).kind).toBe(kind);
  expect(await routers.changeRate(holder, session, { rateLimit: "1M/1M" })).toEqual({
    kind: "failed",
    reason: "the router hill asks by RadSec and takes no CoA",
  });
  expect(requests).toEqual(routeros ? ["api"] : []);
});

test("two addresses of ours that are named at the same moment do not lose each other", async () => {
  using store = await withRouter();
  const { db } = store;
  await issueRadsec(db, by, { nasId: 1, server }, at);
  const named = ["198.51.100.1", "198.51.100.2"];
  const made = await Promise.all(
    named.map((one) => refusal(() => issueRadsec(db, by, { nasId: 1, server: one }, at))),
  );
  const done = named.filter((_, i) => made[i] === undefined);
  expect(made.map((one) => one?.kind).filter((code) => code !== undefined)).toEqual(["conflict"]);
  expect(serverAddresses(db)).toEqual([server, ...done]);
});

test("an address that a certificate cannot have is no address of ours", async () => {
  for (const wrong of ["fe80::1%eth0", "a b", "10.0.0.0/24", "*.isp.example", "a,b"])
    expect((await refusal(() => requireServerAddress(wrong)))?.kind).toBe("refused");
});
