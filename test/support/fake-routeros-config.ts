import type { FakeRow } from "./fake-routeros.ts";
import {
  isOfKind,
  kindOf,
  queueMenus,
  queueRows,
  queueTypeAs,
  unknownQueueIn,
} from "./fake-routeros-queues.ts";
import { watchedMenus, watchedRows } from "./fake-routeros-watched.ts";

/** A menu of RouterOS by its manual. */
export interface Menu {
  /** One record instead of rows. */
  readonly record?: true;
  readonly takes: readonly string[];
  /** Defaults of a new row. */
  readonly defaults?: FakeRow;
  /** The order of its rows counts. */
  readonly ordered?: true;
  /** Policy that is needed beside read and write. */
  readonly policy?: string;
  /** Hidden properties, or those that need the policy `sensitive`. */
  readonly hidden?: readonly string[];
  readonly sensitive?: readonly string[];
}

/** Properties that match packets, in both firewalls. */
const matchers = [
  ...[
    "protocol",
    "src-address",
    "dst-address",
    "src-port",
    "dst-port",
    "port",
    "src-address-list",
    "dst-address-list",
  ],
  ...["in-interface", "out-interface", "in-interface-list", "out-interface-list", "connection-state"],
  ...["connection-nat-state", "connection-mark", "dst-limit", "limit", "icmp-options", "src-address-type"],
  ...["dst-address-type", "ipsec-policy", "hotspot", "tcp-flags", "packet-mark", "packet-size", "hop-limit"],
];
const rules = [
  ...["chain", "action", "jump-target", "to-addresses", "to-ports", "reject-with", "new-connection-mark"],
  ...["passthrough", "address-list", "address-list-timeout", "log", "hw-offload", ...matchers],
];
const profileTakes = [
  ...["name", "local-address", "remote-address", "dns-server", "wins-server", "change-tcp-mss"],
  ...["use-encryption", "use-compression", "use-mpls", "use-upnp", "only-one", "incoming-filter"],
  ...["outgoing-filter", "bridge", "bridge-horizon", "bridge-learning", "rate-limit", "parent-queue"],
  ...["queue-type", "insert-queue-before", "address-list", "interface-list", "on-up", "on-down"],
  ...["session-timeout", "idle-timeout", "comment"],
];
const profileIpv6 = ["use-ipv6", "remote-ipv6-prefix-pool", "dhcpv6-pd-pool"];
const common = ["comment", "disabled"];

function menusOf(version: string, hasIpv6: boolean): Readonly<Record<string, Menu>> {
  const own = setupMenus(version, hasIpv6);
  return { ...own, ...queueMenus(), ...watchedMenus(Number.parseInt(version, 10) >= 7), ...own };
}

