/** Sends one packet with FreeRADIUS's radclient, with a Message-Authenticator unless said otherwise, and returns what it printed of the reply; "" when none came. */
export async function radclient(
  address: string,
  kind: "auth" | "acct" | "status",
  secret: string,
  attributes: string,
  { isSigned = true } = {},
): Promise<string> {
  if (!Bun.which("radclient"))
    throw new Error("radclient is missing; install Debian's package freeradius-utils");
  const child = Bun.spawn(["radclient", "-x", "-r", "1", "-t", "2", address, kind, secret], {
    stdin: new Blob([`${attributes}${isSigned ? ", Message-Authenticator = 0x00" : ""}\n`]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output] = await Promise.all([child.stdout.text(), child.exited]);
  const received = output.indexOf("Received ");
  return received < 0 ? "" : output.slice(received);
}
