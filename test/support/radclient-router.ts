import type { NamedAttribute } from "../../src/radius/packet/codec.ts";
import { type AccountingStatus, RadiusClient } from "./radius-client.ts";
import { radclient } from "./radclient.ts";

interface Target {
  readonly host: string;
  readonly port: number;
  readonly acctPort: number;
  readonly secret: string;
}

/** A reply as radclient printed it, values without quotes. */
export interface PrintedReply {
  readonly code: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** A router that speaks RADIUS by FreeRADIUS's radclient, which knows nothing of our code. */
export class RadclientRouter {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  async access(attributes: readonly NamedAttribute[]): Promise<PrintedReply | null> {
    const { host, port, secret } = this.#target;
    if (attributes.some(([name, value]) => name === "User-Password" && value === ""))
      return this.#withoutPassword(attributes);
    return read(await radclient(`${host}:${port}`, "auth", secret, attributes.map(written).join(", ")));
  }

  /** By our own client: radclient omits an empty password, which a router sends as padding. */
  async #withoutPassword(attributes: readonly NamedAttribute[]): Promise<PrintedReply | null> {
    const client = new RadiusClient(this.#target);
    const [, name = ""] = attributes.find(([each]) => each === "User-Name") ?? [];
    const others = attributes.filter(([each]) => each !== "User-Name" && each !== "User-Password");
    const reply = await client.access({ name: String(name), password: "", attributes: others });
    await client.close();
    if (!reply) return null;
    const outcome = Object.entries(reply.attributes).map(([each, values]) => [each, values.map(String)]);
    return { code: reply.code, attributes: Object.fromEntries(outcome) };
  }

  async accounting(
    status: AccountingStatus,
    attributes: readonly NamedAttribute[],
  ): Promise<PrintedReply | null> {
    const { host, acctPort, secret } = this.#target;
    const all = [["Acct-Status-Type", status] as const, ...attributes].map(written).join(", ");
    return read(await radclient(`${host}:${acctPort}`, "acct", secret, all));
  }
}

/** Single quotes expand nothing; names of values stand without. */
function written([name, value]: NamedAttribute): string {
  if (value instanceof Uint8Array) return `${name} = 0x${Buffer.from(value).toString("hex")}`;
  const isNamed = typeof value !== "string" || name.endsWith("-Type");
  return `${name} = ${isNamed ? value : `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`}`;
}

function read(printed: string): PrintedReply | null {
  const code = /^Received (\S+)/.exec(printed)?.[1];
  if (code === undefined) return null;
  const attributes: Record<string, string[]> = {};
  for (const [, name = "", value = ""] of printed.matchAll(/^\t([\w-]+) = (.*)$/gm))
    (attributes[name] ??= []).push(value.startsWith('"') ? value.slice(1, -1) : value);
  return { code, attributes };
}
