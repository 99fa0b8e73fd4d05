import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import {
  addFault,
  type Field,
  field,
  oneOf,
  scopeId,
  string,
  text,
  type Values,
} from "../../core/fields/fields.ts";
import { presetNames, presets } from "./presets.ts";
import { type Provider, providerFault, providerSchema } from "./provider.ts";

const read: Field<unknown> = field(
  Type.Union([Type.String({ minLength: 2, maxLength: 20_000 }), Type.Object({})]),
  phrase`must be the description of a provider, as a JSON object`,
  (value) => {
    if (typeof value !== "string") return value;
    try {
      const parsed: unknown = JSON.parse(value);
      return parsed ?? undefined;
    } catch {
      return undefined;
    }
  },
);

/** Settings, documented as what they have to be; what is sent instead is answered by where it differs. */
const settings: Field<unknown> = { ...read, schema: providerSchema };

export const sourceChanges = {
  method: text(20),
  preset: oneOf(...presetNames),
  settings,
  addresses: text(4000),
  currency: field(
    Type.String({ pattern: "^[A-Z]{3}$" }),
    phrase`must be the code of a currency, such as KES`,
    (code) => code,
  ),
  secret: string(500),
};

export const sourceFields = {
  isp_id: scopeId,
  kind: oneOf("provider", "signed"),
  name: text(60),
  ...sourceChanges,
};

type Sent = Values<typeof sourceChanges>;

/** The provider of `settings` or a preset, with addresses and currency. Adds faults. */
export function describedBy(sent: Sent, before: Provider | undefined, faults: Faults): Provider | undefined {
  const begun: unknown = sent.settings ?? (sent.preset ? presets[sent.preset] : before);
  if (begun === undefined) {
    addFault(faults, "settings", phrase`is required, or the name of a preset`);
    return undefined;
  }
  const changed: unknown = withBeside(begun, sent);
  const fault = providerFault(changed);
  if (fault !== undefined) {
    addFault(faults, sent.settings === undefined && sent.preset ? "addresses" : "settings", fault);
    return undefined;
  }
  return Value.Cast(providerSchema, changed);
}

function withBeside(begun: unknown, { addresses, currency }: Sent): unknown {
  if (!Value.Check(providerSchema, begun)) return begun;
  const list = addresses?.split(/[\s,]+/).filter((one) => one !== "");
  const events = begun.events.map((event) =>
    currency && !Array.isArray(event.currency) ? { ...event, currency: { fixed: currency } } : event,
  );
  return { ...begun, events, ...(list && { addresses: list }), ...(addresses === null && { addresses: [] }) };
}
