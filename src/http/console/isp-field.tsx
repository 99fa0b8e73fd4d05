import { type Actor, narrow, ownIsp } from "../../domain/core/actor/actor.ts";
import { id as idField, type Input } from "../../domain/core/fields/fields.ts";
import { listIsps } from "../../domain/goods/nas/find.ts";
import { ownPreference, setOwnPreference } from "../../domain/people/staff/preferences.ts";
import { Select } from "../pages/parts/field.tsx";
import type { StaffVisit } from "./guard.ts";
import type { FormField } from "./parts/field.tsx";

/** Keeps the ISP of a person's last form. */
const LAST_ISP = "isp";

/** The ISP of a form: the typed one, the actor's own, the last used, or the first. undefined: there is none. */
export function chooseIsp(visit: StaffVisit, value: unknown = ""): number | undefined {
  const { db, by } = visit;
  const own = ownIsp(db, by.scope);
  if (own !== null) return own;
  const isps = listIsps(db);
  const last = by.staffId === null ? undefined : ownPreference(db, by, LAST_ISP);
  const order = [String(value), String(last)];
  return (order.map((id) => isps.find((one) => String(one.id) === id)).find(Boolean) ?? isps[0])?.id;
}

/** The ISP to write: the actor's own, else the one sent; 0, which does not exist, where none was. */
export function ispSent({ db, by }: StaffVisit, value: unknown): number {
  return ownIsp(db, by.scope) ?? idField.read(typeof value === "string" ? value : "") ?? 0;
}

/** The actor limited to the form's ISP. */
export function withinForm(visit: StaffVisit, value: unknown = ""): Actor {
  const { by } = visit;
  return { ...by, scope: narrow(by.scope, chooseIsp(visit, value), null) };
}

interface IspFieldProps {
  visit: StaffVisit;
  value?: unknown;
  fault?: string | undefined;
  help?: string;
  besides?: { readonly label: string; readonly evenAlone?: true };
}

function hasChoice(
  { by, db }: StaffVisit,
  { besides }: { besides?: IspFieldProps["besides"] | undefined },
): boolean {
  const count = by.scope.ispId === null ? listIsps(db).length : 0;
  return count > 1 || (count === 1 && besides?.evenAlone === true);
}

/** The ISP of a new row, shown to those who see several, and remembered. */
export function IspField({ visit, value = "", fault, help, besides }: IspFieldProps) {
  if (!hasChoice(visit, { besides })) return null;
  return (
    <Select
      name="isp_id"
      label={visit.view.words.frame.ofIsp}
      value={value === "0" ? "0" : (chooseIsp(visit, value) ?? "")}
      fault={fault}
      {...(help !== undefined && { help })}
      options={[
        ...listIsps(visit.db).map(({ id, name }) => ({ value: id, label: name })),
        ...(besides === undefined ? [] : [{ value: 0, label: besides.label }]),
      ]}
    />
  );
}

export function ispFields(
  visit: StaffVisit,
  options: Pick<IspFieldProps, "besides"> = {},
): readonly FormField[] {
  if (!hasChoice(visit, options)) return [];
  const show = ({ value, fault }: { value: string | undefined; fault: string | undefined }) => (
    <IspField visit={visit} fault={fault} {...options} value={value} />
  );
  return [{ name: "isp_id", show }];
}

/** Remembers the ISP of a sent form. */
export function rememberIsp({ db, by }: StaffVisit, { isp_id: sent }: Input): void {
  if (by.scope.ispId !== null || by.staffId === null || typeof sent !== "string") return;
  const found = listIsps(db).find(({ id }) => String(id) === sent);
  if (found && ownPreference(db, by, LAST_ISP) !== found.id)
    setOwnPreference(db, by, { key: LAST_ISP, value: found.id });
}
