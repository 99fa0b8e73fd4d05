import { radclient as runRadclient } from "./peers.ts";

/** Sends one packet by radclient, with a Message-Authenticator by default; returns the printed reply, "" for none. */
export async function radclient(
  address: string,
  kind: "auth" | "acct" | "status",
  secret: string,
  attributes: string,
  { isSigned = true } = {},
): Promise<string> {
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, colon).replaceAll(/[[\]]/g, "");
  const sent = `${attributes}${isSigned ? ", Message-Authenticator = 0x00" : ""}`;
  const { output: text } = await runRadclient(Number(address.slice(colon + 1)), kind, sent, { secret, host });
  const received = text.indexOf("Received ");
  return received < 0 ? "" : text.slice(received);
}