function setupMenus(version: string, hasIpv6: boolean): Readonly<Record<string, Menu>> {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const isSeven = major >= 7;
  const signs = major > 7 || (isSeven && minor >= 15);
  return {
    "/radius": {
      takes: [
        ...[
          "service",
          "address",
          "secret",
          "authentication-port",
          "accounting-port",
          "timeout",
          "src-address",
          "certificate",
        ],
        ...[
          "called-id",
          "domain",
          "realm",
          "protocol",
          ...(signs ? ["require-message-auth"] : []),
          ...common,
        ],
      ],
      ordered: true,
      sensitive: ["secret"],
      defaults: {
        "authentication-port": "1812",
        "accounting-port": "1813",
        timeout: "300ms",
        protocol: "udp",
        ...(signs && { "require-message-auth": "yes-for-request-resp" }),
      },
    },
    "/radius/incoming": { record: true, takes: ["accept", "port", ...(isSeven ? ["vrf"] : [])] },
    "/ppp/aaa": {
      record: true,
      takes: ["use-radius", "accounting", "interim-update", ...(isSeven ? ["enable-ipv6-accounting"] : [])],
    },
    "/ip/hotspot": { takes: ["name", "interface", "profile", "address-pool", ...common] },
    "/ip/hotspot/host": { takes: [] },
    "/ip/hotspot/profile": {
      takes: [
        "name",
        "dns-name",
        "html-directory",
        ...["hotspot-address", "login-by"],
        "use-radius",
        "radius-accounting",
        "radius-interim-update",
      ],
      defaults: profile,
    },
    "/ip/firewall/filter": { takes: [...rules, ...common], ordered: true },
    "/ip/firewall/nat": { takes: [...rules, ...common], ordered: true },
    "/ip/firewall/address-list": { takes: ["list", "address", "timeout", ...common] },
    "/ip/firewall/mangle": { takes: [...rules, ...common], ordered: true },
    "/ip/firewall/connection": { takes: [] },
    "/ip/firewall/connection/tracking": { record: true, takes: ["enabled"] },
    "/ip/pool": { takes: ["name", "ranges", "next-pool", "comment"] },
    "/ip/dhcp-server": {
      takes: ["name", "interface", "address-pool", "use-radius", "allow-dual-stack-queue", ...common],
      defaults: { "allow-dual-stack-queue": "true" },
    },
    "/ppp/active": { takes: [] },
    "/ppp/profile": {
      takes: [...profileTakes, ...(hasIpv6 ? profileIpv6 : [])],
      defaults: { "queue-type": queueTypeAs(version, "default-small") },
    },
    "/interface/pppoe-server/server": {
      takes: [
        "service-name",
        "interface",
        "default-profile",
        "authentication",
        ...["one-session-per-host", "keepalive-timeout"],
        ...common,
      ],
      defaults: { "keepalive-timeout": "10", "one-session-per-host": "false", "default-profile": "default" },
    },
    ...Object.fromEntries(
      ["l2tp", "pptp", "sstp"].map((kind) => [
        `/interface/${kind}-server/server`,
        { record: true, takes: ["enabled", "default-profile"] },
      ]),
    ),
    "/interface/ovpn-server/server":
      major > 7 || (isSeven && minor >= 17)
        ? { takes: ["name", "default-profile", "port", ...common] }
        : { record: true, takes: ["enabled", "default-profile"] },
    "/interface/list": { takes: ["name", "include", "exclude", "comment"] },
    "/interface/list/member": { takes: ["list", "interface", ...common] },
    ...(hasIpv6 && {
      "/ipv6/firewall/filter": { takes: [...rules, ...common], ordered: true },
      "/ipv6/firewall/address-list": { takes: ["list", "address", "timeout", ...common] },
      "/ipv6/dhcp-server": {
        takes: [
          "name",
          "interface",
          "address-pool",
          "prefix-pool",
          "use-radius",
          "allow-dual-stack-queue",
          ...common,
        ],
        defaults: { "allow-dual-stack-queue": "true" },
      },
      "/ipv6/pool": { takes: ["name", "prefix", "prefix-length"] },
      "/ipv6/nd/prefix": { takes: ["prefix", "interface", "autonomous", ...common] },
      "/ipv6/address": { takes: ["address", "interface", "advertise", ...common] },
    }),
    "/ip/dns": { record: true, takes: ["servers", "allow-remote-requests"] },
    "/user/group": { takes: ["name", "policy", "skin"], policy: "policy" },
    "/user": {
      takes: ["name", "group", "password", "address", ...common],
      policy: "policy",
      hidden: ["password"],
    },
    "/system/ntp/client": {
      record: true,
      takes: [
        "enabled",
        ...(isSeven ? ["servers", "mode"] : ["server-dns-names", "primary-ntp", "secondary-ntp"]),
      ],
    },
    "/system/resource": { record: true, takes: [] },
  };
}

const profile: FakeRow = {
  "dns-name": "",
  "use-radius": "false",
  "radius-accounting": "true",
  "radius-interim-update": "received",
};
const truths = new Set([
  "disabled",
  "allow-remote-requests",
  "accept",
  "use-radius",
  "accounting",
  "radius-accounting",
  "enabled",
  ...["hotspot", "flagged", "l3-hw-offloading", "one-session-per-host", "enable-ipv6-accounting"],
  "change-tcp-mss",
  "use-ipv6",
  ...["autonomous", "advertise", "allow-dual-stack-queue"],
]);
const isTruth = (name: string, value: string) => truths.has(name) && /^(?:yes|no|true|false)$/.test(value);
const policies = [
  "local",
  "telnet",
  "ssh",
  "ftp",
  "reboot",
  "read",
  "write",
  "policy",
  "test",
  "winbox",
  "password",
];
const everyPolicy = [...policies, "web", "sniff", "sensitive", "api", "romon"];

