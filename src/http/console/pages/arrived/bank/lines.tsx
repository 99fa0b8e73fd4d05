import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { previewBankFile, type ReadLine } from "../../../../../domain/desk/incoming/bank/files.ts";
import { setting } from "../../../../../domain/core/settings/settings.ts";
import { formatTime } from "../../../../../domain/core/time/time.ts";
import { Button } from "../../../../pages/parts/button.tsx";
import { Card } from "../../../../pages/parts/card.tsx";
import { Chip } from "../../../../pages/parts/chip.tsx";
import { Select } from "../../../../pages/parts/field.tsx";
import { Table } from "../../../../pages/parts/table.tsx";
import { page } from "../../../answers.tsx";
import type { StaffVisit } from "../../../guard.ts";
import { MoneyFrame } from "../../../parts/money-frame.tsx";
import { sentence } from "../../../parts/phrases.ts";
import { arrivedHref } from "../../../parts/hrefs.ts";
import { BANK_FILE, BANK_TAKE, MOST_TICKS } from "./addresses.ts";
import { Carried } from "./columns.tsx";
import { bankInput, type BankUpload, methodsOf } from "./upload.ts";

/** Lines of which no more are listed under those that can be booked. */
const MOST_OTHERS = 200;

/** Whose each line may be, before any of it is taken. Throws `invalid` with every fault. */
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
  const { methods, method } = methodsOf(visit, file.ispId, "");
  return page(
    visit,
    <MoneyFrame visit={visit} current="arrived">
      <p class="sentence">
        {words.found(fresh.length, format.number(fresh.length), format.number(guessed))}{" "}
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
          <Fresh visit={visit} lines={fresh.slice(0, MOST_TICKS)} />
          {fresh.length > MOST_TICKS && <p class="hint">{words.more(format.number(MOST_TICKS))}</p>}
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

const dayOf = ({ at }: ReadLine): string => (at === null ? "" : formatTime(at).slice(0, 10));

function Fresh({ visit: { view }, lines }: LinesProps) {
  const { bankFiles: words, arrived } = view.words;
  const columns = [
    { title: <span class="unseen">{words.book}</span> },
    { title: words.date, low: true },
    { title: arrived.payer },
    { title: words.whose },
    { title: arrived.amount, end: true },
  ];
  return (
    <Table caption={words.whose} columns={columns} kind="short-rows bank-lines">
      {lines.map((line) => (
        <tr>
          <td class="bank-tick">
            {line.guess !== null && <Tick view={view} line={line} guess={line.guess} />}
          </td>
          <td class="low soft-text">{dayOf(line)}</td>
          <td class="lead bank-text">
            <bdi>{line.payer ?? ""}</bdi> <bdi class="hint">{line.text}</bdi>
          </td>
          <td class="bank-text">
            {line.guess === null ? (
              <span class="soft-text">{words.nobody}</span>
            ) : (
              <>
                <a href={`/console/subscribers/${line.guess.subscriberId}`}>
                  <bdi>{line.guess.name}</bdi>
                </a>{" "}
                <Chip tone={line.guess.by === "amount" ? "warn" : "good"}>{words.by[line.guess.by]}</Chip>
              </>
            )}
          </td>
          <td class="end sum">{view.format.amount(line.amount)}</td>
        </tr>
      ))}
    </Table>
  );
}

interface TickProps {
  view: StaffVisit["view"];
  line: ReadLine;
  guess: NonNullable<ReadLine["guess"]>;
}

/** What is ticked says for whom, so that nothing is booked for somebody else. An amount alone is too little to tick it unasked. */
function Tick({ view: { words, format }, line, guess }: TickProps) {
  return (
    <input
      type="checkbox"
      name="book"
      value={`${line.line}:${guess.subscriberId}`}
      checked={guess.by !== "amount"}
      aria-label={words.bankFiles.bookLine(format.number(line.line), format.name(guess.name))}
    />
  );
}

function Others({ visit, lines, state }: LinesProps & { state: "known" | "left_out" }) {
  const { view } = visit;
  const { bankFiles: words, arrived } = view.words;
  const all = lines.filter((line) => line.state === state);
  if (all.length === 0) return null;
  const title = words[state === "known" ? "known" : "leftOut"](all.length, view.format.number(all.length));
  const columns = [
    { title: words.line },
    { title: words.date, low: true },
    { title: words.text },
    { title: state === "known" ? words.waitsThere : words.why },
    { title: arrived.amount, end: true },
  ];
  return (
    <Card title={title}>
      <Table caption={title} columns={columns} kind="short-rows bank-lines">
        {all.slice(0, MOST_OTHERS).map((line) => (
          <tr>
            <td class="lead">{view.format.number(line.line)}</td>
            <td class="low soft-text">{dayOf(line)}</td>
            <td class="bank-text">
              <bdi>{[line.payer, line.text].filter(Boolean).join(", ")}</bdi>
            </td>
            <td class="bank-text">
              {line.incomingId === null ? (
                sentence(line.fault ?? "")
              ) : (
                <a href={arrivedHref({ id: line.incomingId })}>{arrived.about}</a>
              )}
            </td>
            <td class="end sum">{line.amount === 0 ? "" : view.format.amount(line.amount)}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
