/** A row of a menu of RouterOS, as its API prints it. */
export type Row = Readonly<Record<string, string>>;

/** What the programs of Linux read so that its kernel does as a router's rows say. */
export interface Translation {
  /** For `ipset restore`. */
  readonly sets: string;
  /** For `iptables-legacy-restore` and `ip6tables-legacy-restore`. */
  readonly ipv4: string;
  readonly ipv6: string;
}

type Family = "ipv4" | "ipv6";
type Table = "filter" | "nat";

const menus: readonly { readonly menu: string; readonly family: Family; readonly table: Table }[] = [
  { menu: "/ip/firewall/nat", family: "ipv4", table: "nat" },
  { menu: "/ip/firewall/filter", family: "ipv4", table: "filter" },
  { menu: "/ipv6/firewall/filter", family: "ipv6", table: "filter" },
];
/** What would have its say too; rows there are not translated. */
const unread = ["/ip/firewall/mangle", "/ip/firewall/raw", "/ipv6/firewall/mangle", "/ipv6/firewall/raw"];

/** What Linux calls the chains that are there by themselves. */
const builtIn: Readonly<Record<Table, Readonly<Record<string, string>>>> = {
  filter: { input: "INPUT", forward: "FORWARD", output: "OUTPUT" },
  nat: { dstnat: "PREROUTING", srcnat: "POSTROUTING" },
};

/** Connections that FastTrack sends past the firewall carry this mark. */
const FAST = "0xfa57";

/** What of a rule matches no packet. */
const silent = new Set([
  ...[".id", "chain", "action", "comment", "disabled", "hw-offload"],
  ...["jump-target", "to-addresses", "to-ports", "reject-with"],
]);

/** The words of iptables for a matcher. `not` is what turns it round: `!`, or nothing. */
type Matcher = (
  value: string,
  not: readonly string[],
  of: { readonly family: Family; readonly row: Row },
) => string[];

const set =
  (kind: ListKind, side: string): Matcher =>
  (list, not, { family }) => ["-m", "set", ...not, "--match-set", setName(kind, list, family), side];
const address =
  (side: "src" | "dst"): Matcher =>
  (value, not) =>
    value.includes("-")
      ? ["-m", "iprange", ...not, `--${side}-range`, value]
      : [...not, side === "src" ? "-s" : "-d", value];
const ports =
  (option: string): Matcher =>
  (value, not) => ["-m", "multiport", ...not, option, value.replaceAll("-", ":")];
const onInterface =
  (option: string): Matcher =>
  (value, not) => [...not, option, value === "all-ppp" ? "ppp+" : value];

/** In the order in which iptables wants to read them: ports are of a protocol. */
const matchers: Readonly<Record<string, Matcher>> = {
  protocol: (value, not) => [...not, "-p", value],
  "src-address": address("src"),
  "dst-address": address("dst"),
  "src-port": ports("--sports"),
  "dst-port": ports("--dports"),
  "packet-size": (value, not) => ["-m", "length", ...not, "--length", value.replace("-", ":")],
  "in-interface": onInterface("-i"),
  "out-interface": onInterface("-o"),
  "src-address-list": set("addresses", "src"),
  "dst-address-list": set("addresses", "dst"),
  "in-interface-list": set("interfaces", "src,src"),
  "out-interface-list": set("interfaces", "dst,dst"),
  "connection-state": (value, not) => ["-m", "conntrack", ...not, "--ctstate", value.toUpperCase()],
  "connection-nat-state": (value, not) => ["-m", "conntrack", ...not, "--ctstate", natState(value)],
  "ipsec-policy": (value, not) => {
    const [direction = "", policy = ""] = value.split(",");
    return ["-m", "policy", "--dir", direction, ...not, "--pol", policy];
  },
  "dst-limit": (value, not, { row }) => limit(value, not, row),
};

/** What is done to a packet, and what a menu does when it does not say it. */
const targets: Readonly<Record<string, (row: Row, family: Family) => string[]>> = {
  accept: () => ["-j", "ACCEPT"],
  drop: () => ["-j", "DROP"],
  return: () => ["-j", "RETURN"],
  jump: (row) => ["-j", row["jump-target"] ?? ""],
  reject: ({ "reject-with": how }, family) => {
    if (how !== undefined) throw new Error(`nobody knows how to reject with ${how}`);
    return ["-j", "REJECT", "--reject-with", family === "ipv4" ? "icmp-net-unreachable" : "icmp6-no-route"];
  },
  masquerade: () => ["-j", "MASQUERADE"],
  redirect: (row) => ["-j", "REDIRECT", "--to-ports", row["to-ports"] ?? ""],
  "dst-nat": (row) => ["-j", "DNAT", "--to-destination", `${row["to-addresses"]}:${row["to-ports"]}`],
  "fasttrack-connection": () => ["-j", "CONNMARK", "--set-mark", FAST],
};

/**
 * A router's firewall for Linux: its filters, its nat, and the lists that they name, each rule in its place. Throws for what it does not know,
 * so that no rule does less there than on the router.
 */
export function translated(readRows: (menu: string) => readonly Row[]): Translation {
  const busy = unread.find((menu) => readRows(menu).some(isOn));
  if (busy) throw new Error(`nobody knows what rules of ${busy} do`);
  const text = (family: Family) =>
    menus
      .filter((one) => one.family === family)
      .map(({ menu, table }) => tableText(table, family, readRows(menu).filter(isOn)))
      .join("");
  return { sets: setsText(readRows), ipv4: text("ipv4"), ipv6: text("ipv6") };
}

