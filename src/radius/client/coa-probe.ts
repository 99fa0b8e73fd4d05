import { randomUUID } from "node:crypto";
import type { CoaClient, CoaTarget } from "./coa.ts";
import { errorCauseWords } from "./coa-words.ts";
import { Attribute, Code } from "../packet/numbers.ts";

/** A router's reaction to a Disconnect-Request for a session it cannot have. */
export type CoaProbe =
  | { kind: "answers"; port: number; words: string }
  /** It refuses such requests for any session. */
  | { kind: "refuses"; port: number; words: string }
  /** It answers, but signed with another secret. */
  | { kind: "forged"; port: number }
  | { kind: "silent" };

/** Unsupported-Service, Unsupported-Extension, Administratively-Prohibited. */
const TAKES_NONE = new Set([405, 406, 501]);

/** RouterOS' default, and that of RFC 5176 and `gatehouse nas script`. */
const USUAL_PORTS = [3799, 1700];

/** Probes the target's port and, at the same time, the usual ones, which only matter when the target's is silent. */
export async function probeCoa(client: CoaClient, target: CoaTarget): Promise<CoaProbe> {
  const others = USUAL_PORTS.filter((port) => port !== target.port);
  const probes = [target.port, ...others].map((port) => probePort(client, { ...target, port }));
  for (const probe of probes) {
    const answer = await probe;
    if (answer.kind !== "silent") return answer;
  }
  return { kind: "silent" };
}

async function probePort(client: CoaClient, target: CoaTarget): Promise<CoaProbe> {
  const nobody = `gatehouse-test-${randomUUID()}`;
  const reply = await client.request(
    Code["Disconnect-Request"],
    (packet) => packet.text(Attribute["User-Name"], nobody).text(Attribute["Acct-Session-Id"], nobody),
    target,
  );
  const { port } = target;
  if (reply.kind === "silence") return reply.forged ? { kind: "forged", port } : { kind: "silent" };
  const words = reply.kind === "ack" ? "ACK" : `NAK, ${errorCauseWords(reply.errorCause)}`;
  const refuses = reply.kind === "nak" && TAKES_NONE.has(reply.errorCause ?? 0);
  return { kind: refuses ? "refuses" : "answers", port, words };
}
