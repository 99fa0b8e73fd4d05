import { printedCode } from "../../../../domain/cards/codes.ts";
import { cardQr, type Hotspot, wifiQr } from "../../../../domain/cards/paper.ts";
import { paperNumber } from "../../../../domain/cards/print.ts";
import { hasRoomForTwo, type Sheet } from "../../../../domain/cards/sheets.ts";
import type { CardBatch } from "../../../../domain/cards/standing.ts";
import type { CardTemplate } from "../../../../domain/cards/templates.ts";
import { type Brand, initialOf } from "../../../pages/brand.tsx";
import { Qr } from "../../../pages/parts/qr.tsx";
import type { ConsoleView } from "../../view.ts";

/** What a card says of its batch. */
export type TicketBatch = Pick<
  CardBatch,
  "id" | "kind" | "price" | "duration" | "durationUnit" | "uptimeSeconds" | "quotaTotal" | "simultaneousUse"
>;

/** What all cards of a printing have in common. */
export interface Look {
  readonly view: ConsoleView;
  /** Of the ISP whose cards they are. */
  readonly brand: Brand;
  readonly batch: TicketBatch;
  /** Of what it sells; null: a refill. */
  readonly packageName: string | null;
  readonly hotspot: Hotspot;
  readonly template: CardTemplate;
  readonly sheet: Sheet;
}

/** Characters that a line of the code has room for on the smallest card. */
const LINE = 14;

/** One card as it is cut out. */
export function Ticket({ look, serial, code }: { look: Look; serial: number; code: string }) {
  const { template, sheet, batch, hotspot, view, brand } = look;
  const { parts, words } = template;
  const number = paperNumber(batch, serial);
  const [what, more] = given(look);
  const printed = printedCode(code);
  const qr = parts.login_qr ? cardQr(hotspot, batch.kind, code) : null;
  const size = printed.length <= 9 ? "short" : printed.length <= LINE ? "middle" : "long";
  const lines = [words.line_1, words.line_2].filter((line) => line !== "");
  return (
    <article class={`ticket ticket-${sheet} ticket-${size}`}>
      <header class="ticket-top">
        {parts.logo && <Mark brand={brand} />}
        <bdi class="ticket-name">{words.heading || brand.name}</bdi>
        {parts.serial && <span class="ticket-number">{number}</span>}
      </header>
      <div class="ticket-words">
        {parts.validity && (
          <strong class="ticket-what">
            <bdi>{what}</bdi>
          </strong>
        )}
        {parts.validity && <span class="ticket-more">{more}</span>}
        <span class="ticket-code" dir="ltr">
          {grouped(printed)}
        </span>
        {lines.map((line) => (
          <bdi class="ticket-line">{line}</bdi>
        ))}
      </div>
      <Codes look={look} number={number} qr={qr} />
      <footer class="ticket-foot">
        <HowTo look={look} hasQr={qr !== null} />
        {parts.price && batch.price > 0 && (
          <strong class="ticket-price">{view.format.money(batch.price, brand.currency)}</strong>
        )}
      </footer>
    </article>
  );
}

function Mark({ brand }: { brand: Brand }) {
  return brand.logoUrl === null ? (
    <span class="ticket-monogram" aria-hidden="true">
      {initialOf(brand.name)}
    </span>
  ) : (
    <img class="ticket-logo" src={brand.logoUrl} alt="" />
  );
}

/** Groups stay whole where a long code takes two lines. */
function grouped(printed: string) {
  if (printed.length <= LINE) return printed;
  return printed
    .split(/(?<=-)/)
    .flatMap((group, at) => [at === 0 ? "" : <wbr />, <span class="ticket-group">{group}</span>]);
}

interface CodesProps {
  look: Look;
  number: string;
  qr: string | null;
}

function Codes({ look: { template, sheet, hotspot, batch, view }, number, qr }: CodesProps) {
  const names = view.words.cardPrint.card;
  const isAccess = batch.kind === "access";
  const join = isAccess && template.parts.wifi_qr && hasRoomForTwo(sheet) ? wifiQr(hotspot) : null;
  if (qr === null && join === null) return null;
  const isTwo = qr !== null && join !== null;
  return (
    <div class={isTwo ? "ticket-codes ticket-two" : "ticket-codes"}>
      {join !== null && (
        <figure class="ticket-qr">
          <Qr text={join} label={names.join} />
          <figcaption>{names.joinWords}</figcaption>
        </figure>
      )}
      {qr !== null && (
        <figure class="ticket-qr">
          <Qr text={qr} label={isAccess ? names.logIn(number) : names.portal(number)} />
          {isTwo && <figcaption>{names.logInWords}</figcaption>}
        </figure>
      )}
    </div>
  );
}

/** What the card gives, large, and how it counts, small. */
export function given({ view, batch, brand, packageName }: Omit<Look, "template" | "sheet" | "hotspot">) {
  const { words, format } = view;
  const names = words.cardPrint.card;
  if (batch.kind === "refill") return [format.money(batch.price, brand.currency), names.refill] as const;
  if (batch.kind === "package") return [packageName ?? "", names.package] as const;
  const { duration, durationUnit, uptimeSeconds, quotaTotal, simultaneousUse } = batch;
  const byClock =
    duration !== null && durationUnit !== null
      ? [[format.span(duration, durationUnit), names.fromLogin]]
      : [];
  const online = uptimeSeconds !== null ? [[format.duration(uptimeSeconds), names.online("").trim()]] : [];
  const volume = quotaTotal > 0 ? [[format.bytes(quotaTotal), names.untilEmpty]] : [];
  const [[what = "", how = ""] = [], ...others] = [...byClock, ...online, ...volume];
  const rest = others.map(([much = "", how]) => (how === names.untilEmpty ? much : `${much} ${how}`));
  const devices = simultaneousUse > 1 ? [names.devices(simultaneousUse)] : [];
  return [
    what || (packageName ?? ""),
    [how, ...rest, ...devices].filter((one) => one !== "").join(", "),
  ] as const;
}

/** Which Wi-Fi, or where, and what to do. */
function HowTo({ look: { view, batch, hotspot, template }, hasQr }: { look: Look; hasQr: boolean }) {
  const names = view.words.cardPrint.card;
  if (batch.kind !== "access") {
    const address = hotspot.portalUrl.replace(/^https?:\/\//, "").replace(/\/$/, "");
    return <p class="ticket-how">{address === "" ? names.redeem : names.at(address)}</p>;
  }
  const act = hasQr ? names.scanOr : names.type;
  if (!template.parts.wifi || hotspot.wifiName === "") return <p class="ticket-how">{act}</p>;
  return (
    <p class="ticket-how">
      {names.wifi}{" "}
      <strong>
        <bdi>{hotspot.wifiName}</bdi>
      </strong>
      : {act}
    </p>
  );
}
