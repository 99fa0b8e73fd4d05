import { Type } from "@sinclair/typebox";
import { RADSEC_SECRET } from "./radsec.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import {
  addFault,
  addressOrCidr,
  field,
  id,
  type Input,
  oneOf,
  readFields,
  text,
  truth,
  type Values,
  wholeNumber,
} from "../../core/fields/fields.ts";
import { dualStacks, nasKinds, shapers } from "./kinds.ts";

const port = wholeNumber(1, 65_535);

const fingerprint = field(
  Type.String({ pattern: "^([0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$" }),
  phrase`must be the SHA-256 of a certificate, 64 hexadecimal digits with or without colons`,
  (value) =>
    value
      .replaceAll(":", "")
      .toUpperCase()
      .replace(/..(?=.)/g, "$&:"),
);

const plainSecret = text(128);
/** RadSec's public secret is refused for UDP. */
const secret = field(
  plainSecret.schema,
  phrase`${plainSecret.message}, and not ${RADSEC_SECRET}, which everybody knows: RadSec needs none here`,
  (value) => {
    const read = plainSecret.read(value);
    return read === RADSEC_SECRET ? undefined : read;
  },
);

export const nasFields = {
  isp_id: id,
  name: text(64),
  address: addressOrCidr,
  secret,
  require_message_authenticator: oneOf("auto", "yes", "no"),
  swap_octets: truth,
  coa_port: port,
  coa_event_timestamp: truth,
  disconnect_method: oneOf("auto", "coa", "routeros"),
  mppe: oneOf("keys", "allowed", "required"),
  kind: oneOf(...nasKinds),
  radsec: truth,
  dhcp: truth,
  shaper: oneOf(...shapers),
  shaper_leases: truth,
  dual_stack: oneOf(...dualStacks),
};
export const requiredNasFields = ["isp_id", "name", "address", "secret"] as const;

export const routerosFields = {
  host: text(253),
  port,
  username: text(64),
  password: text(128),
  tls: truth,
  tls_fingerprint: fingerprint,
};
const requiredRouterosFields = ["host", "username", "password"] as const;

/** Flat names; an empty routeros_host removes the API. */
export const flatRouterosFields = {
  routeros_host: routerosFields.host,
  routeros_port: routerosFields.port,
  routeros_username: routerosFields.username,
  routeros_password: routerosFields.password,
  routeros_tls: routerosFields.tls,
  routeros_tls_fingerprint: routerosFields.tls_fingerprint,
};
const FLAT = "routeros_";

export interface NasValues extends Values<typeof nasFields> {
  /** null: none; undefined: absent. */
  routeros: Values<typeof routerosFields> | null | undefined;
}

/** Adds faults, of the API as `routeros/host` or `routeros_host`. `partial`, `hasRouteros`: stored values may be absent. */
export function readNas(
  input: Input,
  faults: Faults,
  { partial = false, hasRouteros = false }: { partial?: boolean; hasRouteros?: boolean } = {},
): NasValues {
  const values = readFields(nasFields, input, faults, { required: requiredNasFields, partial });
  const flat = flatRouteros(input);
  const value = flat === undefined ? input["routeros"] : flat;
  if (value === undefined || value === null) return { ...values, routeros: value };
  if (typeof value !== "object" || Array.isArray(value)) {
    addFault(faults, "routeros", phrase`must be an object or null`);
    return { ...values, routeros: undefined };
  }
  const nested: Faults = {};
  const routeros = readFields(routerosFields, { ...value }, nested, {
    required: requiredRouterosFields,
    partial: hasRouteros,
  });
  for (const name of Object.keys(value))
    if (!Object.hasOwn(routerosFields, name)) addFault(nested, name, phrase`is not a field of routeros`);
  for (const [name, messages] of Object.entries(nested))
    faults[`${flat === undefined ? "routeros/" : FLAT}${name}`] = messages;
  return { ...values, routeros };
}

/** The RouterOS fields of an input that has them flat; null: it removes the API, undefined: it says nothing of it. */
function flatRouteros(input: Input): Input | null | undefined {
  const names = Object.keys(flatRouterosFields).filter((name) => input[name] !== undefined);
  if (names.length === 0) return undefined;
  if (input["routeros_host"] === "" || input["routeros_host"] === null) return null;
  return Object.fromEntries(names.map((name) => [name.slice(FLAT.length), input[name]]));
}

/** The usual port of the API, with TLS or without. */
export function defaultRouterosPort(tls: boolean | null | undefined): number {
  return tls ? 8729 : 8728;
}
