import { expect, test } from "bun:test";
import { moveIn } from "../../../../../src/domain/machine/imports/move-in.ts";
import { sources } from "../../../../../src/domain/machine/imports/sources.ts";
import { Notices } from "../../../../../src/domain/machine/imports/notices.ts";
import { keptDump } from "../../../../support/dumps/reading.ts";
import { by } from "../../../../support/isp.ts";
import type { AccessRequest } from "../../../../support/radius-credentials.ts";
import { TestHandlers } from "../../../../support/radius-handlers.ts";
import { NOW } from "./rows.ts";

type Attributes = NonNullable<AccessRequest["attributes"]>;

const ppp: Attributes = [
  ["Service-Type", 2],
  ["Framed-Protocol", 1],
];
const hotspot = (mac?: string): Attributes => [
  ["Service-Type", 1],
  ["NAS-Port-Type", 19],
  ...(mac === undefined ? [] : [["Calling-Station-Id", mac] as const]),
];

/** A store that a copy was brought into, at the moment of the copy. */
async function movedFrom(
  source: string,
  ...files: string[]
): Promise<{ handlers: TestHandlers; run: () => Promise<object> }> {
  const handlers = await TestHandlers.open();
  handlers.clock.now = NOW;
  const run = async () => {
    const notices = new Notices();
    const options = { now: NOW, zone: "Asia/Baghdad", notices };
    const moved = await sources[source]?.read(files.map(keptDump), options);
    if (!moved) throw new Error(source);
    const { report } = await moveIn(handlers.db, by, moved, { ispId: 1, source, files, ...options });
    return report.counts;
  };
  return { handlers, run };
}

const methods = ["pap", "chap", "mschap", "mschapv2"] as const;

test("who comes from FreeRADIUS logs in as before", async () => {
  const { handlers, run } = await movedFrom("freeradius", "daloradius.mariadb.sql");
  await using _ = handlers;
  await run();
  const answers = (name: string, password: string, attributes = ppp) =>
    methods.map((method) => handlers.login({ name, password, method, attributes })?.code);
  const all = (code: string) => methods.map(() => code);
  expect(answers("O'Neil", "p'a\"s\\s%w_d")).toEqual(all("Access-Accept"));
  expect(answers("سمير", "كلمة السر 🔑")).toEqual(all("Access-Accept"));
  expect(answers("old.style", "written in the old way")).toEqual(all("Access-Accept"));
  expect(answers("josé", "another")).toEqual(all("Access-Reject"));
  expect(answers("rejected", "stays out")).toEqual(all("Access-Reject"));
  expect(answers("disabled.user", "was put out")).toEqual(all("Access-Reject"));
  expect(answers("accepted", "")).toEqual(all("Access-Reject"));
  expect(answers("hash.md5", "password")).toEqual(all("Access-Reject"));
  // online at another router, which the copy says, and allowed once
  expect(answers("ahmad.saleh", "ahmad-2024")).toEqual(all("Access-Reject"));
  expect(handlers.decided.at(-1)?.reason).toBe("too_many_sessions");
  expect(answers("locked.device", "one device", hotspot("00:1A:2B:3C:4D:5E"))).toEqual(all("Access-Accept"));
  expect(answers("locked.device", "one device", hotspot("00:1A:2B:3C:4D:5F"))).toEqual(all("Access-Reject"));
  expect(answers("AA:BB:CC:00:11:22", "", hotspot("AA:BB:CC:00:11:22"))).toEqual(all("Access-Accept"));
});

test("what an Accept grants is what FreeRADIUS granted", async () => {
  const { handlers, run } = await movedFrom("freeradius", "daloradius.mariadb.sql");
  await using _ = handlers;
  await run();
  const granted = (name: string, password: string) => {
    const reply = handlers.login({ name, password, attributes: ppp });
    const {
      "Mikrotik-Rate-Limit": rate,
      "Framed-Pool": pool,
      "Framed-IP-Address": ip,
    } = reply?.attributes ?? {};
    return { rate, pool, ip, faults: reply?.faults };
  };
  expect(granted("O'Neil", "p'a\"s\\s%w_d")).toMatchObject({
    rate: ["2M/10M"],
    pool: ["pool-10m"],
    faults: [],
  });
  expect(granted("static.ip", "static")).toMatchObject({
    ip: ["100.64.7.7"],
    rate: ["5M/20M 10M/40M 4M/16M 10/10"],
  });
});

test("who comes from phpnuxbill logs in as before", async () => {
  const { handlers, run } = await movedFrom("phpnuxbill", "phpnuxbill.mariadb.sql");
  await using _ = handlers;
  await run();
  const answer = (name: string, password: string, attributes: Attributes) =>
    handlers.login({ name, password, method: "chap", attributes })?.code;
  expect(answer("budi", "pppoe'budi\\1", ppp)).toBe("Access-Accept");
  expect(answer("owes", "owes-pppoe", ppp)).toBe("Access-Accept");
  expect(answer("siti", "siti-2", hotspot())).toBe("Access-Accept");
  expect(answer("أحمد", "كلمة", hotspot())).toBe("Access-Accept");
  expect(answer("banned", "banned-4", hotspot())).toBe("Access-Reject");
  expect(answer("no.recharge", "no-7", hotspot())).toBe("Access-Reject");
  expect(answer("081234567890", "portal-1", ppp)).toBe("Access-Reject");
});

test.each([
  ["freeradius", "daloradius.mariadb.sql"],
  ["freeradius", "freeradius.pg-copy.sql"],
  ["phpnuxbill", "phpnuxbill.mariadb.sql"],
])("a second run of %s with %s changes nothing", async (source, file) => {
  const { handlers, run } = await movedFrom(source, file);
  await using _ = handlers;
  expect(await run()).toMatchObject({ subscribers: { changed: 0 } });
  expect(await run()).toMatchObject({
    packages: { new: 0, changed: 0 },
    routers: { new: 0, changed: 0 },
    subscribers: { new: 0, changed: 0 },
    sessions: { new: 0, changed: 0 },
  });
});
