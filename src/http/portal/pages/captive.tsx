import type { Captive } from "../../../domain/desk/portal/captive.ts";
import type { Renewal } from "../../../domain/desk/portal/renewal.ts";
import { Icon } from "../../pages/icons.tsx";
import { BrandMark } from "../../pages/brand.tsx";
import { CARD } from "../card-form.ts";
import { ContactLines, Document, Reach, type View } from "../layout.tsx";
import { LanguageMenu } from "../language.tsx";
import { Payment } from "../pay.tsx";

/** Replaces a requested page: who, why, what to do. */
export function CaptivePage({
  view,
  captive,
  request,
  hasCards = false,
}: {
  view: View;
  captive: Captive;
  request: Request;
  /** Cards can help. */
  hasCards?: boolean;
}) {
  const { captive: words } = view.words;
  const { title, why, todo } = phrases(view, captive);
  const { renewal, subscriber } = captive;
  const isGood = captive.reason === "renewed";
  return (
    <Document view={view} title={words.title} kind="single" watch={captiveState(captive)}>
      <main class="single-card captive">
        <BrandMark brand={view.brand} />
        <div class={isGood ? "badge good" : "badge bad"}>
          <Icon name={isGood ? "check" : "alert"} />
        </div>
        <h1>{title}</h1>
        <p class="lead">{why}</p>
        {captive.reason === "quota_used_up" && captive.line?.fair?.isByCalendar && (
          <p>{view.words.fair.again(view.format.time(captive.line.fair.returnsAt))}</p>
        )}
        {subscriber && (
          <dl class="who">
            <dt>{words.account}</dt>
            <dd>
              <bdi>{subscriber.name}</bdi>
              <span class="hint">
                <bdi>{subscriber.username}</bdi>
              </span>
            </dd>
          </dl>
        )}
        {todo !== undefined && (
          <section class="todo">
            <h2>{words.todo}</h2>
            {canRenew(captive) && view.brand.expiredText !== "" && <p dir="auto">{view.brand.expiredText}</p>}
            <p>{todo}</p>
            {canRenew(captive) && renewal && !renewal.isCovered && <Payment view={view} renewal={renewal} />}
            {canRenew(captive) && <ToPortal view={view} isNext={renewal?.isCovered === true} />}
            {hasCards && (
              <a class="button wide" href={CARD}>
                <Icon name="card" />
                <span>{view.words.card.title}</span>
              </a>
            )}
            <Reach view={view} />
            <ContactLines lines={view.brand.contact} />
          </section>
        )}
        <p class="hint">{isGood ? "" : words.again}</p>
        <a class="button wide" href="">
          {words.try}
        </a>
        <LanguageMenu view={view} request={request} />
      </main>
    </Document>
  );
}

/** A word that changes when the page has to reload. */
export function captiveState(captive: Captive): string {
  return canRenew(captive) && captive.renewal?.isCovered ? `${captive.reason}, covered` : captive.reason;
}

/** How to renew, in a sentence. */
export function renewalStep({ words, format, brand }: View, renewal: Renewal | undefined): string {
  const { captive: w, pay } = words;
  const balance = format.money(renewal?.balance ?? 0, brand.currency);
  const isOwn = renewal?.isOwn === true && brand.portalUrl !== "";
  if (renewal?.isCovered) return isOwn ? w.covered(balance) : w.coveredAsk(balance);
  if (renewal?.renewsItself === true) return pay.byItself;
  return isOwn ? w.payAndRenew : w.renew;
}

function canRenew({ reason }: Captive): boolean {
  return reason === "expired" || reason === "quota_used_up";
}

export function ToPortal({ view: { words, brand }, isNext }: { view: View; isNext: boolean }) {
  if (brand.portalUrl === "") return null;
  return (
    <a class={isNext ? "button solid wide" : "button wide"} href={brand.portalUrl}>
      {words.captive.portal}
    </a>
  );
}

function phrases(view: View, { reason, line, renewal }: Captive) {
  const { words, format } = view;
  const { captive: w } = words;
  const name = format.name(line?.packageName ?? "");
  const renew = renewalStep(view, renewal);
  switch (reason) {
    case "expired":
      return { title: w.expired, why: w.expiredWhy(name, format.time(line?.expiresAt ?? 0)), todo: renew };
    case "quota_used_up":
      return {
        title: w.usedUp,
        why: w.usedUpWhy(format.bytes(line?.quota?.total ?? 0), name),
        todo: renew,
      };
    case "disabled":
      return { title: w.disabled, why: w.disabledWhy, todo: w.ask };
    case "inactive":
      return { title: w.inactive, why: w.inactiveWhy, todo: w.ask };
    case "renewed":
      return { title: w.renewed, why: w.renewedWhy, todo: undefined };
    case "unknown":
      return { title: w.unknown, why: w.unknownWhy, todo: w.ask };
  }
}
