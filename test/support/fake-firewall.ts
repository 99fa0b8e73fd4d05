import { boundsIn } from "../../src/domain/goods/router-setup/bounds.ts";
import type { FakeConfig } from "./fake-routeros-config.ts";
import type { FakeRow } from "./fake-routeros.ts";

/** Ports are of TCP and UDP. */
export interface Packet {
  readonly from: string;
  readonly to: string;
  readonly protocol: "tcp" | "udp" | "icmp" | "gre";
  readonly sport?: number;
  readonly dport?: number;
  /** Bytes; absent: few. */
  readonly size?: number;
}

/** Where a packet went on to, or why it did not. */
export type Verdict =
  | { readonly passed: true; readonly to: string; readonly dport: number; readonly isFastTracked: boolean }
  | { readonly passed: false; readonly by: string };

/** Networks behind interfaces, and the router's own addresses. */
export interface Topology {
  readonly own: readonly string[];
  /** The first match counts; the last is the default route. */
  readonly routes: readonly { readonly network: string; readonly interface: string }[];
  /** The interface that masquerades. */
  readonly wan: string;
  /** Interfaces that come and go with a PPP line, by the profile that it got. */
  readonly dialled?: Readonly<Record<string, string>>;
  /** Signed-in guests of a hotspot. */
  readonly guests?: readonly string[];
}

interface Connection {
  readonly packet: Packet;
  readonly reply: Packet;
  isSeen: boolean;
  isFastTracked: boolean;
}

interface Way extends Packet {
  readonly in: string;
  readonly out: string;
  readonly state: "new" | "established";
  readonly isNatted: boolean;
}

/** RouterOS's firewall by its rules: connection tracking, FastTrack, dst-nat, redirect, jumps, returns, limits. An unknown matcher fails the test. */
export class FakeFirewall {
  readonly #config: FakeConfig;
  readonly #topology: Topology;
  #connections: Connection[] = [];
  /** Packets left of a limit, by rule and source. */
  readonly #left = new Map<string, number>();

  constructor(config: FakeConfig, topology: Topology) {
    this.#config = config;
    this.#topology = topology;
  }

