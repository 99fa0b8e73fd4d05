import type { KeptLook } from "../../../../domain/machine/imports/runs/result.ts";
import type { Run } from "../../../../domain/machine/imports/runs/run.ts";
import { type ColumnLook, targetsByKind } from "../../../../domain/machine/imports/sources/csv/columns.ts";
import type { TableLook } from "../../../../domain/machine/imports/sources/csv/look.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, type Tone } from "../../../pages/parts/chip.tsx";
import { Select, TextArea } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { runPath } from "./addresses.ts";
import { meaningsIn, statedStandings, unknownWords } from "./columns-form.ts";
import { Discard } from "./run.tsx";

interface ColumnsProps {
  visit: StaffVisit;
  run: Run;
  looks: KeptLook;
  fault?: string;
}

const tones: Readonly<Record<ColumnLook["confidence"], Tone>> = {
  given: "good",
  sure: "good",
  likely: "warn",
  perhaps: "warn",
  none: "quiet",
};

export function ColumnsPage({ visit, run, looks, fault }: ColumnsProps) {
  const words = visit.view.words.importing.columns;
  const stated = meaningsIn(run.map);
  return (
    <SettingsFrame
      visit={visit}
      current="import"
      title={words.title}
      actions={<Discard visit={visit} run={run} />}
    >
      <form method="post" action={`${runPath(run.id)}/columns`} class="stack">
        <FormToken value={visit.formToken} />
        {fault !== undefined && (
          <p class="note bad" role="alert">
            {fault}
          </p>
        )}
        {looks.map((look, index) => (
          <OneTable visit={visit} look={look} index={index} />
        ))}
        <Standings visit={visit} run={run} looks={looks} />
        <Fold
          summary={words.meanings}
          kind="card import-more"
          open={stated.packages + stated.nas + stated.connection !== ""}
        >
          <div class="fields">
            <TextArea
              name="packages"
              label={words.packages}
              value={stated.packages}
              rows={4}
              maxLength={20_000}
            />
            <TextArea name="nas" label={words.routers} value={stated.nas} rows={4} maxLength={20_000} />
            <TextArea
              name="connection"
              label={words.connection}
              value={stated.connection}
              rows={4}
              maxLength={20_000}
            />
          </div>
        </Fold>
        <div class="actions">
          <Button kind="solid" icon="forward">
            {words.submit}
          </Button>
          <p class="hint">{words.submitHint}</p>
        </div>
      </form>
    </SettingsFrame>
  );
}

function Standings({ visit, run, looks }: ColumnsProps) {
  const { words: all } = visit.view;
  const words = all.importing.columns;
  const stated = statedStandings(run.map);
  const unknown = unknownWords(looks);
  if (unknown.length === 0) return null;
  const options = [
    { value: "", label: words.standing.open },
    { value: "on", label: words.standing.on },
    { value: "off", label: words.standing.off },
  ];
  return (
    <Card title={words.standings} lead={words.standingsLead} id="standings">
      <div class="fields">
        {unknown.map(({ header, text, word, rows }, index) => (
          <Select
            name={`word.${index}`}
            id={`word-${index}`}
            label={words.standingOf(shortened(text), header, rows)}
            value={stated.get(word) ?? ""}
            options={options}
          />
        ))}
      </div>
    </Card>
  );
}

function OneTable({ visit, look, index }: { visit: StaffVisit; look: TableLook; index: number }) {
  const { words: all } = visit.view;
  const words = all.importing.columns;
  const columns = [
    { title: words.column },
    { title: words.samples },
    { title: words.becomes },
    { title: words.sure },
  ];
  return (
    <Card title={look.file} lead={words.kind[look.kind]} kind="import-table">
      <p>{words.lead(look.rows)}</p>
      <Missing visit={visit} look={look} />
      <Unsure visit={visit} look={look} index={index} />
      <Table caption={words.title} columns={columns} kind="import-lines">
        {look.columns.map((column, number) => (
          <tr>
            <td>
              <strong>{column.header}</strong>
            </td>
            <td class="breaks soft-text">{listSamples(column, words)}</td>
            <td>
              <select name={`column.${index}.${number}`} aria-label={`${words.becomes}: ${column.header}`}>
                <option value="">{words.leave}</option>
                {targetsByKind[look.kind].map((target) => (
                  <option value={target} selected={target === column.target}>
                    {words.target[target]}
                  </option>
                ))}
              </select>
            </td>
            <td>
              <Chip tone={tones[column.confidence]}>{words.confidence[column.confidence]}</Chip>
            </td>
          </tr>
        ))}
      </Table>
      <Written visit={visit} look={look} index={index} />
    </Card>
  );
}

