import { type LookedFile, lookAtFile } from "../../../../../domain/desk/incoming/bank/guess-columns.ts";
import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { FormToken } from "../../../../pages/document.tsx";
import { Note } from "../../../../pages/note.tsx";
import { Button } from "../../../../pages/parts/button.tsx";
import { Card } from "../../../../pages/parts/card.tsx";
import { Select } from "../../../../pages/parts/field.tsx";
import { Table } from "../../../../pages/parts/table.tsx";
import { page } from "../../../answers.tsx";
import type { StaffVisit } from "../../../guard.ts";
import { MoneyFrame } from "../../../parts/money-frame.tsx";
import { BANK_FILE, BANK_LOOK } from "./addresses.ts";
import type { BankUpload } from "./upload.ts";

interface Options {
  /** The last choice. */
  readonly chosen?: Input;
  readonly fault?: string;
}

/** Asks for the meaning of each column, guessed or remembered from an earlier file, over its first lines. Throws `invalid` for what is no table. */
export function chooseColumns(
  visit: StaffVisit,
  file: BankUpload,
  { chosen, fault }: Options = {},
): Response {
  const { view, db } = visit;
  const words = view.words.bankFiles;
  const looked = lookAtFile(db, file.ispId, file.content);
  return page(
    visit,
    <MoneyFrame visit={visit} current="arrived" title={words.title}>
      <Card title={words.columns} lead={<bdi>{file.name}</bdi>}>
        <form method="post" action={BANK_LOOK} enctype="multipart/form-data" class="stack">
          <Carried visit={visit} file={file} />
          {fault === undefined ? (
            <p class="sentence">{looked.isRemembered ? words.remembered : words.guessed}</p>
          ) : (
            <Note kind="bad">{fault}</Note>
          )}
          <Columns visit={visit} looked={looked} chosen={chosen} />
          <div class="actions">
            <Button kind="solid" icon="forward">
              {words.show}
            </Button>
            <Button href={BANK_FILE}>{words.other}</Button>
          </div>
        </form>
      </Card>
      <Card title={words.first}>
        <Table
          caption={words.first}
          columns={looked.head.map((title) => ({ title: <bdi>{title}</bdi> }))}
          kind="nowrap"
        >
          {looked.rows.map(({ cells }) => (
            <tr>
              {looked.head.map((_, at) => (
                <td>
                  <bdi>{cells[at] ?? ""}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </Card>
    </MoneyFrame>,
    { status: fault === undefined ? 200 : 422 },
  );
}

export function Carried({ visit, file }: { visit: StaffVisit; file: BankUpload }) {
  return (
    <>
      <FormToken value={visit.formToken} />
      <input type="hidden" name="isp_id" value={String(file.ispId)} />
      <input type="hidden" name="name" value={file.name} />
      <input type="hidden" name="content" value={file.content} />
    </>
  );
}

interface ColumnsProps {
  visit: StaffVisit;
  looked: LookedFile;
  chosen: Input | undefined;
}

function Columns({ visit, looked, chosen }: ColumnsProps) {
  const words = visit.view.words.bankFiles;
  const names = looked.head.filter((name) => name !== "").map((name) => ({ value: name, label: name }));
  const columnValue = (field: keyof LookedFile["columns"]) => {
    const value = chosen?.[field];
    return typeof value === "string" ? value : (looked.columns[field] ?? "");
  };
  const column = (name: keyof LookedFile["columns"], label: string, first: string, help?: string) => (
    <Select
      name={name}
      label={label}
      help={help}
      value={columnValue(name)}
      options={[{ value: "", label: first }, ...names]}
    />
  );
  const kinds = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([value, label]) => ({ value, label }));
  return (
    <div class="grid">
      {column("date_column", words.date, words.choose)}
      <Select
        name="dates"
        label={words.dates}
        value={columnValue("dates")}
        options={kinds(words.dateKinds)}
      />
      {column("amount_column", words.amount, words.choose)}
      <Select
        name="decimals"
        label={words.decimals}
        value={columnValue("decimals")}
        options={kinds(words.decimalKinds)}
      />
      {column("text_column", words.text, words.choose)}
      {column("payer_column", words.payer, words.none)}
      {column("id_column", words.id, words.none, words.idHelp)}
    </div>
  );
}
