/** What stands in a phrase; another phrase is told in the same language. */
export type PhraseValue = string | number | Phrase | null | undefined;

/**
 * A sentence for people with its values apart, so that a page tells it in its reader's language (the chapter `refusals` of `http/words`). As text it is
 * English, which the API, the command line and logs speak.
 */
export class Phrase {
  /** In English, with {0}, {1}, ... for the values: the key of its translations. Null where there is nothing to translate. */
  readonly key: string | null;
  readonly values: readonly PhraseValue[];

  constructor(key: string | null, values: readonly PhraseValue[]) {
    this.key = key;
    this.values = values;
  }

  toString(): string {
    if (this.key === null) return this.values.join("");
    if (this.values.length === 0) return this.key;
    return this.key.replaceAll(/\{(\d+)\}/g, (_, at: string) => String(this.values[Number(at)]));
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A phrase of its own text: phrase`there is no invoice ${id}`. `scripts/words.ts` finds each and asks for its translations. */
export function phrase(texts: TemplateStringsArray, ...values: readonly PhraseValue[]): Phrase {
  const [first = "", ...others] = texts;
  return new Phrase(
    others.reduce((key, text, at) => `${key}{${at}}${text}`, first),
    values,
  );
}

/** Several, one after the other. */
export function phrases(all: readonly Phrase[], between = "; "): Phrase {
  const [only] = all;
  return all.length === 1 && only ? only : new Phrase(all.map((_, at) => `{${at}}`).join(between), all);
}

/** What is not ours to translate: the words of a router or a library, of the command line, or of a page in its reader's language already. */
export function verbatim(text: string): Phrase {
  return new Phrase(null, [text]);
}