const isOn = (row: Row) => row["disabled"] !== "true";

function tableText(table: Table, family: Family, rows: readonly Row[]): string {
  const known = builtIn[table];
  const chains = new Set(rows.flatMap((row) => [row["chain"] ?? "", row["jump-target"] ?? ""]));
  const own = [...chains].filter((chain) => chain !== "" && !(chain in known));
  const fast = rows.some((row) => row["action"] === "fasttrack-connection");
  return [
    `*${table}`,
    ...Object.values(known).map((chain) => `:${chain} ACCEPT [0:0]`),
    ...own.map((chain) => `:${chain} - [0:0]`),
    ...(fast ? [`-A FORWARD -m connmark --mark ${FAST} -j ACCEPT`] : []),
    ...rows.map((row) => translateRule(row, table, family).join(" ")),
    "COMMIT\n",
  ].join("\n");
}

/** A rule as iptables-restore reads it. Throws for a matcher or an action that it does not know. */
export function translateRule(row: Row, table: Table, family: Family): string[] {
  const names = Object.keys(row).filter((name) => !silent.has(name));
  const unknown = names.find((name) => !(name in matchers));
  if (unknown !== undefined) throw new Error(`nobody knows what ${unknown}=${row[unknown]} matches`);
  const { chain = "", action = "accept" } = row;
  const target = targets[action];
  if (!target) throw new Error(`nobody knows what ${action} does`);
  const matched = Object.entries(matchers).flatMap(([name, matcher]) => {
    const value = row[name];
    if (value === undefined) return [];
    const of = { family, row };
    return value.startsWith("!") ? matcher(value.slice(1), ["!"], of) : matcher(value, [], of);
  });
  return ["-A", builtIn[table][chain] ?? chain, ...matched, ...target(row, family)];
}

function natState(value: string): string {
  if (value !== "dstnat") throw new Error(`nobody knows what connection-nat-state=${value} matches`);
  return "DNAT";
}

/** `5,30,src-address/1m40s`: so many a second of each source, or destination, and a burst. Each rule counts by itself. */
function limit(value: string, not: readonly string[], { ".id": id = "" }: Row): string[] {
  const [, rate = "", burst = "", end = ""] = /^(\d+),(\d+),(src|dst)-address(?:\/\S+)?$/.exec(value) ?? [];
  if (end === "" || not.length > 0) throw new Error(`nobody knows what dst-limit=${value} matches`);
  const hash = [
    "--hashlimit-upto",
    `${rate}/sec`,
    "--hashlimit-burst",
    burst,
    "--hashlimit-mode",
    `${end}ip`,
  ];
  return ["-m", "hashlimit", ...hash, "--hashlimit-name", `limit${id.replace("*", "-")}`];
}

/** What lists have of a kind: the matchers that name them, and where their entries are. */
type ListKind = "addresses" | "interfaces";
const listKinds = {
  addresses: {
    named: ["src-address-list", "dst-address-list"],
    type: "hash:net",
    menu: (family: Family) => `/${family === "ipv4" ? "ip" : "ipv6"}/firewall/address-list`,
    entry: "address",
  },
  interfaces: {
    named: ["in-interface-list", "out-interface-list"],
    type: "hash:net,iface",
    menu: () => "/interface/list/member",
    entry: "interface",
  },
} as const;

/** What the set of a list is called, with which `ipset` is told of its entries. */
export const setName = (kind: ListKind, list: string, family: Family): string =>
  `${kind === "addresses" ? "" : "if-"}${list}${family === "ipv6" ? "-6" : ""}`;

/** How `ipset` is told of an entry: of interfaces the ones with any address. */
export const formatEntry = (kind: ListKind, entry: string, family: Family): string =>
  kind === "addresses" ? entry : `${family === "ipv4" ? "0.0.0.0/0" : "::/0"},${entry}`;

/** Every list that a rule names, or that has an entry: one that is empty matches nothing, and is filled later. */
function setsText(readRows: (menu: string) => readonly Row[]): string {
  const combined = readRows("/interface/list").find((row) => row["include"] || row["exclude"]);
  if (combined) throw new Error(`nobody knows which interfaces are on the list ${combined["name"]}`);
  const lines = (["ipv4", "ipv6"] as const).flatMap((family) => {
    const rules = menus
      .filter((one) => one.family === family)
      .flatMap(({ menu }) => readRows(menu).filter(isOn));
    return (["addresses", "interfaces"] as const).flatMap((kind) =>
      setLines(kind, family, { rules, readRows }),
    );
  });
  return lines.map((line) => `${line}\n`).join("");
}

function setLines(
  kind: ListKind,
  family: Family,
  { rules, readRows }: { rules: readonly Row[]; readRows: (menu: string) => readonly Row[] },
): string[] {
  const { named, type, menu, entry } = listKinds[kind];
  const entries = readRows(menu(family)).filter(isOn);
  const lists = new Set([
    ...rules.flatMap((row) => named.flatMap((name) => row[name]?.replace(/^!/, "") ?? [])),
    ...entries.map((row) => row["list"] ?? ""),
  ]);
  return [...lists].flatMap((list) => {
    const name = setName(kind, list, family);
    const own = entries.filter((row) => row["list"] === list);
    const added = own.map((row) => `add ${name} ${formatEntry(kind, row[entry] ?? "", family)}`);
    return [`create ${name} ${type} family ${family === "ipv4" ? "inet" : "inet6"}`].concat(added);
  });
}
