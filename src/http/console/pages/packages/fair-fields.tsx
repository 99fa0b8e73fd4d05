import { fairWindows } from "../../../../domain/goods/windows/window.ts";
import { Check, Select } from "../../../pages/parts/field.tsx";
import type { Part } from "./editor.tsx";
import { DAYS, listRows } from "./fair-values.ts";

/** Tiers, hours, and what counts; with an empty row. */
export function FairFields(part: Part) {
  const { view, values, faults } = part;
  const { editor } = view.words.fairUse;
  return (
    <>
      <div class="fields">
        <Select
          name="fair_window"
          label={editor.window}
          value={values("fair_window") || "period"}
          options={fairWindows.map((value) => ({ value, label: editor.windows[value] }))}
        />
      </div>
      <h3 class="fair-part">{editor.tiers}</h3>
      <p class="hint">{editor.tiersHelp}</p>
      {faults["tiers"]?.map((fault) => (
        <p class="fault">{fault}</p>
      ))}
      <table class="rate-table">
        <caption class="unseen">{editor.tiers}</caption>
        <thead>
          <tr>
            <th scope="col">{editor.after}</th>
            <th scope="col">{editor.down}</th>
            <th scope="col">{editor.up}</th>
          </tr>
        </thead>
        <tbody>
          {listRows("tier", values).map((row, index) => (
            <tr>
              {(["after", "down", "up"] as const).map((name) => (
                <td class="field">
                  <Small part={part} name={`${row}_${name}`} label={editor.line(editor[name], index + 1)} />
                  {name === "up" && <Stored part={part} row={row} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <h3 class="fair-part">{editor.hours}</h3>
      <p class="hint">{editor.hoursHelp}</p>
      {faults["hours"]?.map((fault) => (
        <p class="fault">{fault}</p>
      ))}
      {listRows("hours", values).map((row, index) => (
        <HoursRow part={part} row={row} line={index + 1} />
      ))}
    </>
  );
}

function HoursRow({ part, row, line }: { part: Part; row: string; line: number }) {
  const { view, values } = part;
  const { editor } = view.words.fairUse;
  return (
    <fieldset class="hours-row">
      <legend class="unseen">{editor.line(editor.hours, line)}</legend>
      <div class="row">
        {DAYS.map((day) => (
          <Check
            name={`${row}_day_${day}`}
            label={view.format.dayOfWeek(day)}
            checked={values(`${row}_day_${day}`) === "1"}
          />
        ))}
      </div>
      {(["from", "to", "down", "up"] as const).map((name) => (
        <div class="field">
          <label for={`${row}_${name}`}>{editor[name]}</label>
          <Small
            part={part}
            name={`${row}_${name}`}
            type={name === "from" || name === "to" ? "time" : "text"}
          />
        </div>
      ))}
      <Check name={`${row}_free`} label={editor.free} checked={values(`${row}_free`) === "1"} />
      <Stored part={part} row={row} />
    </fieldset>
  );
}

function Small({
  part,
  name,
  label,
  type = "text",
}: {
  part: Part;
  name: string;
  label?: string;
  type?: "text" | "time";
}) {
  return (
    <input
      id={name}
      name={name}
      type={type}
      value={part.values(name)}
      autocomplete="off"
      {...(type === "text" && { inputmode: "decimal" as const })}
      {...(label !== undefined && { "aria-label": label })}
    />
  );
}

/** Burst values of a rate. */
export function Stored({ part: { values }, row }: { part: Pick<Part, "values">; row: string }) {
  const rate = values(`${row}_rate`);
  return rate === "" ? null : <input type="hidden" name={`${row}_rate`} value={rate} />;
}
