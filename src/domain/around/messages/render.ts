import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Chosen } from "./by-hand.ts";
import { MessageFormat } from "./formats.ts";
import { fillMarks, marksIn } from "./marks.ts";
import { languagesOf, textFor } from "./templates.ts";
import { type About, fieldValues, type FieldValues } from "./values.ts";

export interface Rendered {
  readonly language: string;
  readonly subject: string;
  readonly body: string;
}

/** Whose language it is in: a subscriber's, or one of the staff, who read the ISP's. */
interface Reader {
  readonly subscriberId: number | null;
}

/** The text of a name for somebody, filled in; undefined: there is no such text any more. */
export function rendered(
  db: Db,
  { template, about, reader }: { template: string; about: About; reader: Reader },
  now: Seconds,
): Rendered | undefined {
  const texts = languagesOf(db, { ispId: about.ispId, name: template });
  const text = textFor(texts, languageOf(db, reader), setting(db, "message_language", about.ispId));
  if (!text) return undefined;
  const { language } = text;
  return { language, ...filled(text, fieldValues(db, about, { language, now }), language) };
}

/** Subject and body with the values of their fields; a line of the body whose fields are all empty is left out. */
export function filled(
  { subject, body }: { subject: string; body: string },
  values: FieldValues,
  language: string,
): { subject: string; body: string } {
  const format = new MessageFormat(language);
  const value = (name: string) => {
    const found: string = Reflect.get(values, name) ?? "";
    // an address is copied as it is
    return name === "pay_link" ? found : format.placed(found);
  };
  const lines = body.split("\n").filter((line) => {
    const names = marksIn(line);
    // `Pay at {{pay_link}}` where there is no such address
    return names.length === 0 || names.some((name) => value(name) !== "");
  });
  return { subject: fillMarks(subject, value).trim(), body: fillMarks(lines.join("\n"), value).trim() };
}

/** What was chosen to be written to a subscriber, filled in; undefined: there is no such text any more. */
export function renderedFor(
  db: Db,
  { template, own }: Pick<Chosen, "template" | "own">,
  about: About,
  now: Seconds,
): Rendered | undefined {
  const reader = { subscriberId: about.subscriberId };
  if (own === null) return rendered(db, { template, about, reader }, now);
  const language = languageOf(db, reader) ?? setting(db, "message_language", about.ispId);
  return { language, ...filled(own, fieldValues(db, about, { language, now }), language) };
}

function languageOf({ $client }: Db, { subscriberId }: Reader): string | null {
  if (subscriberId === null) return null;
  const row = $client
    .query<{ language: string | null }, [number]>("SELECT language FROM subscribers WHERE id = ?")
    .get(subscriberId);
  return row?.language ?? null;
}
