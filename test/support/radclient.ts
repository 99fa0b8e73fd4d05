import { radclient as runRadclient } from "./peers.ts";

/** Sends one packet with FreeRADIUS's radclient, with a Message-Authenticator unless said otherwise, and returns what it printed of the reply; "" when none came. */
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
