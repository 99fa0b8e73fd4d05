import { printedCode } from "../../../../domain/goods/codes/codes.ts";
import { cardQr, type Hotspot, wifiQr } from "../../../../domain/service/cards/printed.ts";
import { printedNumber } from "../../../../domain/service/cards/print.ts";
import { hasRoomForTwo, ownLinesOn, type Sheet } from "../../../../domain/service/cards/sheets.ts";
import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import type { CardTemplate } from "../../../../domain/service/cards/templates.ts";
import type { Brand } from "../../../pages/brand.tsx";
import { firstLetter } from "../../../pages/initial.ts";
import { Qr } from "../../../pages/parts/qr.tsx";
import type { ConsoleView } from "../../view.ts";

export type TicketBatch = Pick<
  CardBatch,
  "id" | "kind" | "price" | "duration" | "durationUnit" | "uptimeSeconds" | "quotaTotal" | "simultaneousUse"
>;

export interface Look {
  readonly view: ConsoleView;
  readonly brand: Brand;
  readonly batch: TicketBatch;
  /** null: a refill. */
  readonly packageName: string | null;
  readonly hotspot: Hotspot;
  readonly template: CardTemplate;
  readonly sheet: Sheet;
}

/** Sheets too narrow for the ISP's name and the card's number in one line. */
const narrow: ReadonlySet<Sheet> = new Set(["a4-36", "a4-48"]);

/** Characters of a code in a line of the smallest card. */
const LINE = 14;

export function Ticket({ look, serial, code }: { look: Look; serial: number; code: string }) {
  const { template, sheet, batch, view, brand } = look;
  const { parts, words } = template;
  const lines = linesIn(words, sheet);
  const number = printedNumber(batch, serial);
  const [what, more] = ticketValues(look);
  const printed = printedCode(code);
  const size = printed.length <= 9 ? "short" : printed.length <= LINE ? "middle" : "long";
  const codes = makeQrCodes(look, code);
  const isPriced = parts.price && batch.price > 0 && !(batch.kind === "refill" && parts.validity);
  // a small card needs its whole width for the ISP's name
  const isBelow = narrow.has(sheet) && codes.length > 0;
  return (
    <article class={`ticket ticket-${sheet} ticket-${size}`}>
      <header>
        {parts.logo && <Mark brand={brand} />}
        <bdi class="ticket-name">{words.heading || brand.name}</bdi>
        {parts.serial && !isBelow && <span class="ticket-number">{number}</span>}
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
      </div>
      {codes.length > 0 && (
        <div class={codes.length > 1 ? "ticket-codes ticket-two" : "ticket-codes"}>
          {codes.map(({ text, label, caption }) => (
            <figure class="ticket-qr">
              <Qr text={text} label={label(number)} />
              {codes.length > 1 && <figcaption>{caption}</figcaption>}
            </figure>
          ))}
          {parts.serial && isBelow && <span class="ticket-number">{number}</span>}
        </div>
      )}
      <footer>
        <div class="ticket-said">
          <HowTo
            look={look}
            hasQr={codes.some(({ text }) => !text.startsWith("WIFI:"))}
            isShort={lines.length > 0}
          />
          {lines.map((line) => (
            <p class="ticket-line" dir="auto">
              {line}
            </p>
          ))}
        </div>
        {isPriced && <strong class="ticket-price">{view.format.money(batch.price, brand.currency)}</strong>}
      </footer>
    </article>
  );
}

function Mark({ brand }: { brand: Brand }) {
  return brand.logoUrl === null ? (
    <span class="monogram" aria-hidden="true">
      {firstLetter(brand.name)}
    </span>
  ) : (
    <img class="logo" src={brand.logoUrl} alt="" />
  );
}

/** Keeps groups of a long code together. */
function grouped(printed: string) {
  if (printed.length <= LINE) return printed;
  return printed
    .split(/(?<=-)/)
    .flatMap((group, at) => [at === 0 ? "" : <wbr />, <span class="nowrap">{group}</span>]);
}

interface PrintedQr {
  readonly text: string;
  readonly label: (number: string) => string;
  readonly caption: string;
}

/** QR codes in the order of their use. */
export function makeQrCodes({ template, sheet, hotspot, batch, view }: Look, code: string): PrintedQr[] {
  const names = view.words.cardPrint.card;
  const isAccess = batch.kind === "access";
  const join = isAccess && template.parts.wifi_qr && hasRoomForTwo(sheet) ? wifiQr(hotspot) : null;
  const qr = template.parts.login_qr ? cardQr(hotspot, batch.kind, code) : null;
  const codes: PrintedQr[] = [];
  if (join !== null) codes.push({ text: join, label: () => names.join, caption: names.joinWords });
  if (qr !== null)
    codes.push({ text: qr, label: isAccess ? names.logIn : names.portal, caption: names.logInWords });
  return codes;
}

/** The value in large print, its terms in small. */
export function ticketValues({
  view,
  batch,
  brand,
  packageName,
}: Omit<Look, "template" | "sheet" | "hotspot">) {
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
    [how, ...rest, ...devices].filter((one) => one !== "").join(view.words.list.comma),
  ] as const;
}

interface HowToProps {
  look: Look;
  hasQr: boolean;
  /** Leaves room for own words below. */
  isShort: boolean;
}

/** The Wi-Fi or the address, and the steps. */
function HowTo({ look: { view, batch, hotspot, template }, hasQr, isShort }: HowToProps) {
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
      {!isShort && `: ${act}`}
    </p>
  );
}

/** Whether a card on a roll needs more length: a code of several lines, or own words. */
export function isTall({ template: { words }, sheet }: Look, code: string): boolean {
  return printedCode(code).length > LINE || linesIn(words, sheet).length > 0;
}

function linesIn(words: CardTemplate["words"], sheet: Sheet): string[] {
  return [words.line_1, words.line_2].filter((line) => line !== "").slice(0, ownLinesOn(sheet));
}
