import { expect, test } from "bun:test";
import type { SourceFile } from "../../../../../src/domain/machine/imports/source.ts";
import { readRouterOs } from "../../../../../src/domain/machine/imports/sources/routeros/routeros.ts";
import { Notices } from "../../../../../src/domain/machine/imports/notices.ts";
import { inMemory } from "../sources/rows.ts";

function fileOf(name: string, text: string): SourceFile {
  const bytes = Buffer.from(text, "latin1");
  return { name, bytes: bytes.length, open: () => new Blob([bytes]).stream() };
}

async function read(...texts: (string | [name: string, text: string])[]) {
  const notices = new Notices();
  const files = texts.map((text, at) =>
    typeof text === "string"
      ? fileOf(at === 0 ? "router.rsc" : `router-${at + 1}.rsc`, text)
      : fileOf(...text),
  );
  const moved = inMemory(await readRouterOs(files, { now: 0, zone: "Europe/Berlin", notices }));
  return { ...moved, notices: notices.rows.map(({ kind, who, text }) => `${kind} ${who}: ${text}`) };
}

const header = "# 2026-11-22 10:00:00 by RouterOS 7.16.1\n";

test("secrets of PPP come with their profiles as packages", async () => {
  const { packages, subscribers, notices } = await read(
    `${header}/ppp profile
set *0 name=default
add address-list=home idle-timeout=10m name=home-10 only-one=yes rate-limit=10M/20M remote-address=pool-1
add name=never-used rate-limit=1M/1M
/ppp secret
add caller-id=AA:bb:CC:dd:EE:ff comment="Sam Carter" name=sam password=pw-sam profile=home-10 remote-address=100.64.0.5 service=pppoe
add disabled=yes limit-bytes-in=1000 name=lee password=pw-lee profile=home-10 remote-address=pool-2 service=pppoe
add comment="paid until 2026-12-01" name=kim profile=default
`,
  );
  const home = {
    rate_limit: "10M/20M",
    address_list: "home",
    idle_timeout: 600,
    framed_pool: "pool-1",
    simultaneous_use: 1,
  };
  expect(packages).toMatchObject([
    { key: "home-10", name: "home-10", price: null, ...home },
    { name: "home-10 (pool pool-2)", ...home, framed_pool: "pool-2" },
    { key: "default", name: "default", rate_limit: null },
  ]);
  expect(subscribers).toMatchObject([
    {
      username: "sam",
      name: "Sam Carter",
      password: "pw-sam",
      package: "home-10",
      connection: "ppp",
      enabled: true,
      static_ip: "100.64.0.5",
      mac_address: "AA:BB:CC:DD:EE:FF",
      macLock: true,
      service: { expiresAt: null },
    },
    { username: "lee", enabled: false, package: packages[1]?.key },
    {
      username: "kim",
      name: null,
      global_note: "paid until 2026-12-01",
      password: { lost: "none" },
      package: "default",
    },
  ]);
  expect(notices).toEqual([
    "term_left lee: The router kept limit-bytes-in=1000, which no package here has.",
    "package_made lee: The profile home-10 with pool pool-2.",
    expect.stringMatching(/^note default: The profile let one name in several times at once/),
  ]);
});

test("users of a hotspot come with their quota, and those that are a MAC address log in by it", async () => {
  const { packages, subscribers, notices, afterwards } = await read(
    `${header}/ip hotspot user profile
set [ find default=yes ] rate-limit=2M/4M
add name=week on-login=":put (\\",rem,5000,7d,7000,,Disable,\\")" rate-limit=5M/5M shared-users=3
/ip hotspot user
add name=default-trial
add limit-bytes-total=5000000000 limit-uptime=1d name=v123 password=v123 profile=week
add mac-address=AA:BB:CC:00:00:01 name=AA:BB:CC:00:00:01
`,
  );
  expect(packages).toMatchObject([
    {
      name: "week (5 GB)",
      data_quota_bytes: 5_000_000_000,
      simultaneous_use: 3,
      duration: { count: 7, unit: "day" },
      rate_limit: "5M/5M",
    },
    { name: "default", rate_limit: "2M/4M", simultaneous_use: 1 },
  ]);
  expect(subscribers).toMatchObject([
    { username: "v123", password: "v123", connection: "hotspot" },
    { password: "AA:BB:CC:00:00:01", mac_address: "AA:BB:CC:00:00:01", macLogin: true },
  ]);
  expect(notices[0]).toBe("term_left v123: The router kept limit-uptime=1d, which no package here has.");
  expect(afterwards).toEqual([
    ':foreach moved in={"v123";"AA:BB:CC:00:00:01"} do={ /ip hotspot user disable [find name=$moved] }',
  ]);
});

