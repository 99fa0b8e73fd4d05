import { expect, test } from "bun:test";
import type { Client } from "../../../src/radius/server/clients.ts";
import { DropJournal } from "../../../src/radius/server/journal.ts";

const core: Client = {
  id: 7,
  ispId: 1,
  name: "core",
  secret: Buffer.from("testing123"),
  zone: null,
  requireMessageAuthenticator: "auto",
  latched: new Set(["10.0.0.1"]),
  swapOctets: false,
  kind: "mikrotik",
  mppe: "keys",
  dhcp: false,
  isHalfEach: false,
  gardenProfiles: null,
};

test("a flood of invented sources has a bounded number of lines, and does not silence a router", () => {
  const journal = new DropJournal();
  let lines = 0;
  for (let i = 0; i < 5000; i++)
    if (journal.note("unknown_nas", `198.51.${i >> 8}.${i & 255}`, undefined, 1)) lines++;
  expect(lines).toBe(1000);
  const missing = (uptime: number) => journal.note("message_authenticator_missing", "10.0.0.1", core, uptime);
  expect(missing(2)).toEqual({
    reason: "message_authenticator_missing",
    address: "10.0.0.1",
    nas: "core",
    nasId: 7,
    count: 1,
  });
  for (let i = 0; i < 5000; i++) expect(missing(3)).toBeUndefined();
  expect(missing(62)).toMatchObject({ count: 5001 });
});
