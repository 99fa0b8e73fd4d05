import type { Db } from "../../../../db/open.ts";
import { checkSetup } from "./check.ts";
import type { Fault, Finding } from "./finding.ts";
import { type Outage, openOutages } from "../../service/outages/find.ts";
import { type Actor, isApplianceAdmin, may } from "../../core/actor/actor.ts";
import { operator } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type FailingRenewal, failingRenewals } from "../../around/findings/failing-renewals.ts";
import { type NewDevice, newDevices } from "../../around/findings/new-devices.ts";
import { type SharedName, twoHouses } from "../../around/findings/two-houses.ts";
import { type TypingMistake, typingMistakes } from "../../around/findings/typing-mistakes.ts";

/** Something that needs a person; `kind` says what and where. */
export type Need =
  | { readonly kind: "outage"; readonly outage: Outage }
  | { readonly kind: "check"; readonly fault: Fault }
  | { readonly kind: "devices"; readonly devices: readonly NewDevice[] }
  | {
      readonly kind: "renewals";
      readonly total: number;
      readonly short: number;
      readonly renewals: readonly FailingRenewal[];
    }
  | { readonly kind: "houses"; readonly names: readonly SharedName[] }
  | { readonly kind: "typing"; readonly mistakes: readonly TypingMistake[] };

const NAMED = 50;

/** What the actor may see and act on, the most urgent first. */
export function needsSomeone(
  db: Db,
  by: Actor,
  { findings }: { findings?: readonly Finding[] },
  { now }: { now: Seconds },
): Need[] {
  permit(by, "needsSomeone");
  const checks = isApplianceAdmin(db, by) ? (findings ?? checkSetup(db, appliance, { now })) : [];
  const of = (severity: Fault["severity"]): Need[] =>
    checks.flatMap((one) => (one.severity === severity ? [{ kind: "check", fault: one }] : []));
  const outages = openOutages(db, by);
  return [
    ...outages.map((outage): Need => ({ kind: "outage", outage })),
    ...of("error"),
    ...people(db, by, now),
    ...of("warning"),
  ];
}

const appliance = operator("gatehouse", "system");

/** Findings about subscribers, a line for each kind. */
function people(db: Db, by: Actor, now: Seconds): Need[] {
  const seesLines = may(by, "session_view");
  const devices = seesLines ? newDevices(db, by, { now }) : [];
  const names = seesLines ? twoHouses(db, by, { now }) : [];
  const mistakes = seesLines ? typingMistakes(db, by, { now }) : [];
  const money = may(by, "wallet_view") ? failingRenewals(db, by, { limit: NAMED }, { now }) : undefined;
  return [
    ...(devices.length > 0 ? [{ kind: "devices" as const, devices }] : []),
    ...(money && money.total > 0 ? [{ kind: "renewals" as const, ...money }] : []),
    ...(names.length > 0 ? [{ kind: "houses" as const, names }] : []),
    ...(mistakes.length > 0 ? [{ kind: "typing" as const, mistakes }] : []),
  ];
}