function listSamples({ samples }: ColumnLook, words: { empty: string }): string {
  return samples.length === 0 ? words.empty : samples.map(shortened).join(" · ");
}

function shortened(value: string): string {
  const signs = [...value.replace(/\s+/g, " ")];
  return signs.length <= 40 ? signs.join("") : `${signs.slice(0, 40).join("")}…`;
}

function Missing({ visit, look }: { visit: StaffVisit; look: TableLook }) {
  const words = visit.view.words.importing.columns;
  if (look.kind !== "subscribers") return null;
  const lacks = (target: string) => !look.columns.some((column) => column.target === target);
  const stated = [
    lacks("username") && words.missing,
    lacks("password") && words.missingPassword,
    lacks("package") && words.missingPackage,
    lacks("expires_at") && words.missingExpiry,
  ].filter((text) => text !== false);
  return (
    <>
      {stated.map((text) => (
        <p class={`note ${text === words.missing ? "bad" : "wait"}`}>{text}</p>
      ))}
    </>
  );
}

/** What only people know. */
function Unsure({ visit, look, index }: { visit: StaffVisit; look: TableLook; index: number }) {
  const words = visit.view.words.importing.columns;
  const { dates, decimal } = look;
  const isMixed = dates.dmy > 0 && dates.mdy > 0;
  const asksDates = !dates.sure && (isMixed || dates.either > 0);
  if (!asksDates && decimal.sure) return null;
  return (
    <div class="fields">
      {asksDates && (
        <Select
          name={`dates.${index}`}
          id={`dates-${index}`}
          label={words.dates}
          help={isMixed ? words.datesMixed : words.datesUnsure}
          value={dates.order}
          options={[
            { value: "dmy", label: words.dmy },
            { value: "mdy", label: words.mdy },
          ]}
        />
      )}
      {!decimal.sure && (
        <Select
          name={`decimal.${index}`}
          id={`decimal-${index}`}
          label={words.decimal}
          help={words.decimalUnsure}
          value={decimal.sign}
          options={[
            { value: ".", label: words.point },
            { value: ",", label: words.comma },
          ]}
        />
      )}
    </div>
  );
}

const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1256",
  "windows-1251",
  "windows-1254",
];

/** Encoding and delimiter; another choice reads the file again. */
function Written({ visit, look, index }: { visit: StaffVisit; look: TableLook; index: number }) {
  const words = visit.view.words.importing.columns;
  const { encoding, delimiter, kind } = look;
  const encodings = ENCODINGS.includes(encoding.name) ? ENCODINGS : [encoding.name, ...ENCODINGS];
  return (
    <Fold summary={words.written} kind="import-more" open={!encoding.sure}>
      <div class="fields">
        <Select
          name={`kind.${index}`}
          id={`kind-${index}`}
          label={words.kindLabel}
          value={kind}
          options={(["subscribers", "people", "packages", "routers"] as const).map((value) => ({
            value,
            label: words.kind[value],
          }))}
        />
        <Select
          name={`encoding.${index}`}
          id={`encoding-${index}`}
          label={words.encoding}
          value={encoding.name}
          {...(!encoding.sure && { help: words.encodingUnsure })}
          options={encodings.map((name) => ({ value: name, label: name }))}
        />
        <Select
          name={`delimiter.${index}`}
          id={`delimiter-${index}`}
          label={words.delimiter}
          value={delimiter === "\t" ? "tab" : delimiter}
          options={Object.entries(words.delimiters).map(([value, label]) => ({
            value: value === "\t" ? "tab" : value,
            label,
          }))}
        />
      </div>
    </Fold>
  );
}
