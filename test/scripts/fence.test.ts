import { expect, test } from "bun:test";
import { lineQueue, queueWords } from "../../scripts/lab.d/fence/queues.ts";
import { factoryRouter, makeSetUpRouter } from "../../scripts/lab.d/fence/router.ts";
import { type Row, translated, translateRule } from "../../scripts/lab.d/fence/translate.ts";
import type { FakeConfig } from "../support/fake-routeros-config.ts";

/* The lab tries the rules that a set-up makes: what it gives to Linux says no less than they do, and nothing else. */

const rowsOf = (config: FakeConfig) => (menu: string) => config.rows(menu);

const chains = new Map([
  ["INPUT", "input"],
  ["FORWARD", "forward"],
  ["OUTPUT", "output"],
  ["PREROUTING", "dstnat"],
  ["POSTROUTING", "srcnat"],
]);

/** How the options of iptables are called in RouterOS; what has no name there says how another one is meant. */
const options: Readonly<Record<string, (value: string, side: string) => Row>> = {
  "-A": (chain) => ({ chain: chains.get(chain) ?? chain }),
  "-p": (protocol) => ({ protocol }),
  "-m": () => ({}),
  "-s": (address) => ({ "src-address": address }),
  "--length": (size) => ({ "packet-size": size.replace(":", "-") }),
  "-i": (name) => ({ "in-interface": name.replace("ppp+", "all-ppp") }),
  "-o": (name) => ({ "out-interface": name.replace("ppp+", "all-ppp") }),
  "--sports": (ports) => ({ "src-port": ports }),
  "--dports": (ports) => ({ "dst-port": ports }),
  "--match-set": (list, side) => {
    const name = list.replace(/^if-/, "").replace(/-6$/, "");
    if (side.includes(",")) return { [`${side === "src,src" ? "in" : "out"}-interface-list`]: name };
    return { [`${side}-address-list`]: name };
  },
  "--ctstate": (state) =>
    state === "DNAT" ? { "connection-nat-state": "dstnat" } : { "connection-state": state.toLowerCase() },
  "--dir": (direction) => ({ direction }),
  "--pol": (policy) => ({ policy }),
  "--hashlimit-upto": (rate) => ({ rate: rate.replace("/sec", "") }),
  "--hashlimit-burst": (burst) => ({ burst }),
  "--hashlimit-mode": (mode) => ({ mode: mode.replace("ip", "-address") }),
  "--hashlimit-name": () => ({}),
  "-j": (target) => targets[target] ?? { action: "jump", "jump-target": target },
  "--reject-with": () => ({}),
  "--to-ports": (port) => ({ "to-ports": port }),
  "--to-destination": (to) => ({
    "to-addresses": to.split(":")[0] ?? "",
    "to-ports": to.split(":")[1] ?? "",
  }),
  "--set-mark": () => ({}),
};
const targets: Readonly<Record<string, Row>> = {
  ACCEPT: { action: "accept" },
  DROP: { action: "drop" },
  REJECT: { action: "reject" },
  MASQUERADE: { action: "masquerade" },
  REDIRECT: { action: "redirect" },
  DNAT: { action: "dst-nat" },
  CONNMARK: { action: "fasttrack-connection" },
};

/** A rule of iptables as RouterOS has it. */
function readBack(line: string): Row {
  const words = line.split(" ");
  const row: Record<string, string> = {};
  for (let at = 0; at < words.length; at++) {
    const not = words[at] === "!" ? "!" : "";
    if (not) at++;
    const option = words[at] ?? "";
    const read = options[option];
    if (!read) throw new Error(`nobody reads ${option} of ${line}`);
    const value = words[++at] ?? "";
    const said = read(value, option === "--match-set" ? (words[++at] ?? "") : "");
    for (const [name, one] of Object.entries(said)) row[name] = `${not}${one}`;
  }
  const { direction, policy, rate, burst, mode, ...rest } = row;
  return {
    ...rest,
    ...(direction && { "ipsec-policy": `${direction},${policy}` }),
    ...(rate && { "dst-limit": `${rate},${burst},${mode}` }),
  };
}

