/** A secret that must not be found, in every form in which bytes leak. */
interface Needle {
  readonly name: string;
  readonly forms: readonly { readonly as: string; readonly bytes: Buffer }[];
}

/** Looks for secrets by value. */
export class Needles {
  readonly #needles: Needle[] = [];

  add(name: string, secret: string | Buffer): void {
    if (secret.length < 8) throw new Error(`${name} is too short to be told from other bytes`);
    this.#needles.push({ name, forms: formsOf(Buffer.from(secret as string)) });
  }

  get size(): number {
    return this.#needles.length;
  }

  /** What is found in the bytes, as "NAME as FORM"; but not those that may stand there. */
  in(haystack: Buffer | string, allowed: readonly string[] = []): string[] {
    const bytes = typeof haystack === "string" ? Buffer.from(haystack) : haystack;
    return this.#needles.flatMap(({ name, forms }) => {
      const found = allowed.includes(name) ? undefined : forms.find((form) => bytes.includes(form.bytes));
      return found ? [`${name} as ${found.as}`] : [];
    });
  }

  /** Every form that a search does not find in bytes that hold it: the search itself is to be trusted. */
  blind(): string[] {
    return this.#needles.flatMap(({ name, forms }) =>
      forms
        .filter(
          ({ bytes }) =>
            this.in(Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")])).length === 0,
        )
        .map(({ as }) => `${name} as ${as}`),
    );
  }
}

function formsOf(secret: Buffer): Needle["forms"] {
  const hex = secret.toString("hex");
  const text = secret.toString("latin1");
  const little = Buffer.from(text, "utf16le");
  return [
    { as: "bytes", bytes: secret },
    { as: "hex", bytes: Buffer.from(hex) },
    { as: "HEX", bytes: Buffer.from(hex.toUpperCase()) },
    { as: "UTF-16", bytes: little },
    { as: "UTF-16, big end first", bytes: Buffer.from(little).swap16() },
    { as: "JSON", bytes: Buffer.from(JSON.stringify(text).slice(1, -1)) },
    { as: "part of a URL", bytes: Buffer.from(encodeURIComponent(text)) },
    ...[0, 1, 2].map((shift) => ({ as: `base64 at ${shift}`, bytes: base64Within(secret, shift) })),
  ];
}

/** What of a base64 text is the same whatever stands around the secret, which begins so many bytes after a group of three. */
function base64Within(secret: Buffer, shift: number): Buffer {
  const text = Buffer.concat([Buffer.alloc(shift), secret]).toString("base64url");
  const whole = Math.floor(((shift + secret.length) * 8) / 24) * 4;
  return Buffer.from(text.slice(shift === 0 ? 0 : 4, whole));
}
