import { presetNames, type PresetName, presets } from "../../../../domain/desk/incoming/presets.ts";
import { parseProvider, paymentSourceById, type Source } from "../../../../domain/desk/incoming/sources.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { settingsPages } from "../../parts/settings-pages.ts";

export const SOURCES = settingsPages.sources.href;

export const sourceHref = ({ id }: Pick<Source, "id">) => `${SOURCES}/${id}`;

/** Throws `not_found`. */
export function readSource({ db, by, params }: StaffVisit): Source {
  return paymentSourceById(db, by, { id: pathId("payment source", params["id"] ?? null) });
}

/** The provider; `own` for any other. */
export function findPreset(source: Source): PresetName | null {
  if (source.kind === "signed") return null;
  const described = JSON.stringify(parseProvider(source).events.map(({ id, amount }) => [id, amount]));
  const same = (name: PresetName) =>
    JSON.stringify(presets[name].events.map(({ id, amount }) => [id, amount])) === described;
  return presetNames.find(same) ?? "own";
}

/** How its calls are authenticated. */
export function proofWords({ words: { paymentSources } }: ConsoleView, source: Source): string {
  const { proofs } = paymentSources;
  if (source.kind === "signed") return proofs.signed;
  const { proof } = parseProvider(source);
  return proof.kind === "addresses" ? proofs.addresses : proofs[proof.kind](proof.header);
}