/** What of a row says which packets it is for, and what becomes of them. */
function meant({
  ".id": _id,
  comment: _comment,
  disabled: _disabled,
  "hw-offload": _offload,
  ...row
}: Row): Row {
  const limit = row["dst-limit"]?.split("/")[0];
  return { ...row, ...(limit && { "dst-limit": limit }) };
}

const routers: Readonly<Record<string, () => Promise<FakeConfig>>> = {
  "whose names a resolver has": () => makeSetUpRouter("resolver"),
  "which has names itself": () => makeSetUpRouter("router"),
  "which nobody has set up": async () => factoryRouter(),
};

test.each(Object.entries(routers))(
  "each rule is given to Linux as it is, in its place: a router %s",
  async (_, make) => {
    const config = await make();
    const { ipv4, ipv6, sets } = translated(rowsOf(config));
    const rules = (text: string) =>
      text.split("\n").filter((line) => line.startsWith("-A") && !line.includes("-m connmark"));
    const wanted = (menu: string) =>
      config
        .rows(menu)
        .filter((row) => row["disabled"] !== "true")
        .map(meant);
    expect(rules(ipv4).map(readBack)).toEqual([
      ...wanted("/ip/firewall/nat"),
      ...wanted("/ip/firewall/filter"),
    ]);
    expect(rules(ipv6).map(readBack)).toEqual(wanted("/ipv6/firewall/filter"));
    // what FastTrack took goes past all of them
    expect(ipv4.match(/^-A FORWARD .*$/m)?.[0]).toBe("-A FORWARD -m connmark --mark 0xfa57 -j ACCEPT");
    const added = sets.split("\n").filter((line) => line.startsWith("add"));
    const lists = config.rows("/ip/firewall/address-list");
    const members = config.rows("/interface/list/member");
    expect(added.toSorted()).toEqual(
      [
        ...lists.map(({ list, address }) => `add ${list} ${address}`),
        ...members.map((row) => `add if-${row["list"]} 0.0.0.0/0,${row["interface"]}`),
        ...members.map((row) => `add if-${row["list"]}-6 ::/0,${row["interface"]}`),
      ].toSorted(),
    );
    // each list that a rule names is there, an empty one too
    const created = new Set(sets.match(/(?<=^create )\S+/gm));
    for (const [, name = ""] of `${ipv4}${ipv6}`.matchAll(/--match-set (\S+)/g))
      expect(created).toContain(name);
  },
);

test.each<[string, Row]>([
  ["a matcher", { chain: "forward", action: "accept", content: "tunnel" }],
  ["an action", { chain: "forward", action: "tarpit" }],
  ["a limit by another thing", { chain: "forward", action: "accept", "dst-limit": "5,30,dst-port" }],
  ["a way to reject", { chain: "forward", action: "reject", "reject-with": "tcp-reset" }],
  ["a state of nat", { chain: "forward", action: "accept", "connection-nat-state": "srcnat" }],
])("%s that Linux is not told of is refused", (_, row) => {
  expect(() => translateRule(row, "filter", "ipv4")).toThrow("nobody knows");
});

test("rules of a menu that is not translated are refused, and lists that are made of others", () => {
  const config = factoryRouter();
  config.have("/ip/firewall/mangle", { chain: "forward", action: "accept" });
  expect(() => translated(rowsOf(config))).toThrow("/ip/firewall/mangle");
  config.rows("/ip/firewall/mangle").splice(0);
  config.have("/interface/list", { name: "lines", include: "LAN" });
  config.have("/ip/firewall/filter", { chain: "forward", action: "drop", "in-interface-list": "lines" });
  expect(() => translated(rowsOf(config))).toThrow("lines");
});

test("lines have the queue of their profile: what routers have, and what a set-up gives them", async () => {
  const words = async (shaper: "none" | "fq_codel" | "cake") =>
    queueWords(lineQueue(rowsOf(await makeSetUpRouter("resolver", shaper)))).join(" ");
  expect(await words("none")).toBe("pfifo limit 10");
  expect(await words("fq_codel")).toBe("fq_codel");
  expect(await words("cake")).toBe("cake unlimited nat");
  expect(() => queueWords({ name: "x", kind: "sfq" })).toThrow("sfq");
  expect(() => queueWords({ name: "x", kind: "cake", "cake-wash": "yes" })).toThrow("cake-wash");
});
