import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../../../domain/core/errors/phrase.ts";
import { type Input, RepeatedField } from "../../../../../domain/core/fields/fields.ts";
import { bankText } from "../../../../../domain/machine/imports/sources/csv/bank-text.ts";
import { setting } from "../../../../../domain/core/settings/settings.ts";
import { requireWholeIsp } from "../../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../../domain/core/actor/permissions.ts";
import type { StaffVisit } from "../../../guard.ts";
import { ispSent } from "../../../isp-field.tsx";
import { MOST_BYTES } from "./addresses.ts";

export interface BankUpload {
  readonly ispId: number;
  readonly name: string;
  readonly content: string;
}

/** Throws `forbidden`. */
export function requireBank({ by }: StaffVisit): void {
  permit(by, "previewBankFile");
  requireWholeIsp(by, "bank files");
}

const readField = (input: Input, name: string): string => {
  const value = input[name];
  return typeof value === "string" ? value : "";
};

/** Throws `invalid` for no file, too large a one, and what is no text table. */
export async function uploaded(visit: StaffVisit, input: Input): Promise<BankUpload> {
  const words = visit.view.words.bankFiles;
  const { file } = input;
  if (!(file instanceof File) || file.size === 0) throw new DomainError("invalid", verbatim(words.noFile));
  if (file.size > MOST_BYTES)
    throw new DomainError("invalid", verbatim(words.tooLarge(visit.view.format.bytes(MOST_BYTES))));
  const name = (file.name.split(/[/\\]/).at(-1) ?? "").replaceAll(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 100);
  const content = await bankText(name || "file.csv", new Uint8Array(await file.arrayBuffer()));
  return { ispId: ispSent(visit, input["isp_id"]), name: name || "file.csv", content };
}

/** The file as hidden fields carry it. */
export function carried(visit: StaffVisit, input: Input): BankUpload {
  return {
    ispId: ispSent(visit, input["isp_id"]),
    name: readField(input, "name"),
    content: readField(input, "content"),
  };
}

const columnFields = [
  ...["date_column", "amount_column", "text_column", "payer_column", "id_column", "dates", "decimals"],
] as const;

/** The domain's input: file and columns. */
export function bankInput(file: BankUpload, input: Input): Record<string, string | number> {
  const columns = columnFields.map((name) => [name, readField(input, name)] as const);
  const named = columns.filter(([, value]) => value !== "");
  return { isp_id: file.ispId, name: file.name, content: file.content, ...Object.fromEntries(named) };
}

export function readTicks(input: Input): ReadonlySet<string> {
  const { book } = input;
  const values = book instanceof RepeatedField ? book.values : [book];
  return new Set(values.filter((value) => typeof value === "string"));
}

/** The payment methods, and the default. */
export function listMethods({ db }: StaffVisit, ispId: number, method: string) {
  const methods = setting(db, "payment_methods", ispId).split(", ");
  const usual = methods.includes("bank") ? "bank" : (methods[0] ?? "bank");
  return { methods, method: methods.includes(method) ? method : usual };
}

/** The first fault. */
export function faultWords(refused: DomainError): string {
  const [[name, [fault]] = ["", [""]]] = Object.entries(refused.fields ?? {}) as [string, string[]][];
  if (!fault) return refused.message;
  return name === "content" ? fault : `${name.replace("_", " ")}: ${fault}`;
}
