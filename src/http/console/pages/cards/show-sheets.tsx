import type { Child } from "hono/jsx";
import {
  printedBatch,
  printedNumber,
  printableBatch,
  printCards,
  reprintCard,
} from "../../../../domain/service/cards/print.ts";
import { cardNumber, codeInFile, printedCode } from "../../../../domain/goods/codes/codes.ts";
import { cardById } from "../../../../domain/service/cards/list.ts";
import { mostAtOnce } from "../../../../domain/service/cards/sheets.ts";
import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { attempt } from "../../attempt.ts";
import { file } from "../../../list.ts";
import { Document, FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import { consoleScript, placeStylesheets } from "../../assets.ts";
import type { StaffVisit } from "../../guard.ts";
import { valuesIn } from "../../parts/keyed.tsx";
import { chosenLook, Lacks } from "./look.tsx";
import { newKey, openedOnce } from "./opened-once.ts";
import { readBatchId, readCardId } from "./paths.ts";
import { batchHref, cardHref } from "../../parts/hrefs.ts";
import { choose } from "./print.tsx";
import { formatSerial, Sheets } from "./sheets.tsx";
import type { Look } from "./ticket.tsx";

interface Range {
  readonly from: number;
  readonly to: number;
}

const ranged = ["from", "to", "sheet", "template"] as const;

/** The cards of a range on sheets, one page at the most, with links to the rest. */
export async function showSheets(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const values = valuesIn(input);
  const batch = printableBatch(db, by, { batchId: readBatchId(visit) });
  const { look } = chosenLook(visit, batch, values);
  const most = mostAtOnce(look.sheet);
  const from = toNumber(values("from"), 1);
  const last = toNumber(values("to"), batch.quantity);
  const to = Math.min(last, from + most - 1);
  const opened = await attempt(visit, async () =>
    openedOnce(visit, values, ranged, (tx) => printCards(tx, by, { batchId: batch.id, from, to }, { now })),
  );
  if (opened instanceof DomainError) return choose(visit, { batch, refused: opened }, values);
  const { cardPrint: words } = view.words;
  const [first, end] = [formatSerial(from), formatSerial(to)];
  const title = words.sheetTitle(printedBatch(batch), first, end);
  const back = `${batchHref(batch.id)}/print?${new URLSearchParams({ sheet: look.sheet, template: values("template") })}`;
  const fields = { sheet: look.sheet, template: values("template") };
  if (!opened)
    return printPage(visit, look, { title, back, ...printedBefore(visit, { ...fields, from, to: last }) });
  const { cards, leftOut } = opened;
  const range = words.rangeOf(first, end, batch.quantity);
  return printPage(visit, look, {
    title,
    back,
    tools: <Others visit={visit} batch={batch} range={{ from, to }} most={most} fields={fields} />,
    notes: (
      <>
        <p class="hint">
          {range}. {leftOut > 0 && words.leftOut(leftOut)} {words.hintScale}
        </p>
        <Lacks visit={visit} look={look} />
      </>
    ),
    sheets:
      cards.length === 0 ? (
        <Empty icon="card" title={words.none} text={words.noneText} />
      ) : (
        <Sheets visit={visit} look={look} batch={batch} cards={cards} />
      ),
  });
}

/** One lost card again, at the first place of its sheet. */
export async function printAgain(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const values = valuesIn(input);
  const { id, batchId } = cardById(db, by, readCardId(visit), { now });
  const batch = printableBatch(db, by, { batchId });
  const { look } = chosenLook(visit, batch, values);
  const opened = await attempt(visit, async () =>
    openedOnce(visit, values, ["sheet", "template"], (tx) => reprintCard(tx, by, { id }, { now })),
  );
  if (opened instanceof DomainError) return choose(visit, { batch, cardId: id, refused: opened }, values);
  const { cardPrint: words } = view.words;
  const head = { title: words.again(cardNumber(id)), back: cardHref(id) };
  if (!opened) {
    const fields = { sheet: look.sheet, template: values("template") };
    return printPage(visit, look, { ...head, ...printedBefore(visit, fields) });
  }
  return printPage(visit, look, {
    ...head,
    notes: (
      <>
        <p class="hint">{words.hintScale}</p>
        <Lacks visit={visit} look={look} />
      </>
    ),
    sheets: <Sheets visit={visit} look={look} batch={batch} cards={[opened.card]} />,
  });
}

/** The page in place of sheets when the codes of this key were opened before. */
function printedBefore(visit: StaffVisit, fields: Fields): Pick<Printed, "sheets"> {
  const { cardPrint: words } = visit.view.words;
  return {
    sheets: (
      <Empty icon="card" title={words.shownBefore} text={words.shownBeforeText}>
        <Printing visit={visit} fields={fields}>
          {words.showAgain}
        </Printing>
      </Empty>
    ),
  };
}

type Fields = Readonly<Record<string, string | number>>;

/** A form that opens codes. */
function Printing({ visit, fields, children }: { visit: StaffVisit; fields: Fields; children: Child }) {
  return (
    <form class="action" method="post" action={visit.path}>
      <FormToken value={visit.formToken} />
      <input type="hidden" name="key" value={newKey()} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={String(value)} />
      ))}
      <Button>{children}</Button>
    </form>
  );
}

