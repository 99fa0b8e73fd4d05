import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { previewBankFile, type ReadLine } from "../../../../../domain/desk/incoming/bank/files.ts";
import { setting } from "../../../../../domain/core/settings/settings.ts";
import { formatTime } from "../../../../../domain/core/time/time.ts";
import { Button } from "../../../../pages/parts/button.tsx";
import { Card } from "../../../../pages/parts/card.tsx";
import { Chip } from "../../../../pages/parts/chip.tsx";
import { Select } from "../../../../pages/parts/field.tsx";
import { page } from "../../../answers.tsx";
import type { StaffVisit } from "../../../guard.ts";
import { list, USUAL } from "../../../parts/list.tsx";
import { MoneyFrame } from "../../../parts/money-frame.tsx";
import { sentence } from "../../../parts/phrases.ts";
import { arrivedHref } from "../../../parts/hrefs.ts";
import { BANK_FILE, BANK_TAKE, MOST_TICKS } from "./addresses.ts";
import { Carried } from "./columns.tsx";
import { bankInput, type BankUpload, listMethods } from "./upload.ts";

/** Other lines are listed up to this many. */
const MOST_OTHERS = 200;

/** Matches lines with subscribers before any is stored. Throws `invalid` with every fault. */
export function showLines(visit: StaffVisit, file: BankUpload, input: Input): Response {
  const { db, by, view } = visit;
  const { bankFiles: words, pay } = view.words;
  const { format } = view;
  const sent = bankInput(file, input);
  const lines = previewBankFile(db, by, sent);
  const fresh = lines.filter(({ state }) => state === "new");
  const guessed = fresh.filter(({ guess }) => guess !== null).length;
  const currency = setting(db, "currency", file.ispId);
  const sum = fresh.reduce((total, { amount }) => total + amount, 0);
  const { methods, method } = listMethods(visit, file.ispId, "");
  return page(
    visit,
    <MoneyFrame visit={visit} current="arrived" title={words.title}>
      <p class="sentence">
        {words.found(fresh.length, format.number(guessed))}{" "}
        {fresh.length > 0 && words.sum(format.sum(sum, currency))}
      </p>
      {fresh.length === 0 ? (
        <div class="actions">
          <Button href={BANK_FILE} kind="solid">
            {words.other}
          </Button>
        </div>
      ) : (
        <form method="post" action={BANK_TAKE} enctype="multipart/form-data" class="stack">
          <Carried visit={visit} file={file} />
          {Object.entries(sent)
            .filter(([name]) => !["isp_id", "name", "content"].includes(name))
            .map(([name, value]) => (
              <input type="hidden" name={name} value={String(value)} />
            ))}
          <Fresh visit={visit} rows={fresh.slice(0, MOST_TICKS)} />
          {fresh.length > MOST_TICKS && <p class="hint">{words.more(MOST_TICKS)}</p>}
          <div class="row at-end">
            <Select
              name="method"
              label={words.method}
              value={method}
              options={methods.map((value) => ({ value, label: pay.methodName(value) }))}
            />
            <div class="actions">
              <Button kind="solid" size="large">
                {words.take}
              </Button>
              <Button href={BANK_FILE} size="large">
                {words.other}
              </Button>
            </div>
          </div>
          <p class="hint">{words.takeHint}</p>
        </form>
      )}
      <Others visit={visit} lines={lines} state="known" />
      <Others visit={visit} lines={lines} state="left_out" />
    </MoneyFrame>,
  );
}

interface LinesProps {
  visit: StaffVisit;
  lines: readonly ReadLine[];
}

const formatDay = ({ at }: ReadLine): string => (at === null ? "" : formatTime(at).slice(0, 10));

export const Fresh = list<ReadLine>(({ view }) => {
  const { bankFiles: words, arrived } = view.words;
  return {
    name: words.whose,
    kind: `${USUAL} bank-lines`,
    columns: [
      {
        title: <span class="unseen">{words.book}</span>,
        kind: "bank-tick",
        cell: (line) => line.guess !== null && <Tick view={view} line={line} guess={line.guess} />,
      },
      { title: words.date, narrow: "low", kind: "soft-text", cell: formatDay },
      {
        title: arrived.payer,
        narrow: "lead",
        kind: "bank-text",
        cell: ({ payer, text }) => (
          <>
            <bdi>{payer ?? ""}</bdi> <bdi class="hint">{text}</bdi>
          </>
        ),
      },
      { title: words.whose, kind: "bank-text", cell: ({ guess }) => <Whose view={view} guess={guess} /> },
      { title: arrived.amount, end: true, narrow: "sum", cell: ({ amount }) => view.format.amount(amount) },
    ],
    empty: view.words.list.none,
  };
});

function Whose({ view, guess }: Pick<StaffVisit, "view"> & Pick<ReadLine, "guess">) {
  const { bankFiles: words } = view.words;
  if (guess === null) return <span class="soft-text">{words.nobody}</span>;
  return (
    <>
      <a href={`/console/subscribers/${guess.subscriberId}`}>
        <bdi>{guess.name}</bdi>
      </a>{" "}
      <Chip tone={guess.by === "amount" ? "warn" : "good"}>{words.by[guess.by]}</Chip>
    </>
  );
}

interface TickProps {
  view: StaffVisit["view"];
  line: ReadLine;
  guess: NonNullable<ReadLine["guess"]>;
}

function Tick({ view: { words, format }, line, guess }: TickProps) {
  return (
    <input
      type="checkbox"
      name="book"
      value={`${line.line}:${guess.subscriberId}`}
      checked={guess.by !== "amount"}
      aria-label={words.bankFiles.bookLine(line.line, format.name(guess.name))}
    />
  );
}

function Others({ visit, lines, state }: LinesProps & { state: "known" | "left_out" }) {
  const { bankFiles: words } = visit.view.words;
  const all = lines.filter((line) => line.state === state);
  if (all.length === 0) return null;
  const of = words[state === "known" ? "known" : "leftOut"];
  return (
    <Card title={of(all.length)}>
      <OtherLines visit={visit} rows={all.slice(0, MOST_OTHERS)} />
    </Card>
  );
}

export const OtherLines = list<ReadLine>(({ view }, rows) => {
  const { bankFiles: words, arrived } = view.words;
  const isKnown = rows[0]?.state === "known";
  return {
    name: isKnown ? words.waitsThere : words.why,
    kind: `${USUAL} bank-lines`,
    columns: [
      { title: words.line, narrow: "lead", cell: ({ line }) => view.format.number(line) },
      { title: words.date, narrow: "low", kind: "soft-text", cell: formatDay },
      {
        title: words.text,
        kind: "bank-text",
        cell: ({ payer, text }) => <bdi>{[payer, text].filter(Boolean).join(view.words.list.comma)}</bdi>,
      },
      {
        title: isKnown ? words.waitsThere : words.why,
        kind: "bank-text",
        cell: ({ incomingId, fault }) =>
          incomingId === null ? (
            sentence(fault ?? "")
          ) : (
            <a href={arrivedHref({ id: incomingId })}>{arrived.about}</a>
          ),
      },
      {
        title: arrived.amount,
        end: true,
        narrow: "sum",
        cell: ({ amount }) => (amount === 0 ? "" : view.format.amount(amount)),
      },
    ],
    empty: view.words.list.none,
  };
});
