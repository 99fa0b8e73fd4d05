import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

const TYPES = { 1: "A", 28: "AAAA" } as const;

/**
 * An authoritative name server on loopback. Each question gets the next address list of its name in `zone`, the last one from
 * then on; `resolve` asks for both families. It listens on any port of loopback, or at another place.
 */
export async function nameServer(
  zone: Readonly<Record<string, readonly (readonly string[])[]>>,
  { host, port } = { host: "127.0.0.1", port: 0 },
) {
  const requests: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    const { name, type, end } = questionOf(question);
    const kind = TYPES[type as 1 | 28];
    const answers = zone[name] ?? [];
    const times = requests.filter((one) => one === `${kind} ${name}`).length;
    requests.push(`${kind} ${name}`);
    const addresses = answers[Math.min(times, answers.length - 1)] ?? [];
    const records = addresses.filter((one) => isIPv4(one) === (kind === "A")).map((one) => record(type, one));
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(zone[name] ? 0x8580 : 0x8583, 2); // authoritative; no such name
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, host, resolve));
  const resolver = new Resolver({ timeout: 10_000, tries: 2 });
  resolver.setServers([`${host}:${socket.address().port}`]);
  return {
    asked: requests,
    resolve: async (name: string): Promise<string[]> => {
      const none = (): string[] => [];
      const found = await Promise.all([
        resolver.resolve4(name).catch(none),
        resolver.resolve6(name).catch(none),
      ]);
      return found.flat();
    },
    [Symbol.dispose]() {
      resolver.cancel();
      socket.close();
    },
  };
}

function questionOf(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join("."), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

function record(type: number, address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}
