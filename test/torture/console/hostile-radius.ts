import { RadiusClient } from "../../support/radius-client.ts";
import { NAS_SECRET } from "../../support/isp.ts";
import { INJECTED } from "./poison.ts";
import type { World } from "./world.ts";

/** What a router, or who stands behind one, can have written down: every text of a login and of a session. */
export async function sendHostile(world: World): Promise<void> {
  const text = `"'>${INJECTED}r onerror=alert(1)>`;
  const radius = new RadiusClient({
    host: "127.0.0.1",
    port: world.auth,
    acctPort: world.acct,
    secret: NAS_SECRET,
  });
  const attributes: [string, string][] = [
    ["Calling-Station-Id", text],
    ["Called-Station-Id", text],
    ["NAS-Identifier", text],
    ["NAS-Port-Id", text],
  ];
  try {
    await radius.access({ name: text, password: text, attributes });
  } finally {
    await radius.close();
  }
}
