import { setupStepNames } from "../../../domain/machine/setup/setup.ts";
import type { Messages } from "../compiled/messages.ts";
import type { SettingsInWords } from "./settings.ts";

type Named = Readonly<Record<string, string>>;
type Sentence = (what: string) => string;

/** What stands by entity and verb, by the action that the trail knows: `subscriber.create`. */
export function byAction<T>(words: Readonly<Record<string, Readonly<Record<string, T>>>>): Record<string, T> {
  const all = Object.entries(words).flatMap(([entity, verbs]) =>
    Object.entries(verbs).map(([verb, said]) => [`${entity}.${verb}`, said] as const),
  );
  return Object.fromEntries(all);
}

export function trailWords(
  m: Messages["trail"],
  { packageFields, start, subscriber }: Pick<Messages, "packageFields" | "start" | "subscriber">,
  settings: SettingsInWords,
) {
  const said: Readonly<Record<string, string | Sentence>> = byAction(m.actions);
  const actions: Readonly<Record<string, Sentence>> = Object.fromEntries(
    Object.entries(said).map(([action, each]) => [action, typeof each === "string" ? () => each : each]),
  );
  const entities: Named = { ...m.entities, ...m.places };
  /** What is called as on its own page, and is no row that has a name. */
  const named: Readonly<Record<string, Named>> = {
    setup: Object.fromEntries(setupStepNames.map((step) => [step, `“${start[step].title}”`])),
    setting: Object.fromEntries(Object.entries(settings).map(([key, { name }]) => [key, name])),
  };
  return {
    ...m,
    /** As staff would say it. */
    actions,
    entities,
    /** Labels; others keep API names. */
    fields: { ...packageFields.fields, ...subscriber.fields, ...m.fields } as Named,
    /** Unknown actions. */
    other:
      (action: string): Sentence =>
      (what) =>
        `${action.replaceAll(/[._]/g, " ")} ${what}`,
    /** Without its object, for the filter. */
    verb: (action: string) =>
      (actions[action]?.("") ?? action)
        .replaceAll(/\s+/g, " ")
        .replace(/[\s,،]+$/, "")
        .replaceAll(/ (?=[,،])/g, ""),
    numbered: (entity: string, id: string) =>
      named[entity]?.[id] ?? (["setting", "backup"].includes(entity) || id === "" ? id : m.numbered(id)),
    whole: (entity: string, id: string) => `${entities[entity] ?? entity} ${named[entity]?.[id] ?? id}`,
    sources: m.sources as Named,
    actors: m.actors as Named,
    labels: m.labels as Named,
    nothing: "–",
    times: (count: string) => `${count}×`,
  };
}
