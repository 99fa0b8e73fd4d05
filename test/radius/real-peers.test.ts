import { afterAll, describe, expect, test } from "bun:test";
import { aSubscriber, NAS_SECRET, newSubscriber } from "../support/isp.ts";
import { startFreeRadiusProxy } from "../support/freeradius.ts";
import { eapolTest, radclient } from "../support/peers.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { startTestRadius } from "../support/radius-server.ts";

// The RADIUS threads with a real store, asked by programs that others wrote.

const secret = NAS_SECRET;
const nas = [
  { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret, require_message_authenticator: "no" },
];
const subscribers = [
  aSubscriber(1),
  aSubscriber(2, { password: "ñandú€ and some more than sixteen bytes" }),
  newSubscriber(3),
];
const radius = await startTestRadius({ nas, subscribers });
const { auth, acct } = radius.server;
afterAll(() => radius[Symbol.asyncDispose]());

describe("radclient", () => {
  const signed = "Message-Authenticator = 0x00";
  const session = 'User-Name = user1, Acct-Session-Id = "81000001", Acct-Session-Time = 60';
  test.each<[string, "auth" | "acct", string, string, string]>([
    ["PAP", "auth", "auth", "User-Name = user1, User-Password = pw-1", "Access-Accept"],
    [
      "a long PAP password",
      "auth",
      "auth",
      `User-Name = user2, User-Password = "ñandú€ and some more than sixteen bytes"`,
      "Access-Accept",
    ],
    ["CHAP", "auth", "auth", "User-Name = user1, CHAP-Password = pw-1", "Access-Accept"],
    ["MS-CHAP", "auth", "auth", "User-Name = user1, MS-CHAP-Password = pw-1", "Access-Accept"],
    [
      "a Message-Authenticator",
      "auth",
      "auth",
      `User-Name = user1, User-Password = pw-1, ${signed}`,
      "Access-Accept",
    ],
    [
      "a Proxy-State, signed",
      "auth",
      "auth",
      `User-Name = user1, User-Password = pw-1, Proxy-State = 0x01, ${signed}`,
      "Access-Accept",
    ],
    ["a wrong password", "auth", "auth", "User-Name = user1, User-Password = pw-2", "Access-Reject"],
    ["an unknown user", "auth", "auth", "User-Name = nobody, User-Password = pw-1", "Access-Reject"],
    [
      "MS-CHAP and a wrong password",
      "auth",
      "auth",
      "User-Name = user1, MS-CHAP-Password = pw-2",
      "Access-Reject",
    ],
    ["never activated", "auth", "auth", "User-Name = user3, User-Password = pw-3", "Access-Reject"],
    ["Status-Server", "auth", "status", signed, "Access-Accept"],
    ["Status-Server", "acct", "status", signed, "Accounting-Response"],
    ["Start", "acct", "acct", `Acct-Status-Type = Start, ${session}`, "Accounting-Response"],
    [
      "Interim-Update",
      "acct",
      "acct",
      `Acct-Status-Type = Interim-Update, ${session}, Acct-Input-Octets = 7`,
      "Accounting-Response",
    ],
    [
      "Stop with a Message-Authenticator",
      "acct",
      "acct",
      `Acct-Status-Type = Stop, ${session}, ${signed}`,
      "Accounting-Response",
    ],
    [
      "Accounting-On",
      "acct",
      "acct",
      "Acct-Status-Type = Accounting-On, NAS-Identifier = core",
      "Accounting-Response",
    ],
    [
      "Accounting-Off",
      "acct",
      "acct",
      "Acct-Status-Type = Accounting-Off, NAS-Identifier = core",
      "Accounting-Response",
    ],
  ])("%s on the %s port", async (_, role, command, attributes, code) => {
    // each on its own: an open session would leave no room for the next login
    radius.db.$client.run(
      "UPDATE sessions SET stopped_at = started_at, closed_by = 'stop' WHERE stopped_at IS NULL",
    );
    const { output: text } = await radclient(role === "auth" ? auth.port : acct.port, command, attributes, {
      secret,
    });
    expect(text).toContain(`Received ${code} `);
    expect(text).not.toMatch(/invalid|fail/i);
  });

  test("reads the policy and the types of MPPE by its own dictionary", async () => {
    radius.db.$client.run(
      "UPDATE sessions SET stopped_at = started_at, closed_by = 'stop' WHERE stopped_at IS NULL",
    );
    radius.db.$client.run("UPDATE nas SET mppe = 'required'");
    const login = "User-Name = user1, MS-CHAP-Password = pw-1";
    const { output: text } = await radclient(auth.port, "auth", login, { secret });
    radius.db.$client.run("UPDATE nas SET mppe = 'keys'");
    expect(text).toMatch(/MS-CHAP-MPPE-Keys = 0x/);
    expect(text).toContain("MS-MPPE-Encryption-Policy = Encryption-Required");
    expect(text).toContain("MS-MPPE-Encryption-Types = RC4-40or128-bit-Allowed");
  });

  test("with a wrong secret gets silence where we can tell", async () => {
    const wrong = { secret: "other", seconds: 2 };
    const { output: text } = await radclient(
      auth.port,
      "auth",
      `User-Name = user1, User-Password = pw-1, ${signed}`,
      wrong,
    );
    expect(text).toContain("No reply from server");
  });
});

test("FreeRADIUS as a proxy: its Proxy-State comes back, and every proof reaches the router", async () => {
  radius.db.$client.run("DELETE FROM sessions");
  const proxy = await startFreeRadiusProxy({ port: auth.port, acctPort: acct.port, secret }, "between us");
  const router = new RadiusClient({ ...proxy, host: "127.0.0.1", secret: "between us" });
  try {
    const states = [["Proxy-State", Buffer.from("mine")]] as const;
    for (const method of ["pap", "chap", "mschap", "mschapv2"] as const) {
      const login = { name: "user1", password: "pw-1", method, attributes: states };
      expect(await router.access(login)).toMatchObject({ code: "Access-Accept", faults: [] });
      expect(await router.access({ ...login, password: "x" })).toMatchObject({
        code: "Access-Reject",
        faults: [],
      });
    }
    const start = [["User-Name", "user1"], ["Acct-Session-Id", "p1"], ...states] as const;
    expect(await router.accounting("Start", start)).toMatchObject({
      code: "Accounting-Response",
      faults: [],
    });
    const stored = radius.db.$client.query("SELECT acct_session_id, nas_address FROM sessions").values();
    expect(stored).toEqual([["p1", "127.0.0.1"]]);
  } finally {
    await router.close();
    await proxy.stop();
  }
});

test.each(["PEAP", "TTLS", "MD5"])("a real EAP peer with %s gets a clean Access-Reject", async (eap) => {
  const network = `key_mgmt=WPA-EAP\neap=${eap}\nidentity="user1"\npassword="pw-1"`;
  const { output: text, ok } = await eapolTest(auth.port, network, secret);
  expect(ok).toBe(false);
  expect(text).toContain("code=3 (Access-Reject)");
  expect(text).toContain("CTRL-EVENT-EAP-FAILURE");
  expect(text).not.toMatch(/Message-Authenticator.*(invalid|incorrect)|Invalid|timed out/i);
});
