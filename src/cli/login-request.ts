import type { Db } from "../../db/open.ts";
import { newestDecision } from "../domain/service/access/auth-log.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Endpoint } from "../os/client-socket.ts";
import type { LoginRequest } from "../domain/service/access/try-login.ts";
import type { NamedAttribute } from "../radius/packet/codec.ts";
import type { TestAnswer } from "../radius/client/test-login.ts";

type Kind = LoginRequest["kind"];

const ofKind: Record<Kind, readonly NamedAttribute[]> = {
  ppp: [
    ["Service-Type", "Framed-User"],
    ["Framed-Protocol", "PPP"],
    ["NAS-Port-Type", "Ethernet"],
  ],
  hotspot: [
    ["Service-Type", "Login-User"],
    ["NAS-Port-Type", "Wireless-802.11"],
  ],
  other: [["NAS-Port-Type", "Ethernet"]],
};
export const loginKinds = ["ppp", "hotspot", "other"] as const;

export function loginAttributes({ kind, mac }: Pick<LoginRequest, "kind" | "mac">): NamedAttribute[] {
  const device: NamedAttribute[] = mac === undefined ? [] : [["Calling-Station-Id", mac]];
  return [...ofKind[kind], ...device, ["NAS-Identifier", "gatehouse-radtest"]];
}

export function replyAttributes({ attributes }: TestAnswer): { name: string; value: string }[] {
  return attributes
    .filter(([name]) => name !== "Message-Authenticator")
    .map(([name, value]) => ({ name, value: valueText(value) }));
}

function valueText(value: NamedAttribute[1]): string {
  return value instanceof Uint8Array ? `0x${Buffer.from(value).toString("hex")}` : String(value);
}

/** A server that listens on a wildcard is reached by the loopback address. */
export function loopbackFor({ host, port }: Endpoint): Endpoint {
  return { host: host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host, port };
}

/** The true reason, which the reply does not have; the server writes it a moment after its answer. */
export async function reasonSince(
  db: Db,
  by: Actor,
  username: string,
  before: number,
): Promise<string | undefined> {
  for (let tries = 0; tries < 40; tries++) {
    const newest = newestDecision(db, by, username);
    if (newest && newest.id > before) return newest.reason;
    await Bun.sleep(25);
  }
  return undefined;
}