/** The codes of a batch as a file, without void cards. */
export function codesFile(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const batchId = readBatchId(visit);
  const { quantity } = printableBatch(db, by, { batchId });
  const { batch, cards } = printCards(db, by, { batchId, from: 1, to: quantity, as: "file" }, { now });
  const rows = cards.map(({ number, serial, code, state }) => ({
    number,
    on_paper: printedNumber(batch, serial),
    code: codeInFile(code),
    printed_code: printedCode(code),
    state,
  }));
  const names = ["number", "on_paper", "code", "printed_code", "state"];
  const response = file(`cards-${printedBatch(batch)}`, names, [rows].values());
  response.headers.set("cache-control", "no-store");
  response.headers.set("referrer-policy", "no-referrer");
  return response;
}

function toNumber(text: string, otherwise: number): number {
  return text.trim() === "" ? otherwise : Number(text);
}

interface Printed {
  readonly title: string;
  readonly back: string;
  readonly tools?: Child;
  readonly notes?: Child;
  readonly sheets: Child;
}

function printPage(
  visit: StaffVisit,
  { brand }: Look,
  { title, back, tools, notes, sheets }: Printed,
): Response {
  const { view } = visit;
  const { cardPrint: words } = view.words;
  return page(
    visit,
    <Document
      lang={view.words.tag}
      dir={view.words.dir}
      brand={brand}
      title={title}
      kind="printed"
      styles={placeStylesheets("cards")}
      scripts={[consoleScript.path]}
    >
      <nav class="paper-tools no-print">
        <Button href={back} icon="back">
          {words.back}
        </Button>
        {tools}
        {notes !== undefined && (
          <button type="button" class="button solid" hidden data-print>
            {words.print}
          </button>
        )}
      </nav>
      <main>
        <h1 class="unseen">{title}</h1>
        {notes !== undefined && <div class="ticket-notes no-print">{notes}</div>}
        {sheets}
      </main>
    </Document>,
  );
}

interface OthersProps {
  visit: StaffVisit;
  batch: CardBatch;
  range: Range;
  most: number;
  fields: Fields;
}

/** The ranges before and after. */
function Others({ visit, batch, range: { from, to }, most, fields }: OthersProps) {
  const { cardPrint: words } = visit.view.words;
  const rangeFrom = (first: number) => ({
    ...fields,
    from: first,
    to: Math.min(batch.quantity, first + most - 1),
  });
  return (
    <>
      {from > 1 && (
        <Printing visit={visit} fields={rangeFrom(Math.max(1, from - most))}>
          {words.previous}
        </Printing>
      )}
      {to < batch.quantity && (
        <Printing visit={visit} fields={rangeFrom(to + 1)}>
          {words.next}
        </Printing>
      )}
    </>
  );
}
