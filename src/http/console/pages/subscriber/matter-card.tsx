import type { Code, Matter, MatterOf, Remedy } from "../../../../domain/desk/matter/matter-kinds.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import type { Say } from "../../../words/console/en/matter.ts";
import type { IconName } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { ConsoleWords } from "../../../words/console/en.ts";
import { Codes } from "./codes.tsx";
import { EvidenceTable } from "./evidence.tsx";
import { FormAction } from "./form-action.tsx";
import { can, type Found, type Shown } from "./shown.ts";

/** One sentence on how the line stands, the button that mends it, and what shows it. */
export function MatterCard({ shown, found: { matter, evidence } }: { shown: Shown; found: Found }) {
  const { matter: words } = shown.visit.view.words;
  const { title, text, hint } = tellOf(words.verdicts, matter, shown.say);
  const remedies =
    shown.head.subscriber.archivedAt !== null ? matter.remedies : withoutDoubles(shown, matter);
  const offered = remedies.filter((remedy) => mayUse(shown, remedy));
  return (
    <Verdict
      tone={matter.severity}
      icon={icons[matter.code] ?? "alert"}
      label={matter.severity === "good" ? words.labelWell : words.label}
      title={title}
      text={<Codes text={text} />}
      {...(offered.length > 0 && {
        actions: offered.map((remedy, index) => <Mend shown={shown} remedy={remedy} isFirst={index === 0} />),
      })}
      {...(hint !== undefined &&
        (offered.length > 0 || matter.remedies.length === 0) && { hint: <Codes text={hint} /> })}
    >
      {evidence.length > 0 && <EvidenceTable shown={shown} evidence={evidence} />}
    </Verdict>
  );
}

function tellOf<C extends Code>(
  verdicts: ConsoleWords["matter"]["verdicts"],
  matter: MatterOf<C> & { readonly code: C },
  say: Say,
) {
  return verdicts[matter.code](matter, say);
}

const icons: Partial<Record<Code, IconName>> = {
  online: "check",
  new_device: "lock",
  wrong_password: "key",
  expired: "money",
  online_held_expired: "money",
  online_expired: "money",
  never_activated: "package",
  quota_used_up: "package",
  online_held_data: "package",
  online_slowed: "package",
  online_held_paid: "renew",
  second_device: "sessions",
  disabled: "power",
  online_disabled: "power",
  frozen: "pause",
  online_frozen: "pause",
  archived: "box",
  ended: "power",
  not_asking: "wifi",
  never_asked: "wifi",
  mended: "check",
  router_secret: "router",
  router_unsigned: "router",
  unaccounted: "router",
  other_isp: "router",
  router_decides: "router",
  online_unheard: "router",
};

/** A payment renews too, so that a renewal alone, which the wallet does not cover, is no second way. */
function withoutDoubles(shown: Shown, { remedies }: Matter): readonly Remedy[] {
  const pays = remedies.some(({ kind }) => kind === "pay") && can(shown, "payment_take");
  return pays ? remedies.filter(({ kind }) => kind !== "renew" && kind !== "activate") : remedies;
}

const flags: Readonly<Record<Remedy["kind"], readonly string[]>> = {
  take_device: ["subscriber_mac"],
  unlock: ["subscriber_mac"],
  pay: ["payment_take"],
  renew: ["subscriber_activate"],
  activate: ["subscriber_activate"],
  package: ["subscriber_activate"],
  trust: ["subscriber_extend"],
  enable: ["subscriber_status"],
  thaw: ["subscriber_status"],
  restore: ["subscriber_status"],
  password: ["subscriber_password"],
  disconnect: ["subscriber_disconnect"],
  end_session: ["subscriber_disconnect"],
  edit: ["subscriber_edit"],
  outage: ["subscriber_view"],
  router: ["nas_view"],
};

function mayUse(shown: Shown, { kind }: Remedy): boolean {
  return flags[kind].some((flag) => can(shown, flag));
}

/** Remedies that need more to be said open beside the page. */
const drawers: Partial<Record<Remedy["kind"], string>> = {
  renew: "renew",
  activate: "renew",
  package: "package",
  password: "password",
  edit: "edit",
};
/** The others are done by the press. */
const direct: Partial<Record<Remedy["kind"], string>> = {
  take_device: "take-device",
  unlock: "unlock",
  trust: "trust",
  enable: "enable",
  thaw: "thaw",
  restore: "restore",
  disconnect: "disconnect",
  end_session: "disconnect",
};
const remedyIcons: Partial<Record<Remedy["kind"], IconName>> = {
  take_device: "unlock",
  pay: "money",
  renew: "renew",
  activate: "renew",
  trust: "history",
  password: "key",
  disconnect: "power",
  end_session: "power",
  enable: "check",
  thaw: "play",
};

function Mend({ shown, remedy, isFirst }: { shown: Shown; remedy: Remedy; isFirst: boolean }) {
  const { labels } = shown.visit.view.words.matter;
  const icon = remedyIcons[remedy.kind];
  const isPay = remedy.kind === "pay";
  const shape = {
    ...(isFirst && { kind: "solid" as const, size: "large" as const, dataKey: "u" }),
    ...(isFirst && { showKey: isPay ? "P" : "U" }),
    ...(icon && { icon }),
  };
  const label = labelOf(labels, remedy, shown.say);
  const to = direct[remedy.kind];
  if (to !== undefined)
    return (
      <FormAction shown={shown} to={to} fields={fieldsOf(remedy)} {...shape}>
        {label}
      </FormAction>
    );
  if (remedy.kind === "outage")
    return (
      <Button href={`/console/outages/${remedy.outageId}`} {...shape}>
        {label}
      </Button>
    );
  if (remedy.kind === "router")
    return (
      <Button href={`/console/routers/${remedy.nasId}`} {...shape}>
        {label}
      </Button>
    );
  const path = isPay ? `pay?amount=${formatAmount(remedy.amount)}` : drawers[remedy.kind];
  return (
    <Button href={`${shown.base}/${path}`} drawer {...shape}>
      {label}
    </Button>
  );
}

function labelOf<K extends Remedy["kind"]>(
  labels: ConsoleWords["matter"]["labels"],
  remedy: Extract<Remedy, { kind: K }> & { readonly kind: K },
  say: Say,
): string {
  return labels[remedy.kind](remedy, say);
}

function fieldsOf(remedy: Remedy): Record<string, string | number> {
  if (remedy.kind === "trust") return { hours: remedy.hours, key: crypto.randomUUID() };
  if (remedy.kind === "end_session") return { session: remedy.sessionId };
  return remedy.kind === "take_device" ? { mac: remedy.mac } : {};
}
