import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import ipaddr from "ipaddr.js";
import { IS_REQUIRED, NOT_EMPTY, WAS_REPEATED } from "../errors/codes.ts";
import type { Faults } from "../errors/errors.ts";
import { type Phrase, phrase } from "../errors/phrase.ts";
import { formatAmount, MAX_AMOUNT, parseAmount } from "../amounts/money.ts";
import { BOX_NAME, splitZone, withZone } from "../networks/zone.ts";
import { codePoints, withoutUnseen, parseMac } from "./text.ts";
import { formatTime, parseOffsetTime, parseTime } from "../time/time.ts";

export type Input = Readonly<Record<string, unknown>>;

/** A parameter: its schema, and its parser (undefined: invalid, see `message`). */
export interface Field<T> {
  readonly schema: TSchema;
  readonly message: Phrase;
  readonly read: (value: unknown) => T | undefined;
  /** A better message. */
  readonly explain?: (value: unknown) => Phrase | undefined;
  /** The meaning of an empty value, if any. */
  readonly empty?: T;
  /** The data set's format, if different. */
  show?(stored: unknown): unknown;
}

export interface Written<T, S> extends Field<T> {
  show(stored: unknown): S;
}

export type ViewOf<F> = F extends { show(stored: unknown): infer S }
  ? S
  : F extends Field<infer T>
    ? T | null
    : never;

export type Fields = Readonly<Record<string, Field<unknown>>>;
/** Absent: undefined; empty: null. */
export type Values<F extends Fields> = { [K in keyof F]?: (F[K] extends Field<infer T> ? T : never) | null };

export const viewValue = ({ show }: Field<unknown>, stored: unknown): unknown =>
  show ? show(stored) : stored;

/** A stored value as it stands in a form; null is "". */
export const formText = (field: Field<unknown>, stored: unknown): string =>
  stored === null || stored === undefined ? "" : String(viewValue(field, stored));

export function fieldNames<F extends Fields>(fields: F): (keyof F & string)[] {
  return Object.keys(fields);
}

/** Omits fields. */
export function without<F extends Fields, const N extends keyof F & string>(
  fields: F,
  names: readonly N[],
): Omit<F, N> {
  const left = Object.entries(fields).filter(([name]) => !names.some((other) => other === name));
  return Object.fromEntries(left) as Omit<F, N>;
}

export function only<F extends Fields, const N extends keyof F & string>(
  fields: F,
  names: readonly N[],
): Pick<F, N> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, N>;
}

export function field<S extends TSchema, T>(
  schema: S,
  message: Phrase,
  decode: (value: Static<S>) => T | undefined,
): Field<T> {
  let compiled: ReturnType<typeof TypeCompiler.Compile<S>> | undefined;
  return {
    schema: { ...schema, description: schema.description ?? message },
    message,
    read: (value) => {
      compiled ??= TypeCompiler.Compile(schema);
      return compiled.Check(value) ? decode(value) : undefined;
    },
  };
}

/** Reads `fields` and adds faults. "" and null clear an optional field, and are a fault of a required one, which may be absent when `partial`. */
export function readFields<F extends Fields>(
  fields: F,
  input: Input,
  faults: Faults,
  { required = [], partial = false }: { required?: readonly (keyof F)[]; partial?: boolean } = {},
): Values<F> {
  const values: Record<string, unknown> = {};
  for (const [name, { read, message, explain, empty }] of Object.entries(fields)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    const isRequired = required.includes(name);
    if (value === undefined) {
      if (isRequired && !partial) addFault(faults, name, IS_REQUIRED);
    } else if (value === "" || value === null) {
      if (empty !== undefined) values[name] = empty;
      else if (isRequired) addFault(faults, name, partial ? NOT_EMPTY : IS_REQUIRED);
      else values[name] = null;
    } else if (value instanceof RepeatedField) {
      addFault(faults, name, WAS_REPEATED);
    } else {
      const decoded = read(value);
      if (decoded === undefined) addFault(faults, name, explain?.(value) ?? message);
      else values[name] = decoded;
    }
  }
  return values as Values<F>;
}

/** Adds a fault for each unknown name. */
export function findUnknownNames(
  fields: Fields,
  input: Input,
  faults: Faults,
  { message }: { message: Phrase },
): void {
  for (const name of Object.keys(input)) if (!Object.hasOwn(fields, name)) addFault(faults, name, message);
}

