import { expect, test } from "bun:test";
import { compareConfigs } from "../../../../src/domain/goods/router-config/changes.ts";
import { parseStatements } from "../../../../src/domain/goods/router-config/statements.ts";
import { routerConfigWords } from "../../../../src/http/words/console/router-config.ts";
import { loadMessages } from "../../../../src/http/words/messages.ts";

const english = loadMessages("en");
const { changeInWords } = routerConfigWords(english);

/* What two exports differ in, in rows of their menus. */

const HEAD = "# 2026-11-22 03:00:03 by RouterOS 7.16.1\n# software id = AAAA-BBBB\n";
const result = (before: string, after: string) =>
  compareConfigs(`${HEAD}${before}`, `${HEAD}${after}`).changes.map((change) =>
    [change.menu, change.kind, change.what, changeInWords(change)].filter((part) => part !== "").join(" | "),
  );

test("lines that were cut are one command, whatever stands at their ends", () => {
  const { all } = parseStatements(
    '/ip firewall filter\nadd action=accept chain=input comment=\\\n    "defconf: accept \\"it\\", a \\\\\\\n    back" connection-state=established\n/interface ethernet\nset [ find default-name=ether1 ] comment=WAN\n/ip dns\nset servers=10.0.0.53\n',
  );
  expect(all.map(({ menu, verb, row, values }) => [menu, verb, row, Object.fromEntries(values)])).toEqual([
    [
      ...["/ip/firewall/filter", "add", ""],
      {
        action: "accept",
        chain: "input",
        "connection-state": "established",
        comment: 'defconf: accept "it", a \\back',
      },
    ],
    ["/interface/ethernet", "set", "default-name=ether1", { comment: "WAN" }],
    ["/ip/dns", "set", "", { servers: "10.0.0.53" }],
  ]);
});

test("both ways of writing a menu are one", () => {
  expect(result("/ip firewall nat\nadd chain=srcnat\n", "/ip/firewall/nat\nadd chain=srcnat\n")).toEqual([]);
});

test("rows are added and taken away", () => {
  expect(
    result(
      "/ip address\nadd address=10.0.0.1/24 interface=ether2\n",
      "/ip address\nadd address=10.0.0.1/24 interface=ether2\nadd address=10.7.0.1/24 interface=ether7\n/ip pool\nadd name=guests ranges=10.9.0.2-10.9.0.9\n",
    ),
  ).toEqual([
    "/ip/address | added | address 10.7.0.1/24, interface ether7",
    "/ip/pool | added | name guests, ranges 10.9.0.2-10.9.0.9",
  ]);
  expect(result("/ip pool\nadd name=a ranges=10.9.0.2\n", "")).toEqual([
    "/ip/pool | removed | name a, ranges 10.9.0.2",
  ]);
});

test("a row that has its name, its comment or most of its values still is the same one", () => {
  expect(
    result(
      "/ppp profile\nadd name=gold rate-limit=5M/5M\n/ip service\nset telnet disabled=yes\n/ip firewall filter\nadd action=drop chain=forward protocol=tcp dst-port=25 src-address=10.0.0.0/8\n",
      "/ppp profile\nadd name=gold rate-limit=9M/9M use-ipv6=no\n/ip service\nset telnet address=10.0.0.0/8\n/ip firewall filter\nadd action=accept chain=forward protocol=tcp dst-port=25 src-address=10.0.0.0/8\n",
    ),
  ).toEqual([
    "/ppp/profile | changed | name=gold | rate-limit from 5M/5M to 9M/9M, use-ipv6 no is new",
    "/ip/service | changed | telnet | disabled yes is gone, address 10.0.0.0/8 is new",
    "/ip/firewall/filter | changed | chain=forward | action from drop to accept",
  ]);
});

test("a rule that stands elsewhere is said once, and only where the order says something", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => `add chain=forward comment=${name}\n`);
  const rules = (...all: (string | undefined)[]) => `/ip firewall filter\n${all.join("")}`;
  expect(result(rules(a, b, c, d), rules(d, a, b, c))).toEqual([
    "/ip/firewall/filter | moved | comment=d chain=forward | it stands elsewhere in the order now",
  ]);
  expect(result("/ip pool\nadd name=a\nadd name=b\n", "/ip pool\nadd name=b\nadd name=a\n")).toEqual([]);
});

test("rows that are there twice are counted", () => {
  const twice = "/ip firewall mangle\nadd chain=forward\nadd chain=forward\n";
  expect(result(twice, "/ip firewall mangle\nadd chain=forward\n")).toEqual([
    "/ip/firewall/mangle | removed | chain forward",
  ]);
  expect(result(twice, twice)).toEqual([]);
});

test("a menu that one of both does not say is not compared, nor what may stand behind the end of one", () => {
  const before = `${HEAD}/ip pool\nadd name=a\n/ip dns\nset servers=10.0.0.53\n/ip proxy access\nadd action=deny\n`;
  const partial = `${HEAD}#error exporting "/ip/pool" (timeout)\n/ip dns\nset servers=10.0.0.54\n#error exporting /ip proxy\n`;
  const { changes, missing } = compareConfigs(before, partial);
  expect([changes.map(({ menu }) => menu), missing]).toEqual([["/ip/dns"], ["/ip/pool", "/ip/proxy"]]);
  const cut = compareConfigs(before, `${HEAD}/ip pool\nadd name=b\n#interrupted\n`);
  expect([cut.changes.map(({ menu, kind }) => [menu, kind]), cut.missing]).toEqual([
    [
      ["/ip/pool", "removed"],
      ["/ip/pool", "added"],
    ],
    null,
  ]);
});

test("a long list that is another one is compared in no time that grows by its square", () => {
  const list = (net: number) =>
    `/ip firewall address-list\n${Array.from({ length: 30_000 }, (_, at) => `add address=${net}.${at >> 8}.${at & 255}.1 list=ads\n`).join("")}`;
  expect(compareConfigs(list(10), list(11)).changes).toHaveLength(60_000);
});
