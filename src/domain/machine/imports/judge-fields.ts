import type { Field } from "../../core/fields/fields.ts";
import { columnFields } from "../../goods/subscribers/fields.ts";
import type { Value } from "./imported-rows.ts";
import { cleanText, cutText, isJunk, isMadeUpMail, isMadeUpPhone } from "./clean.ts";
import type { MovedSubscriber } from "./model.ts";
import type { Move } from "./move.ts";

/** Length and placeholders of a text field. */
interface TextRule {
  readonly most?: number;
  readonly lines?: true;
  /** 0 and 1 are values. */
  readonly areNumbersMeant?: true;
  readonly isMadeUp?: (text: string) => boolean;
  /** Normalizes a value. */
  readonly rewrite?: (text: string) => string;
}

const address = { rewrite: (text: string) => text.replace(/\/32$/, "") };
const degrees = {
  areNumbersMeant: true,
  rewrite: (text: string) => text.replace(/^(-?\d+),(\d+)$/, "$1.$2"),
} as const;
const phone = { most: 100, isMadeUp: isMadeUpPhone };
const plant = { most: 100, areNumbersMeant: true } as const;

const rules = {
  name: { most: 120 },
  nic_number: { most: 100, isMadeUp: (text: string) => /^0+$/.test(text) },
  mobile_number: phone,
  phone_number: phone,
  email: { isMadeUp: isMadeUpMail },
  address: { most: 500, lines: true },
  latitude: degrees,
  longitude: degrees,
  box_number: plant,
  box_address: { most: 255 },
  uplink_port: plant,
  static_ip: address,
  framed_ipv6_prefix: {},
  delegated_ipv6_prefix: {},
  mac_address: {},
  global_note: { most: 10_000, lines: true, areNumbersMeant: true },
} as const satisfies Partial<Record<keyof MovedSubscriber & keyof typeof columnFields, TextRule>>;

export type TextField = keyof typeof rules;
export const textFields = Object.keys(rules) as TextField[]; // the keys of a constant

/** Our value of a field; null for nothing, or for an invalid one, which is reported. `who` is the username. */
export function judgeField(move: Move, moved: MovedSubscriber, who: string, name: TextField): Value {
  const rule: TextRule = rules[name];
  const value = cleanText(moved[name] ?? "", rule);
  if (value === "") return null;
  if (isJunk(value, rule) || rule.isMadeUp?.(value)) {
    move.notices.add("junk", moved.at, who, `${name} ${value} means nothing`);
    return null;
  }
  const field: Field<unknown> = columnFields[name];
  const read = field.read(rule.rewrite?.(value) ?? value);
  if (typeof read === "string" || typeof read === "number") return read;
  if (rule.most === undefined) {
    move.notices.add("junk", moved.at, who, `${name} ${cutText(value, 60)} ${field.message}`);
    return null;
  }
  move.notices.add(
    "junk",
    moved.at,
    who,
    `${name} is longer than ${rule.most} characters; the first ones came`,
  );
  return cutText(value, rule.most);
}