const userManager = `${header}/user-manager limitation
add name=l10 rate-limit-rx=5M rate-limit-tx=10000000B rate-limit-burst-rx=10M rate-limit-burst-tx=20M rate-limit-burst-threshold-rx=4M rate-limit-burst-threshold-tx=8M rate-limit-burst-time-rx=16s rate-limit-burst-time-tx=12s transfer-limit=100000000000B
/user-manager profile
add name=p10 name-for-users="Home 10" price=15.50 validity=4w2d
add name=plain validity=unlimited
/user-manager profile-limitation
add limitation=l10 profile=p10
/user-manager user group
add attributes=Framed-Pool:pool-9,Mikrotik-Group:home name=homes
/user-manager user
add attributes="Framed-IP-Address:100.64.1.5" comment="Ana Diaz" group=homes name=ana password=pw-ana
add name=bob password=pw-bob shared-users=2
add disabled=yes name=cid password=pw-cid
/user-manager user-profile
add profile=p10 user=ana
add profile=p10 user=bob
/user-manager router
add address=10.0.0.1 name=Market-4 shared-secret="s e\\$cret"
`;

test("User Manager's users come with what they have; ends come from the router's answer beside the export", async () => {
  const held = JSON.stringify([
    { ".id": "*1", user: "ana", profile: "p10", state: "running-active", "end-time": "2026-12-01 10:00:00" },
    { ".id": "*2", user: "bob", profile: "p10", state: "waiting" },
  ]);
  const { packages, subscribers, routers, notices, afterwards } = await read(userManager, [
    "user-profile.json",
    held,
  ]);
  expect(packages[0]).toMatchObject({
    name: "Home 10",
    price: "15.50",
    duration: { count: 30, unit: "day" },
    rate_limit: "5M/10M 10M/20M 4M/8M 16/12",
    data_quota_bytes: 100_000_000_000,
  });
  expect(packages.map(({ name }) => name)).toEqual(["Home 10", "plain", "Home 10 (2)"]);
  expect(subscribers).toMatchObject([
    {
      username: "ana",
      name: "Ana Diaz",
      package: "profile p10",
      static_ip: "100.64.1.5",
      connection: null,
      service: { expiresAt: Date.UTC(2026, 11, 1, 9) / 1000 },
    },
    { username: "bob", service: null, package: packages[2]?.key },
    { username: "cid", service: null, package: null, enabled: false },
  ]);
  expect(routers).toMatchObject([{ name: "Market-4", address: "10.0.0.1", secret: "s e$cret" }]);
  expect(notices).toContain("no_service bob: Its profile has not begun: activate it when it is to begin.");
  expect(notices).toContain("term_left ana: Routers were told mikrotik-group: home.");
  expect(afterwards).toContain("/user-manager set enabled=no");
});

test("without the router's answer ends are not known, and it is said how to get them", async () => {
  const { subscribers, notices } = await read(userManager);
  expect(subscribers.map(({ service }) => service)).toEqual([{ expiresAt: null }, { expiresAt: null }, null]);
  expect(notices.at(-1)).toMatch(
    /^note User Manager: .*curl -u admin https:\/\/ROUTER\/rest\/user-manager\/user-profile/,
  );
});

test("two routers may call different things the same", async () => {
  const of = (rate: string) =>
    `${header}/ppp profile\nadd name=home rate-limit=${rate}\n/ppp secret\nadd name=u${rate.length} password=x profile=home\n`;
  const { packages } = await read(of("5M/5M"), of("10M/10M"));
  expect(packages.map(({ name, rate_limit: rate }) => [name, rate])).toEqual([
    ["home", "5M/5M"],
    ["home (router-2.rsc)", "10M/10M"],
  ]);
  expect((await read(of("5M/5M"), of("5M/5M"))).packages).toHaveLength(1);
});

test("an export that hides passwords, or is only half of what is needed, is refused", async () => {
  const names = ["a", "b", "c", "d"].map((name) => `add name=${name} profile=default\n`).join("");
  await expect(read(`${header}/ppp secret\n${names}`)).rejects.toThrow("/export show-sensitive");
  await expect(read(["user-profile.json", "[]"])).rejects.toThrow("the export is missing");
  await expect(read(userManager, ["user-profile.json", '[{"user": "ana"'])).rejects.toThrow(
    "is not whole JSON",
  );
  await expect(read(userManager, ["user-profile.json", '{"error": 401}'])).rejects.toThrow(
    "does not hold the profiles of users",
  );
});

test("users that are all switched off are not switched off here by an export that was made after the move", async () => {
  const of = (...states: string[]) =>
    `${header}/ppp secret\n${states.map((off, at) => `add disabled=${off} name=u${at} password=x\n`).join("")}`;
  const enabled = async (text: string) => (await read(text)).subscribers.map((user) => user.enabled);
  expect(await enabled(of("yes", "yes"))).toEqual([null, null]);
  expect(await enabled(of("yes", "no"))).toEqual([false, true]);
  expect((await read(of("yes", "yes"))).notices.at(-1)).toStartWith(
    "note router.rsc: All 2 users are switched off there",
  );
});