  /** As /ip/firewall/connection prints them. */
  get connections(): FakeRow[] {
    return this.#connections.map(({ packet, reply, isFastTracked }, index) => ({
      ".id": `*${index + 1}`,
      "src-address": `${packet.from}:${packet.sport ?? 0}`,
      "dst-address": `${packet.to}:${packet.dport ?? 0}`,
      "reply-src-address": reply.from,
      fasttrack: String(isFastTracked),
    }));
  }

  /** Removes a connection from tracking. */
  forget(id: string): void {
    this.#connections = this.#connections.filter((_, index) => id !== `*${index + 1}`);
  }

  rest(): void {
    this.#left.clear();
  }

  send(packet: Packet): Verdict {
    const six = packet.to.includes(":");
    const prefix = six ? "/ipv6" : "/ip";
    const known = this.#find(packet);
    const connection = known?.connection ?? {
      packet,
      reply: reversed(packet),
      isSeen: false,
      isFastTracked: false,
    };
    const inside = this.#interfaceOf(packet.from);
    let target = packet;
    if (!known && !six) target = this.#natted(packet, inside);
    else if (known && !known.isReply)
      target = { ...packet, to: connection.reply.from, dport: connection.reply.sport ?? 0 };
    // what is sent back to the router's address is for the line
    else if (known) target = { ...packet, to: connection.packet.from, dport: connection.packet.sport ?? 0 };
    const isOwn = this.#topology.own.includes(target.to);
    const isForward = !isOwn && !this.#topology.own.includes(packet.from);
    const out = isOwn ? "" : this.#interfaceOf(target.to);
    if (known?.isReply) connection.isSeen = true;
    const way: Way = {
      ...target,
      in: inside,
      out,
      state: connection.isSeen ? "established" : "new",
      isNatted: target !== packet,
    };
    const passed = (): Verdict => ({
      passed: true,
      to: target.to,
      dport: target.dport ?? 0,
      isFastTracked: connection.isFastTracked,
    });
    if (connection.isFastTracked && isForward) return passed();
    const chain = isForward ? "forward" : isOwn ? "input" : "output";
    const marks = (menu: string, at: string) => this.#run(`${prefix}/firewall/${menu}`, at, way, connection);
    if (!six && chain !== "output") marks("mangle", "prerouting");
    if (!six && isForward) marks("mangle", "forward");
    const stop = marks("filter", chain);
    if (stop && stop !== "accept") return { passed: false, by: stop };
    if (!known) {
      const isOut = !six && out === this.#topology.wan;
      const reply = reversed(target);
      this.#connections.push(
        Object.assign(connection, { reply: isOut ? { ...reply, to: this.#topology.own[0] ?? "" } : reply }),
      );
    }
    return passed();
  }

  #find(packet: Packet) {
    for (const connection of this.#connections) {
      if (isSame(connection.packet, packet)) return { connection, isReply: false };
      const { reply } = connection;
      if (isSame(reply, packet) || isSame({ ...reply, to: connection.packet.from }, packet))
        return { connection, isReply: true };
    }
    return undefined;
  }

  #natted(packet: Packet, inside: string): Packet {
    const way: Way = { ...packet, in: inside, out: "", state: "new", isNatted: false };
    const rule = this.#first("/ip/firewall/nat", "dstnat", way, (row) =>
      ["dst-nat", "redirect", "accept"].includes(row["action"] ?? ""),
    );
    const port = Number(rule?.["to-ports"] ?? packet.dport ?? 0);
    if (rule?.["action"] === "dst-nat")
      return { ...packet, to: rule["to-addresses"] ?? packet.to, dport: port };
    return rule?.["action"] === "redirect"
      ? { ...packet, to: this.#topology.own[0] ?? "", dport: port }
      : packet;
  }

  #first(menu: string, chain: string, way: Way, is: (row: FakeRow) => boolean): FakeRow | undefined {
    for (const row of this.#rules(menu, chain)) {
      if (!this.#matches(row, way)) continue;
      if (row["action"] === "jump") {
        const within = this.#first(menu, row["jump-target"] ?? "", way, is);
        if (within) return within;
      } else if (is(row)) return row;
    }
    return undefined;
  }

  /** The verdict of a chain; undefined: the packet leaves at its end. */
  #run(menu: string, chain: string, way: Way, connection: Connection): string | undefined {
    for (const row of this.#rules(menu, chain)) {
      if (!this.#matches(row, way)) continue;
      const action = row["action"] ?? "accept";
      if (action === "return") return undefined;
      if (action === "jump") {
        const end = this.#run(menu, row["jump-target"] ?? "", way, connection);
        if (end !== undefined) return end;
      } else if (action === "fasttrack-connection") connection.isFastTracked = true;
      else if (["accept", "drop", "reject", "tarpit"].includes(action)) return action;
      else if (!["passthrough", "log", "mark-connection", "add-src-to-address-list"].includes(action))
        throw new Error(`nobody knows what ${action} does`);
    }
    return undefined;
  }

  #rules(menu: string, chain: string): FakeRow[] {
    return this.#config.rows(menu).filter((row) => row["chain"] === chain && row["disabled"] !== "true");
  }

  #matches(row: FakeRow, way: Way): boolean {
    const limit = row["dst-limit"];
    const others = Object.entries(row).filter(([name]) => !unmatched.has(name) && name !== "dst-limit");
    return (
      others.every(([name, value]) => {
        const isNot = value.startsWith("!");
        return this.#holds(name, isNot ? value.slice(1) : value, way) !== isNot;
      }) &&
      (limit === undefined || this.#hasLeft(row[".id"] ?? "", limit, way))
    );
  }

  #holds(name: string, value: string, way: Way): boolean {
    const { topology, among } = {
      topology: this.#topology,
      among: (one: string) => value.split(",").includes(one),
    };
    switch (name) {
      case "protocol":
        return value === way.protocol || (value === "icmpv6" && way.protocol === "icmp");
      case "src-address":
        return contains(value, way.from);
      case "dst-address":
        return contains(value, way.to);
      case "src-address-list":
        return this.#isListed(value, way.from);
      case "dst-address-list":
        return this.#isListed(value, way.to);
      case "src-port":
        return hasPort(value, way.sport);
      case "dst-port":
        return hasPort(value, way.dport);
      case "packet-size":
        return hasPort(value, way.size);
      case "in-interface":
        return this.#isInterface(value, way.in);
      case "out-interface":
        return this.#isInterface(value, way.out);
      case "in-interface-list":
        return this.#isMember(value, way.in);
      case "out-interface-list":
        return this.#isMember(value, way.out);
      case "connection-state":
        return among(way.state);
      case "connection-nat-state":
        return among("dstnat") && way.isNatted;
      case "dst-address-type":
        return value === "local" && topology.own.includes(way.to);
      case "ipsec-policy":
        return value.endsWith(",none");
      case "hotspot": {
        const isFrom = topology.guests?.includes(way.from) === true;
        return value.split(",").every((one) => {
          if (one === "from-client") return isFrom;
          if (one === "to-client") return topology.guests?.includes(way.to) === true;
          return one === "auth" ? isFrom : one === "!auth" && false;
        });
      }
      default:
        throw new Error(`nobody knows what ${name}=${value} matches`);
    }
  }

  #hasLeft(rule: string, limit: string, way: Way): boolean {
    const [, burst = "0", by = ""] = limit.split(",");
    const key = `${rule} ${by.startsWith("dst-address") ? way.to : way.from}`;
    const left = this.#left.get(key) ?? Number(burst);
    this.#left.set(key, left - 1);
    return left > 0;
  }

  #isListed(list: string, address: string): boolean {
    const menu = address.includes(":") ? "/ipv6/firewall/address-list" : "/ip/firewall/address-list";
    return this.#config
      .rows(menu)
      .some(
        (row) =>
          row["list"] === list && row["disabled"] !== "true" && contains(row["address"] ?? "", address),
      );
  }

  #isInterface(value: string, name: string): boolean {
    return value === name || (value === "all-ppp" && (name.startsWith("<") || name.startsWith("pppoe-out")));
  }

  #isMember(list: string, name: string): boolean {
    if (list === "all") return name !== "";
    const profile = this.#topology.dialled?.[name];
    const isPutOn =
      profile !== undefined &&
      this.#config
        .rows("/ppp/profile")
        .some((row) => row["name"] === profile && row["interface-list"] === list);
    return (
      isPutOn ||
      this.#config
        .rows("/interface/list/member")
        .some((row) => row["list"] === list && row["interface"] === name)
    );
  }

  #interfaceOf(address: string): string {
    return this.#topology.routes.find(({ network }) => contains(network, address))?.interface ?? "";
  }
}

