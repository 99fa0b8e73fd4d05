import type { Code, Diagnosis, DiagnosisOf, Fix } from "../../../../domain/desk/diagnosis/diagnosis-kinds.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import type { Phrases } from "../../../words/console/diagnosis.ts";
import type { IconName } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import type { ConsoleWords } from "../../../words/console.ts";
import { EvidenceTable } from "./evidence.tsx";
import { FormAction } from "./form-action.tsx";
import { can, type Found, type PageContext } from "./context.ts";

export function DiagnosisCard({
  context,
  found: { diagnosis, evidence },
}: {
  context: PageContext;
  found: Found;
}) {
  const { diagnosis: words } = context.visit.view.words;
  const { title, text, hint } = tellVerdict(words.verdicts, diagnosis, context.phrases);
  const fixes =
    context.head.subscriber.archivedAt !== null ? diagnosis.fixes : withoutDoubles(context, diagnosis);
  const offered = fixes.filter((fix) => mayUse(context, fix));
  return (
    <Verdict
      tone={diagnosis.severity}
      icon={icons[diagnosis.code] ?? "alert"}
      label={diagnosis.severity === "good" ? words.labelWell : words.label}
      title={title}
      text={<Codes text={text} />}
      {...(offered.length > 0 && {
        actions: offered.map((fix, index) => <FixButton context={context} fix={fix} isFirst={index === 0} />),
      })}
      {...(hint !== undefined &&
        (offered.length > 0 || diagnosis.fixes.length === 0) && { hint: <Codes text={hint} /> })}
    >
      {evidence.length > 0 && <EvidenceTable context={context} evidence={evidence} />}
    </Verdict>
  );
}

function tellVerdict<C extends Code>(
  verdicts: ConsoleWords["diagnosis"]["verdicts"],
  diagnosis: DiagnosisOf<C> & { readonly code: C },
  phrases: Phrases,
) {
  return verdicts[diagnosis.code](diagnosis, phrases);
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

/** Drops a renewal that the wallet cannot pay where taking a payment is offered. */
function withoutDoubles(context: PageContext, { fixes }: Diagnosis): readonly Fix[] {
  const pays = fixes.some(({ kind }) => kind === "pay") && can(context, "payment_take");
  return pays ? fixes.filter(({ kind }) => kind !== "renew" && kind !== "activate") : fixes;
}

const flags: Readonly<Record<Fix["kind"], readonly string[]>> = {
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

function mayUse(context: PageContext, { kind }: Fix): boolean {
  return flags[kind].some((flag) => can(context, flag));
}

/** Fixes with a form. */
const drawers: Partial<Record<Fix["kind"], string>> = {
  renew: "renew",
  activate: "renew",
  package: "package",
  password: "password",
  edit: "edit",
};
/** Fixes without one. */
const direct: Partial<Record<Fix["kind"], string>> = {
  take_device: "take-device",
  unlock: "unlock",
  trust: "trust",
  enable: "enable",
  thaw: "thaw",
  restore: "restore",
  disconnect: "disconnect",
  end_session: "disconnect",
};
const fixIcons: Partial<Record<Fix["kind"], IconName>> = {
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

function FixButton({ context, fix, isFirst }: { context: PageContext; fix: Fix; isFirst: boolean }) {
  const { labels } = context.visit.view.words.diagnosis;
  const icon = fixIcons[fix.kind];
  const isPay = fix.kind === "pay";
  const shape = {
    ...(isFirst && { kind: "solid" as const, size: "large" as const, dataKey: "u" }),
    ...(isFirst && { showKey: isPay ? "P" : "U" }),
    ...(icon && { icon }),
  };
  const label = fixLabel(labels, fix, context.phrases);
  const to = direct[fix.kind];
  if (to !== undefined)
    return (
      <FormAction context={context} to={to} fields={fixFields(fix)} {...shape}>
        {label}
      </FormAction>
    );
  if (fix.kind === "outage")
    return (
      <Button href={`/console/outages/${fix.outageId}`} {...shape}>
        {label}
      </Button>
    );
  if (fix.kind === "router")
    return (
      <Button href={`/console/routers/${fix.nasId}`} {...shape}>
        {label}
      </Button>
    );
  const path = isPay ? `pay?amount=${formatAmount(fix.amount)}` : drawers[fix.kind];
  return (
    <Button href={`${context.base}/${path}`} drawer {...shape}>
      {label}
    </Button>
  );
}

function fixLabel<K extends Fix["kind"]>(
  labels: ConsoleWords["diagnosis"]["labels"],
  fix: Extract<Fix, { kind: K }> & { readonly kind: K },
  phrases: Phrases,
): string {
  return labels[fix.kind](fix, phrases);
}

function fixFields(fix: Fix): Record<string, string | number> {
  if (fix.kind === "trust") return { hours: fix.hours, key: crypto.randomUUID() };
  if (fix.kind === "end_session") return { session: fix.sessionId };
  return fix.kind === "take_device" ? { mac: fix.mac } : {};
}

const MAC = /((?:[0-9A-F]{2}:){5}[0-9A-F]{2})/;

/** Marks MAC addresses in a sentence. */
function Codes({ text }: { text: string }) {
  return (
    <>{text.split(MAC).map((part, index) => (index % 2 === 1 ? <span class="mono">{part}</span> : part))}</>
  );
}