export class RepeatedField {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

/** Safe for `__proto__` and `constructor`, because names may come from requests. */
export function addFault(faults: Faults, name: string, message: Phrase): void {
  const known = Object.hasOwn(faults, name) ? faults[name] : undefined;
  if (known) known.push(message);
  else
    Object.defineProperty(faults, name, {
      value: [message],
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

const MAX_ID = Number.MAX_SAFE_INTEGER;
const whole = (minimum: number, maximum: number) =>
  Type.Union([Type.Integer({ minimum, maximum }), Type.String({ pattern: "^-?[0-9]{1,16}$" })]);

/** A whole number, which comes as a number or as digits. */
export function wholeNumber(minimum: number, maximum: number): Field<number> {
  return field(
    whole(minimum, maximum),
    phrase`must be a whole number from ${minimum} to ${maximum}`,
    (value) => {
      const number = Number(value);
      return Number.isSafeInteger(number) && number >= minimum && number <= maximum ? number : undefined;
    },
  );
}

export const id: Field<number> = {
  ...wholeNumber(1, MAX_ID),
  message: phrase`must be the whole number of an id, 1 or more`,
};

/** 0 means all, stored as NULL. */
export const scopeId: Written<number, number> = {
  ...wholeNumber(0, MAX_ID),
  message: phrase`must be a whole number, 0 or more`,
  show: (stored) => Number(stored ?? 0),
};

export const flag: Field<0 | 1> = field(
  Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal("0"), Type.Literal("1")]),
  phrase`must be 0 or 1`,
  (value) => (Number(value) === 1 ? 1 : 0),
);

export const truth: Field<boolean> = field(
  Type.Union([Type.Boolean(), Type.Literal("true"), Type.Literal("false")]),
  phrase`must be true or false`,
  (value) => value === true || value === "true",
);

/** Digits that are sent as a number, such as a mobile number. */
const digits = Type.Integer({ minimum: 0, maximum: MAX_ID });

/** 1 to `maximum` code points without control characters; whole numbers count as digits. */
export function text(
  maximum: number,
  { lines = false, unseen = lines }: { lines?: boolean; unseen?: boolean } = {},
): Field<string> {
  const message = phrase`must be text of 1 to ${maximum} characters${lines ? "" : phrase` on one line`}, without control characters`;
  const control = lines ? /(?![\t\n\r])\p{Cc}/u : /\p{Cc}/u;
  // TypeBox counts UTF-16 units, JSON Schema code points: a cheap bound before the count
  const bounded = Type.Union([Type.String({ minLength: 1, maxLength: maximum * 2 }), digits]);
  const { read } = field(bounded, message, (value) => {
    const string = lines ? String(value).replaceAll("\r\n", "\n") : String(value); // forms send CRLF
    const isPlain = !control.test(string) && (unseen || withoutUnseen(string) === string);
    return string.isWellFormed() && codePoints(string) <= maximum && isPlain ? string : undefined;
  });
  const type = Type.Union([Type.String({ minLength: 1, maxLength: maximum }), digits]);
  return { schema: { ...type, description: message.toString() }, message, read };
}

export function string(maximum: number): Field<string> {
  const { schema, message, read } = text(maximum);
  const strings = Type.String({
    minLength: 1,
    maxLength: maximum,
    description: schema.description ?? message.toString(),
  });
  return { schema: strings, message, read: (value) => (typeof value === "string" ? read(value) : undefined) };
}

/** The field, cached, because one compiles its schema on first use. */
const usernameText = text(64, { unseen: true }); // as its router sends it
const emailText = text(254);

export const username: Field<string> = field(
  Type.Union([Type.String({ minLength: 1, maxLength: 128 }), digits]),
  phrase`must be 1 to 64 characters, without blanks at the ends or control characters`,
  (value) => {
    const string = usernameText.read(value);
    return string !== undefined && string.trim() === string && Buffer.byteLength(string) <= 253
      ? string
      : undefined;
  },
);

export const email: Field<string> = field(
  Type.String({ minLength: 3, maxLength: 254, pattern: "^[^\\s@]+@[^\\s@]+$" }),
  phrase`must be an e-mail address`,
  (value) => emailText.read(value),
);

const hex = "[0-9A-Fa-f]";
/** The writings that `parseMac` reads. */
const macWritings = [
  `${hex}{2}(:${hex}{2}){5}`,
  `${hex}{2}(-${hex}{2}){5}`,
  `${hex}{4}(\\.${hex}{4}){2}`,
  `${hex}{4}(-${hex}{4}){2}`,
  `${hex}{12}`,
];

export const mac: Field<string> = field(
  Type.String({ maxLength: 17, pattern: `^(${macWritings.join("|")})$` }),
  phrase`must be a MAC address such as AA:BB:CC:DD:EE:FF`,
  parseMac,
);

export const ipv4: Field<string> = field(
  Type.String({ maxLength: 15, pattern: "^\\d{1,3}(\\.\\d{1,3}){3}$" }),
  phrase`must be an IPv4 address such as 10.0.0.7`,
  (value) => (ipaddr.IPv4.isValidFourPartDecimal(value) ? ipaddr.IPv4.parse(value).toString() : undefined),
);

/** Canonical, host bits zero. */
export const ipv6Prefix: Field<string> = field(
  Type.String({ maxLength: 49 }),
  phrase`must be an IPv6 prefix such as 2001:db8:1::/64`,
  (value) => (ipaddr.IPv6.isValidCIDR(value) ? canonicalCidr(value) : undefined),
);

/** Canonical; one access box's has its name behind a %. */
export const addressOrCidr: Field<string> = field(
  Type.String({ maxLength: 90 }),
  phrase`must be an IP address or a CIDR such as 10.0.0.1 or 10.0.0.0/24`,
  (value) => {
    const { host, zone } = splitZone(value);
    if (zone !== null && !BOX_NAME.test(zone)) return undefined;
    const address = canonicalAddressOrCidr(host);
    return address === undefined ? undefined : withZone(address, zone);
  },
);

function canonicalAddressOrCidr(value: string): string | undefined {
  if (value.includes("/")) return ipaddr.isValidCIDR(value) ? canonicalCidr(value) : undefined;
  if (!ipaddr.IPv4.isValidFourPartDecimal(value) && !ipaddr.IPv6.isValid(value)) return undefined;
  return ipaddr.process(value).toString();
}

const showAmount = (stored: unknown) => (stored === null ? null : formatAmount(Number(stored)));

export const amount: Written<number, string | null> = {
  ...field(
    Type.Union([Type.Number(), Type.String({ pattern: "^-?[0-9]{1,11}(\\.[0-9]{1,2})?$" })]),
    phrase`must be an amount with at most two decimals, such as 15.00`,
    parseAmount,
  ),
  show: showAmount,
};

export const price: Written<number, string | null> = {
  ...field(
    Type.Union([
      Type.Number({ minimum: 0, maximum: MAX_AMOUNT / 100 }),
      Type.String({ pattern: "^[0-9]{1,11}(\\.[0-9]{1,2})?$" }),
    ]),
    phrase`must be an amount of 0 or more with at most two decimals, such as 15.00`,
    parseAmount,
  ),
  show: showAmount,
};

export const amountAboveZero: Field<number> = {
  ...price,
  message: phrase`must be an amount above 0 with at most two decimals, such as 15.00`,
  read: (value) => price.read(value) || undefined,
};

/** Server's zone to UTC seconds. */
export const time: Written<number, string | null> = {
  ...field(
    Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" }),
    phrase`must be a time such as 2030-01-31 23:59:59`,
    // a time skipped by daylight saving reads back differently
    (value) => {
      const seconds = parseTime(value);
      return seconds !== undefined && formatTime(seconds) === value ? seconds : undefined;
    },
  ),
  show: (stored) => (stored === null ? null : formatTime(Number(stored))),
};

/** A time, or a day's first or last second. Restores a + that a query decoded to a blank. Fractions are rounded into the range. */
function moment(timeOfDay: "00:00:00" | "23:59:59", wholeSecond: (time: number) => number): Field<number> {
  return field(
    Type.String({
      pattern:
        "^\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}:\\d{2}|T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[ +-]\\d{2}:\\d{2}))?$",
    }),
    phrase`must be a day such as 2030-01-31, or a time such as 2030-01-31 23:59:59 or 2030-01-31T23:59:59+02:00`,
    (value) => {
      const time = parseOffsetTime(value.replace(" ", "+"));
      if (time !== undefined) return wholeSecond(time);
      return parseTime(value.length === 10 ? `${value} ${timeOfDay}` : value);
    },
  );
}

export const from = moment("00:00:00", Math.ceil);
export const to = moment("23:59:59", Math.floor);

export function oneOf<const V extends string>(...allowed: readonly V[]): Field<V> {
  return field(
    Type.Union(allowed.map((value) => Type.Literal(value))),
    phrase`must be one of ${allowed.join(", ")}`,
    (value) => allowed.find((candidate) => candidate === value),
  );
}

export function coordinate(limit: 90 | 180): Field<number> {
  const schema = Type.Union([
    Type.Number({ minimum: -limit, maximum: limit }),
    Type.String({ pattern: "^-?[0-9]{1,3}(\\.[0-9]{1,15})?$" }),
  ]);
  return field(schema, phrase`must be degrees from -${limit} to ${limit}, such as 51.507351`, (value) => {
    const number = Number(value);
    return Math.abs(number) <= limit ? number : undefined;
  });
}

function canonicalCidr(cidr: string): string {
  const [address, length] = ipaddr.parseCIDR(cidr);
  const network =
    address.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${network.toString()}/${length}`;
}