export type Replies = string[][];

/** The configuration of a router as its API keeps it; an `.id` is never given twice. */
export class FakeConfig {
  readonly version: string;
  readonly #menus: Readonly<Record<string, Menu>>;
  readonly #rows = new Map<string, FakeRow[]>();
  #ids = 1;
  /** Answers of `/ip/hotspot/active/login` and `/radius/monitor`; unknown commands by default. */
  commands: Record<string, (words: readonly string[]) => Replies> = {};

  /** RouterOS 6 has IPv6 in a package of its own, which few install. */
  constructor(version = "7.16.1 (stable)", { hasIpv6 = !version.startsWith("6") } = {}) {
    this.version = version;
    for (const [menu, rows] of Object.entries({ ...queueRows(version), ...watchedRows(version) }))
      this.#rows.set(menu, rows);
    this.#menus = menusOf(version, hasIpv6);
    for (const kind of ["l2tp", "pptp", "sstp", "ovpn"])
      if (this.#menus[`/interface/${kind}-server/server`]?.record)
        this.#rows.set(`/interface/${kind}-server/server`, [
          { enabled: "false", "default-profile": "default-encryption" },
        ]);
    const isIpv6 = hasIpv6
      ? { "use-ipv6": "true", "remote-ipv6-prefix-pool": "none", "dhcpv6-pd-pool": "none" }
      : {};
    const usual = { "queue-type": queueTypeAs(version, "default-small"), ...isIpv6 };
    this.#rows.set("/ppp/profile", [
      { ".id": "*0", name: "default", "change-tcp-mss": "true", "only-one": "default", ...usual },
      { ".id": "*FFFFFFFE", name: "default-encryption", "use-encryption": "true", ...usual },
    ]);
    this.#rows.set("/interface/list", [
      { ".id": "*2000000", name: "all", builtin: "true" },
      { ".id": "*2000002", name: "dynamic", builtin: "true" },
    ]);
    this.#rows.set("/system/resource", [{ version, "board-name": "CCR2004", uptime: "5w1d2h" }]);
    this.#rows.set("/radius/incoming", [{ accept: "false", port: "3799" }]);
    this.#rows.set("/ppp/aaa", [{ "use-radius": "false", accounting: "true", "interim-update": "0s" }]);
    this.#rows.set("/ip/dns", [
      { servers: "", "dynamic-servers": "192.0.2.53", "allow-remote-requests": "true" },
    ]);
    const ntp = version.startsWith("6")
      ? { "primary-ntp": "0.0.0.0", "server-dns-names": "" }
      : { servers: "" };
    this.#rows.set("/system/ntp/client", [{ enabled: "false", ...ntp }]);
    this.#rows.set("/user/group", [
      { ".id": "*1", name: "read", policy: policyText("local,telnet,ssh,read,test,winbox,web,api") },
      { ".id": "*3", name: "full", policy: everyPolicy.join(",") },
    ]);
    this.#rows.set("/user", [
      { ".id": "*1", name: "admin", group: "full", address: "", disabled: "false", password: "secret" },
    ]);
    this.#rows.set("/ip/hotspot/profile", [{ ".id": "*0", name: "default", ...profile }]);
    this.#ids = 16;
  }

  /** Adds rows as the router's own admin would; returns their ids. */
  have(menu: string, ...rows: FakeRow[]): string[] {
    return rows.map((row) => this.#insert(menu, { disabled: "false", ...row }));
  }

  rows(menu: string): FakeRow[] {
    const rows = this.#rows.get(menu) ?? [];
    this.#rows.set(menu, rows);
    return rows;
  }

  export(): string {
    const menus = Object.keys(this.#menus).map((menu) => [
      menu,
      menu === "/queue/type" ? this.rows(menu).map(kindOf) : this.rows(menu),
    ]);
    return JSON.stringify(menus, null, 1);
  }

  /** The policies of a login; undefined: refused. */
  signIn(name: string, password: string, own: readonly string[] | undefined): string[] | undefined {
    const user = this.rows("/user").find((row) => row["name"] === name && row["disabled"] !== "true");
    if (user?.["password"] !== password) return undefined;
    const group = this.rows("/user/group").find((row) => row["name"] === user["group"]);
    const policy = own ?? group?.["policy"]?.split(",") ?? [];
    return policy.includes("api") ? [...policy] : undefined;
  }

  /** Runs a command under these policies. */
  answer([path = "", ...words]: readonly string[], policy: readonly string[]): Replies {
    const other = this.commands[path];
    if (other) return other(words);
    const menu = path.replace(/\/[a-z-]+$/, "");
    const verb = path.slice(menu.length + 1);
    const known = this.#menus[menu];
    if (!known) return trap("no such command prefix");
    const needs = [verb === "print" ? "read" : "write", ...(known.policy ? [known.policy] : [])];
    if (!needs.every((one) => policy.includes(one))) return trap("not enough permissions (9)");
    const values = valuesOf(words);
    if (verb === "print") return this.#print(menu, words, policy);
    const unknown = Object.keys(values)
      .map((name) => name.replace(/^!/, ""))
      .find(
        (name) =>
          ![...known.takes, ".id", ...(known.ordered && verb === "add" ? ["place-before"] : [])].includes(
            name,
          ),
      );
    if (unknown !== undefined) return trap(`unknown parameter ${unknown}`);
    // no interface, list or address is called nothing
    const empty = Object.entries(values).find(
      ([name, value]) =>
        value === "" &&
        name !== "comment" &&
        !name.startsWith("!") &&
        (menu.includes("/firewall/") || menu === "/queue/type" || name === "queue-type"),
    );
    if (empty) return trap(`invalid value for argument ${empty[0]}`);
    const unknownQueue = unknownQueueIn(this.version, this.rows("/queue/type"), values);
    if (unknownQueue) return trap(`input does not match any value of ${unknownQueue}`);
    if (verb === "add" && !known.record) return this.#add(menu, values);
    if (verb === "set") return this.#set(menu, values, known);
    if (verb === "remove" && !known.record) return this.#remove(menu, values[".id"]);
    return trap("no such command");
  }

  #print(menu: string, words: readonly string[], policy: readonly string[]): Replies {
    const known = this.#menus[menu];
    const queries = words.flatMap((word) => {
      const [, name, value] = /^\?=?([^=]+)=(.*)$/s.exec(word) ?? [];
      return name === undefined ? [] : [{ name, value }];
    });
    const isTurned = words.includes("?#!"); // not what the queries before it say
    const fits = (row: FakeRow) =>
      isTurned !== queries.every(({ name, value }) => (row[name] ?? "") === value);
    const sees = (name: string, row: FakeRow) =>
      !known?.hidden?.includes(name) &&
      (!known?.sensitive?.includes(name) || policy.includes("sensitive")) &&
      (menu !== "/queue/type" || isOfKind(row, name));
    const rows = this.rows(menu).filter(fits);
    const requests = words
      .find((word) => word.startsWith("=.proplist="))
      ?.slice("=.proplist=".length)
      .split(",");
    const isAsked = (name: string) => requests?.includes(name) ?? true;
    const replies = rows.map((row) =>
      ["!re"].concat(
        Object.entries(row).flatMap(([name, value]) =>
          sees(name, row) && isAsked(name) ? [`=${name}=${value}`] : [],
        ),
      ),
    );
    return [
      ...replies,
      ...(replies.length === 0 && this.version.startsWith("7") ? [["!empty"]] : []),
      ["!done"],
    ];
  }

  #add(menu: string, { "place-before": before, ...values }: FakeRow): Replies {
    if (values["name"] !== undefined && this.rows(menu).some((row) => row["name"] === values["name"]))
      return trap("failure: already have such name");
    if (
      menu.endsWith("/address-list") &&
      this.rows(menu).some((row) => row["list"] === values["list"] && row["address"] === values["address"])
    )
      return trap("failure: already have such entry");
    const list = values["interface-list"] ?? (menu === "/interface/list/member" ? values["list"] : undefined);
    if (
      list !== undefined &&
      !this.rows("/interface/list").some((row) => row["name"] === list.replace("!", ""))
    )
      return trap("input does not match any value of interface-list");
    if (menu === "/user" && !this.rows("/user/group").some((row) => row["name"] === values["group"]))
      return trap("input does not match any value of group");
    if (before !== undefined && !this.rows(menu).some((row) => row[".id"] === before))
      return trap("no such item");
    const id = this.#insert(menu, { disabled: "false", ...values }, before);
    return [["!done", `=ret=${id}`]];
  }

  #insert(menu: string, values: FakeRow, before?: string): string {
    const id = `*${(this.#ids++).toString(16).toUpperCase()}`;
    const row = { ".id": id };
    this.#write(menu, row, { ...this.#menus[menu]?.defaults, ...values });
    const at = before === undefined ? -1 : this.rows(menu).findIndex((one) => one[".id"] === before);
    if (at < 0) this.rows(menu).push(row);
    else this.rows(menu).splice(at, 0, row);
    return id;
  }

  #set(menu: string, { ".id": id, ...values }: FakeRow, { record }: Menu): Replies {
    const row = this.rows(menu).find((one) => record === true || one[".id"] === id);
    if (!row) return trap("no such item");
    this.#write(menu, row, values);
    return [["!done"]];
  }

  #remove(menu: string, id: string | undefined): Replies {
    const at = this.rows(menu).findIndex((row) => row[".id"] === id);
    if (at < 0) return trap("no such item");
    if (menu === "/queue/type" && this.#isQueueUsed(this.rows(menu)[at]?.["name"] ?? ""))
      return trap("failure: queue type is in use");
    const isGroup = (row: FakeRow) =>
      menu === "/user/group" && row["group"] === this.rows(menu)[at]?.["name"];
    if (this.rows("/user").some(isGroup)) return trap("failure: group is in use");
    this.rows(menu).splice(at, 1);
    return [["!done"]];
  }

  #isQueueUsed(name: string): boolean {
    const profiles = [...this.rows("/ppp/profile"), ...this.rows("/ip/hotspot/user/profile")];
    return profiles.some((row) => row["queue-type"]?.split("/").includes(name));
  }

  /** As RouterOS prints values: booleans, durations, policies, no empty comment. */
  #write(menu: string, row: FakeRow, values: FakeRow): void {
    for (const [name, value] of Object.entries(values)) {
      if (name === "disabled" && menu === "/user/group") continue;
      if (name.startsWith("!")) {
        delete row[name.slice(1)];
        continue;
      }
      if (name === "comment" && value === "") delete row["comment"];
      else if (isTruth(name, value)) row[name] = value === "yes" || value === "true" ? "true" : "false";
      // it adds how long it remembers an address
      else if (name === "dst-limit") row[name] = `${value}/1m40s`;
      else if (name === "queue-type") row[name] = queueTypeAs(this.version, value);
      else if (name === "policy") row[name] = policyText(value);
      else if (name === "address" && menu === "/user") row[name] = value.replaceAll("/32", "");
      else row[name] = value;
    }
  }
}

const trap = (message: string): Replies => [["!trap", `=message=${message}`], ["!done"]];

function policyText(value: string): string {
  const has = value.split(",");
  return everyPolicy.map((one) => (has.includes(one) ? one : `!${one}`)).join(",");
}

function valuesOf(words: readonly string[]): FakeRow {
  return Object.fromEntries(
    words.flatMap((word) => {
      const [, name, value] = /^=([^=]+)=(.*)$/s.exec(word) ?? [];
      return name === undefined || value === undefined || name === ".proplist" ? [] : [[name, value]];
    }),
  );
}
