import { type Static, Type } from "@sinclair/typebox";
import type { Nas } from "../domain/nas/find.ts";
import type { sourcesOf } from "../domain/nas/sources.ts";
import { formatTime } from "../domain/time.ts";
import { nullable, text } from "./kinds.ts";

const oneOf = <const V extends string>(...values: V[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));

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

/** What was seen of the addresses of a router. */
export const nasSourcesSchema = Type.Object({
  message_authenticator_seen: Type.Array(Type.Object({ address: Type.String(), since: Type.String() })),
  requests_dropped: Type.Array(
    Type.Object({ address: Type.String(), since: Type.String(), last: Type.String() }),
  ),
});

/** A router: everything but its secrets. */
export function shownNas(row: Nas): Static<typeof nasSchema> {
  return {
    id: row.id,
    isp_id: row.ispId,
    name: row.name,
    address: row.address,
    require_message_authenticator: row.requireMessageAuthenticator,
    swap_octets: row.swapOctets === 1,
    coa_port: row.coaPort,
    coa_event_timestamp: row.coaEventTimestamp === 1,
    disconnect_method: row.disconnectMethod,
    mppe: row.mppe,
    routeros:
      row.routerosHost === null
        ? null
        : {
            host: row.routerosHost,
            port: row.routerosPort,
            username: row.routerosUsername,
            tls: row.routerosTls === 1,
            tls_fingerprint: row.routerosTlsFingerprint,
          },
  };
}

/** Since when "auto" requires a Message-Authenticator of each address, and what is dropped. */
export function shownNasSources(sources: ReturnType<typeof sourcesOf>): Static<typeof nasSourcesSchema> {
  return {
    message_authenticator_seen: sources.flatMap(({ address, authenticatorSeenAt }) =>
      authenticatorSeenAt === null ? [] : [{ address, since: formatTime(authenticatorSeenAt) }],
    ),
    requests_dropped: sources.flatMap(({ address, droppedSince, droppedLast }) =>
      droppedSince === null || droppedLast === null
        ? []
        : [{ address, since: formatTime(droppedSince), last: formatTime(droppedLast) }],
    ),
  };
}