const unmatched = new Set([
  ...[".id", "chain", "action", "comment", "disabled", "dynamic", "jump-target", "to-addresses", "to-ports"],
  ...[
    "reject-with",
    "hw-offload",
    "address-list",
    "address-list-timeout",
    "new-connection-mark",
    "passthrough",
  ],
]);

const reversed = ({ from, to, protocol, sport = 0, dport = 0 }: Packet): Packet => ({
  from: to,
  to: from,
  protocol,
  sport: dport,
  dport: sport,
});

const isSame = (one: Packet, other: Packet) =>
  one.from === other.from &&
  one.to === other.to &&
  one.protocol === other.protocol &&
  (one.sport ?? 0) === (other.sport ?? 0) &&
  (one.dport ?? 0) === (other.dport ?? 0);

function contains(network: string, address: string): boolean {
  if (network.includes(":")) {
    const [prefix = "", length = "128"] = network.split("/");
    return address.includes(":") && bitsOf(address).startsWith(bitsOf(prefix).slice(0, Number(length)));
  }
  const [[first, last] = [1, 0], [own] = [-1]] = [boundsIn(network), boundsIn(address)];
  return first <= own && own <= last;
}

function bitsOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const words = (text: string) => text.split(":").filter(Boolean);
  const before = words(head);
  const after = words(tail ?? "");
  const middle = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  return [...before, ...middle, ...after]
    .map((word) => Number.parseInt(word, 16).toString(2).padStart(16, "0"))
    .join("");
}

function hasPort(ports: string, port = 0): boolean {
  return ports.split(",").some((one) => {
    const [first = 0, last = first] = one.split("-").map(Number);
    return first <= port && port <= last;
  });
}
