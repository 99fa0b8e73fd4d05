import { type Static, Type } from "@sinclair/typebox";
import type { Nas } from "../domain/goods/nas/find.ts";
import { dualStacks, nasKinds, shapers } from "../domain/goods/nas/kinds.ts";
import { nasRecord } from "../domain/goods/nas/nas.ts";
import type { listSources } from "../domain/goods/nas/sources.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { nullable, oneOf, text } from "./kinds.ts";
import { writeTime, writeTimeOrNull } from "./time.ts";

export const nasSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  name: Type.String(),
  address: Type.String(),
  require_message_authenticator: oneOf("auto", "yes", "no"),
  swap_octets: Type.Boolean(),
  coa_port: Type.Integer(),
  coa_event_timestamp: Type.Boolean(),
  disconnect_method: oneOf("auto", "coa", "routeros"),
  mppe: oneOf("keys", "allowed", "required"),
  kind: oneOf(...nasKinds),
  radsec: Type.Boolean(),
  dhcp: Type.Boolean(),
  shaper: oneOf(...shapers),
  shaper_leases: Type.Boolean(),
  dual_stack: oneOf(...dualStacks),
  routeros: nullable(
    Type.Object({
      host: Type.String(),
      port: nullable(Type.Integer()),
      username: text,
      tls: Type.Boolean(),
      tls_fingerprint: text,
    }),
  ),
});

export const exampleNas = {
  id: 1,
  isp_id: 1,
  name: "core",
  address: "10.0.0.1",
  require_message_authenticator: "auto" as const,
  swap_octets: false,
  coa_port: 3799,
  coa_event_timestamp: false,
  disconnect_method: "auto" as const,
  mppe: "keys" as const,
  kind: "mikrotik" as const,
  radsec: false,
  dhcp: false,
  shaper: "none" as const,
  shaper_leases: false,
  dual_stack: "whole" as const,
  routeros: { host: "10.0.0.1", port: 8728, username: "gatehouse", tls: false, tls_fingerprint: null },
};

export const nasSourcesSchema = Type.Object({
  message_authenticator_seen: Type.Array(Type.Object({ address: Type.String(), since: Type.String() })),
  requests_dropped: Type.Array(
    Type.Object({ address: Type.String(), since: Type.String(), last: Type.String() }),
  ),
});

/** A router without its secrets, as the audit trail keeps it. */
export const nasToJson: (row: Nas) => Static<typeof nasSchema> = nasRecord;

/** Sources as JSON: since when "auto" requires a Message-Authenticator of each address, and what was dropped. */
export function nasSourcesToJson(sources: ReturnType<typeof listSources>): Static<typeof nasSourcesSchema> {
  return {
    message_authenticator_seen: sources.flatMap(({ address, authenticatorSeenAt }) =>
      authenticatorSeenAt === null ? [] : [{ address, since: writeTime(authenticatorSeenAt) }],
    ),
    requests_dropped: sources.flatMap(({ address, droppedSince, droppedLast }) =>
      droppedSince === null || droppedLast === null
        ? []
        : [{ address, since: writeTime(droppedSince), last: writeTime(droppedLast) }],
    ),
  };
}

export const seenNasSchema = Type.Composite([nasSchema, Type.Object({ last_heard: text }), nasSourcesSchema]);

export const exampleSeenNas = {
  ...exampleNas,
  last_heard: "2026-11-22 09:30:00",
  message_authenticator_seen: [{ address: "10.0.0.1", since: "2026-11-01 08:00:00" }],
  requests_dropped: [],
};

export function seenNasToJson({
  router,
  heardAt,
  sources,
}: {
  router: Nas;
  heardAt: Seconds | null;
  sources: ReturnType<typeof listSources>;
}): Static<typeof seenNasSchema> {
  return {
    ...nasToJson(router),
    last_heard: writeTimeOrNull(heardAt),
    ...nasSourcesToJson(sources),
  };
}

export const testStepSchema = Type.Object({
  check: oneOf("reachable", "coa", "secret", "api", "permissions", "clock"),
  status: oneOf("ok", "failed", "skipped"),
  detail: Type.String(),
  remedy: text,
});
