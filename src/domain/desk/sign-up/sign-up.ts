import { createHmac } from "node:crypto";
import type { Db, Tx } from "../../../../db/open.ts";
import { activate } from "../../service/activation/activate.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { requireFreePort } from "../../service/boxes/port.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import {
  amountAboveZero,
  flag,
  type Input,
  only,
  readFields,
  string,
  text,
} from "../../core/fields/fields.ts";
import { once } from "../../core/once/once.ts";
import { takePayment } from "../payments/take.ts";
import { inOwnIsp } from "../../core/references/references.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { createSubscriber } from "../../goods/subscribers/create.ts";
import { findMobileFault, profileFields, requiredAtPages } from "../../goods/subscribers/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import { proposedUsername } from "./propose.ts";
import { usualSalesperson } from "../../people/staff/salesperson.ts";

const profileForm = only(profileFields, [
  "isp_id",
  "branch_id",
  "name",
  "username",
  "password",
  "package_id",
  "connection_type_id",
  "salesperson_id",
  "nas_id",
  "nic_number",
  "mobile_number",
  "sms_status",
  "phone_number",
  "email",
  "address",
  "city_id",
  "area_id",
  "box_number",
  "uplink_port",
  "static_ip",
  "circuit_id",
  "remote_id",
  "auto_renew",
]);

/** Optional payment. */
const paid = { amount: amountAboveZero, method: string(20), reference: text(100), activate: flag };

export const signUpFields = { ...profileForm, ...paid };

export interface SignedUp {
  readonly subscriberId: number;
  readonly username: string;
  readonly ispId: number;
  readonly package: { readonly name: string; readonly rateLimit: string | null };
  readonly payment: {
    readonly id: number;
    readonly number: string;
    readonly amount: number;
    readonly currency: string;
  } | null;
  readonly activation: {
    readonly packageId: number;
    readonly expiresAt: Seconds;
    readonly charged: number;
    readonly invoiceId: number;
  } | null;
  readonly balance: number;
}

/** Questions that were confirmed. */
interface Meant {
  readonly sure: number | null;
  readonly sharedPort: string | null;
}

/**
 * Subscriber, payment and activation in one transaction. `key`: of the form, against repeats; `sure`: a confirmed amount;
 * `sharedPort`: a confirmed port. Missing usernames are derived. Throws as `createSubscriber`, `requireFreePort`, `takePayment`
 * and `activate`, by field.
 */
export function signUp(
  db: Db,
  by: Actor,
  { input, key, sure = null, sharedPort = null }: { input: Input; key: string } & Partial<Meant>,
  { now }: { now: Seconds },
): SignedUp {
  permit(by, "signUp");
  const { password, ...rest } = input;
  // a keyed proof, because a hash could be guessed
  const proof = createHmac("sha256", db.vault.deriveKey("sign-up form"))
    .update(String(password))
    .digest("base64");
  const keyed = { path: "/console/sign-up", key, input: { ...rest, password: proof } };
  return once(db, by, keyed, { now }, (tx) => () => signUpWithin(tx, by, { input, sure, sharedPort }, now));
}

function signUpWithin(
  tx: Tx,
  by: Actor,
  { input, sure, sharedPort }: { input: Input } & Meant,
  now: Seconds,
): SignedUp {
  const faults: Faults = {};
  const { amount, method, reference, activate: activates } = readFields(paid, input, faults);
  if (amount && !method) faults["method"] = [phrase`is required`];
  findMobileFault(input, faults);
  const { username: entered, mobile_number: mobile } = input;
  // a given number enables messages
  const reached = mobile ? { sms_status: 1 } : {};
  const username = typeof entered === "string" && entered !== "" ? entered : proposedFor(tx, input);
  const profile = { ...reached, ...withSalesperson(tx, by, input), username };
  const subscriberId = createdWith(tx, by, profile, faults, now);
  rejectFaults(faults);
  const made = { subscriberId, username, ...findSoldPackage(tx, subscriberId) };
  const port = {
    ispId: made.ispId,
    boxNumber: textIn(input, "box_number"),
    port: textIn(input, "uplink_port"),
  };
  requireFreePort(tx, by.scope, { port, subscriberId, sharedPort });
  if (!amount) {
    const activation = activates === 1 ? activated(tx, by, { subscriberId, input, now }) : null;
    return { ...made, payment: null, activation, balance: readBalance(tx, { subscriberId }) };
  }
  const payment = { subscriberId, amount, method: method ?? "", reference, activates: activates === 1, sure };
  const taken = atField(() => takePayment(tx, by, payment, { now }));
  if (taken.activation instanceof DomainError) throw taken.activation;
  const { id, number, currency } = taken.payment;
  const { balance, activation } = taken;
  return { ...made, payment: { id, number, amount, currency }, activation, balance };
}

const textIn = (input: Input, name: string) => String(input[name] ?? "").trim();

function findSoldPackage({ $client }: Tx, subscriberId: number): Pick<SignedUp, "ispId" | "package"> {
  const found = $client
    .query<{ ispId: number; name: string; rateLimit: string | null }, [number]>(
      `SELECT s.isp_id AS ispId, p.name, p.rate_limit AS rateLimit FROM subscribers s JOIN packages p ON p.id = s.package_id WHERE s.id = ?`,
    )
    .get(subscriberId);
  if (!found) throw new Error(`subscriber ${subscriberId} has no package`);
  const { ispId, ...sold } = found;
  return { ispId, package: sold };
}

/** The input with the usual ISP and salesperson where none is said. */
function withSalesperson(tx: Tx, by: Actor, username: Input): Input {
  const input = inOwnIsp(tx, by, username);
  if (input["salesperson_id"] !== undefined && input["salesperson_id"] !== "") return input;
  const { isp_id: ispId } = readFields(only(profileForm, ["isp_id"]), input, {});
  const usual = ispId ? usualSalesperson(tx, by, ispId) : undefined;
  return usual === undefined ? input : { ...input, salesperson_id: usual };
}

function proposedFor(tx: Tx, { name, mobile_number: mobile }: Input): string {
  return proposedUsername(tx, { name: String(name ?? ""), mobile: String(mobile ?? "") });
}

function createdWith(tx: Tx, by: Actor, input: Input, faults: Faults, now: Seconds): number {
  const profile = Object.fromEntries(
    Object.entries(input).filter(([name]) => Object.hasOwn(profileForm, name)),
  );
  try {
    return createSubscriber(tx, by, profile, { now, required: requiredAtPages });
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== "invalid") throw error;
    throw new DomainError("invalid", error.phrases.message, {
      fields: { ...error.phrases.fields, ...faults },
    });
  }
}

function activated(
  tx: Tx,
  by: Actor,
  { subscriberId, input, now }: { subscriberId: number; input: Input; now: Seconds },
): SignedUp["activation"] {
  const { package_id: packageId } = readFields(only(profileForm, ["package_id"]), input, {});
  return activate(tx, by, { subscriberId, packageId: packageId ?? 0 }, { now });
}

/** Makes a reference that is known already a fault of its field. */
function atField<T>(take: () => T): T {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== "conflict") throw error;
    const { message } = error.phrases;
    throw new DomainError("conflict", message, { fields: { reference: [message] } });
  }
}
