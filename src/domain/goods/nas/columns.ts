import type { Tx } from "../../../../db/open.ts";
import type { nas } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { NasValues } from "./fields.ts";
import type { Nas } from "./find.ts";
import { routerosPort } from "./rules.ts";

export function nasRow(tx: Tx, values: NasValues, now: Seconds): typeof nas.$inferInsert {
  const { isp_id, name, address, secret } = values;
  if (!isp_id || !name || !address || !secret) throw new Error("a required field was not checked");
  const columns = nasColumns(tx, values);
  return { ...columns, ispId: isp_id, name, address, secretSealed: tx.vault.seal(secret), createdAt: now };
}

/** Columns of a router; missing values keep theirs, or get defaults. */
export function nasColumns(tx: Tx, values: NasValues, stored?: Nas) {
  return {
    name: values.name ?? undefined,
    address: values.address ?? undefined,
    secretSealed: values.secret ? tx.vault.seal(values.secret) : undefined,
    requireMessageAuthenticator: values.require_message_authenticator ?? undefined,
    swapOctets: toFlag(values.swap_octets),
    coaPort: values.coa_port ?? undefined,
    coaEventTimestamp: toFlag(values.coa_event_timestamp),
    disconnectMethod: values.disconnect_method ?? undefined,
    mppe: values.mppe ?? undefined,
    kind: values.kind ?? undefined,
    radsec: toFlag(values.radsec),
    dhcp: toFlag(values.dhcp),
    shaper: values.shaper ?? undefined,
    shaperLeases: toFlag(values.shaper_leases),
    dualStack: values.dual_stack ?? undefined,
    ...routerosColumns(tx, values.routeros, stored),
  };
}

function routerosColumns(tx: Tx, routeros: NasValues["routeros"], stored: Nas | undefined) {
  if (routeros === undefined) return {};
  if (routeros === null)
    return {
      routerosHost: null,
      routerosPort: null,
      routerosUsername: null,
      routerosPasswordSealed: null,
      routerosTls: 0,
      routerosTlsFingerprint: null,
    };
  const { host, username, password, tls, tls_fingerprint } = routeros;
  return {
    routerosHost: host ?? undefined,
    routerosPort: routerosPort(
      routeros,
      stored && { port: stored.routerosPort, tls: stored.routerosTls === 1 },
    ),
    routerosUsername: username ?? undefined,
    routerosPasswordSealed: password ? tx.vault.seal(password) : undefined,
    routerosTls: toFlag(tls),
    routerosTlsFingerprint: tls_fingerprint,
  };
}

function toFlag(value: boolean | null | undefined): 0 | 1 | undefined {
  return typeof value === "boolean" ? (value ? 1 : 0) : undefined;
}
