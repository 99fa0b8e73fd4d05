import type { FakeRow } from "./fake-routeros.ts";

/** A menu of RouterOS: what it prints, takes and shows, by its manual. */
interface Menu {
  /** One record; else rows. */
  readonly record?: true;
  /** Properties that can be set. */
  readonly takes: readonly string[];
  /** What a new row has that nobody says. */
  readonly defaults?: FakeRow;
  /** Rows stand in an order that counts. */
  readonly ordered?: true;
  /** What reading and writing need beside read and write. */
  readonly policy?: string;
  /** What nobody sees, or nobody without the policy `sensitive`. */
  readonly hidden?: readonly string[];
  readonly sensitive?: readonly string[];
}

const rule = ["chain", "action", "protocol", "src-address", "dst-address", "dst-port", "src-address-list"];
const rules = [
  ...rule,
  "dst-address-list",
  "to-addresses",
  "to-ports",
  "connection-state",
  "in-interface-list",
];
const common = ["comment", "disabled"];

function menusOf(version: string): Readonly<Record<string, Menu>> {
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
      ...{ ordered: true, sensitive: ["secret"] },
      defaults: {
        ...{ "authentication-port": "1812", "accounting-port": "1813", timeout: "300ms", protocol: "udp" },
        ...(signs && { "require-message-auth": "yes-for-request-resp" }),
      },
    },
    "/radius/incoming": { record: true, takes: ["accept", "port", ...(isSeven ? ["vrf"] : [])] },
    "/ppp/aaa": {
      record: true,
      takes: ["use-radius", "accounting", "interim-update", ...(isSeven ? ["enable-ipv6-accounting"] : [])],
    },
    "/ip/hotspot": { takes: ["name", "interface", "profile", ...common] },
    "/ip/hotspot/host": { takes: [] },
    "/ip/hotspot/profile": {
      takes: [
        "name",
        "dns-name",
        "html-directory",
        "use-radius",
        "radius-accounting",
        "radius-interim-update",
      ],
      defaults: profile,
    },
    "/ip/firewall/filter": { takes: [...rules, ...common], ordered: true },
    "/ip/firewall/nat": { takes: [...rules, ...common], ordered: true },
    "/ip/firewall/address-list": { takes: ["list", "address", "timeout", ...common] },
    "/ip/dns": { record: true, takes: ["servers", "allow-remote-requests"] },
    "/user/group": { takes: ["name", "policy", "skin"], policy: "policy" },
    "/user": {
      takes: ["name", "group", "password", "address", ...common],
      ...{ policy: "policy", hidden: ["password"] },
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
  ...{ "dns-name": "", "use-radius": "false", "radius-accounting": "true" },
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
]);
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

/** Replies to a command: sentences of words. */
type Replies = string[][];

/** The configuration of a router as its API keeps it: rows with an `.id` that is never given twice, in order. */
export class FakeConfig {
  readonly version: string;
  readonly #menus: Readonly<Record<string, Menu>>;
  readonly #rows = new Map<string, FakeRow[]>();
  #ids = 1;
  /** What `/ip/hotspot/active/login` and `/radius/monitor` say; by default there is no such command. */
  commands: Record<string, (words: readonly string[]) => Replies> = {};

  constructor(version = "7.16.1 (stable)") {
    this.version = version;
    this.#menus = menusOf(version);
    this.#rows.set("/system/resource", [{ version, "board-name": "CCR2004" }]);
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
      { ".id": "*1", name: "read", policy: shownPolicy("local,telnet,ssh,read,test,winbox,web,api") },
      { ".id": "*3", name: "full", policy: everyPolicy.join(",") },
    ]);
    this.#rows.set("/user", [
      { ".id": "*1", name: "admin", group: "full", address: "", disabled: "false", password: "secret" },
    ]);
    this.#rows.set("/ip/hotspot/profile", [{ ".id": "*0", name: "default", ...profile }]);
    this.#ids = 16;
  }

  /** Puts rows in as somebody of the router would; returns their ids. */
  have(menu: string, ...rows: FakeRow[]): string[] {
    return rows.map((row) => this.#insert(menu, { disabled: "false", ...row }));
  }

  rows(menu: string): FakeRow[] {
    const rows = this.#rows.get(menu) ?? [];
    this.#rows.set(menu, rows);
    return rows;
  }

  /** Everything, passwords too, as bytes to compare. */
  export(): string {
    const menus = Object.keys(this.#menus).map((menu) => [menu, this.rows(menu)]);
    return JSON.stringify(menus, null, 1);
  }

  /** The policies of who signs in with that; undefined: nobody does. */
  signIn(name: string, password: string, own: readonly string[] | undefined): string[] | undefined {
    const user = this.rows("/user").find((row) => row["name"] === name && row["disabled"] !== "true");
    if (user?.["password"] !== password) return undefined;
    const group = this.rows("/user/group").find((row) => row["name"] === user["group"]);
    const policy = own ?? group?.["policy"]?.split(",") ?? [];
    return policy.includes("api") ? [...policy] : undefined;
  }

  /** What a command does and answers for somebody of these policies. */
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
    const unknown = Object.keys(values).find(
      (name) =>
        ![...known.takes, ".id", ...(known.ordered && verb === "add" ? ["place-before"] : [])].includes(name),
    );
    if (unknown !== undefined) return trap(`unknown parameter ${unknown}`);
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
    const fits = (row: FakeRow) => queries.every(({ name, value }) => (row[name] ?? "") === value);
    const sees = (name: string) =>
      !known?.hidden?.includes(name) && (!known?.sensitive?.includes(name) || policy.includes("sensitive"));
    const shown = this.rows(menu).filter(fits);
    const replies = shown.map((row) =>
      ["!re"].concat(
        Object.entries(row).flatMap(([name, value]) => (sees(name) ? [`=${name}=${value}`] : [])),
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
    this.rows(menu).splice(at, 1);
    return [["!done"]];
  }

  /** As it prints them later: truths, spans of time, policies, and no comment that is empty. */
  #write(menu: string, row: FakeRow, values: FakeRow): void {
    for (const [name, value] of Object.entries(values)) {
      if (name === "disabled" && menu === "/user/group") continue;
      if (name === "comment" && value === "") delete row["comment"];
      else if (truths.has(name)) row[name] = value === "yes" || value === "true" ? "true" : "false";
      else if (name === "policy") row[name] = shownPolicy(value);
      else if (name === "address" && menu === "/user") row[name] = value.replaceAll("/32", "");
      else row[name] = value;
    }
  }
}

const trap = (message: string): Replies => [["!trap", `=message=${message}`], ["!done"]];

function shownPolicy(given: string): string {
  const has = given.split(",");
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
