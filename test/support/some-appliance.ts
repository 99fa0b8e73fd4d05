import type { ApplianceProcess } from "../../src/domain/machine/appliance/process.ts";
import { NOW } from "./store.ts";

/** As scripts/notices.ts writes it. */
const RULE = "=".repeat(100);

/** With a certificate that ends in twenty days. */
export const someAppliance = (): ApplianceProcess => ({
  version: "1.2.3",
  commit: "abcdef012345",
  bun: Bun.version,
  startedAt: NOW - 7200,
  memory: 120e6,
  listeners: [
    { name: "lan", address: "0.0.0.0:8080", tls: false },
    { name: "public", address: null, tls: true },
    { name: "radius_auth", address: "0.0.0.0:1812", tls: false },
    { name: "radius_acct", address: "0.0.0.0:1813", tls: false },
  ],
  threads: [
    { role: "auth", isListening: true, silence: 0.4 },
    { role: "acct", isListening: true, silence: 0.2 },
  ],
  certificate: {
    file: "/etc/gatehouse/tls.crt",
    keyFile: "/etc/gatehouse/tls.key",
    subject: "CN=isp.example",
    issuer: "CN=isp.example",
    endsAt: NOW + 20 * 86_400,
    fingerprint: "AA:BB:CC",
    fault: null,
  },
  notices: async () =>
    `By others.\n\n${RULE}\nthing 1.0, MIT\nhttps://thing.example\n${RULE}\n\nThe MIT License`,
});
