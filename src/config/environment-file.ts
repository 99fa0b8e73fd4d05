/** A line of an environment file that systemd would not take: the service would not start with it. */
export class EnvironmentFileError extends Error {
  override name = "EnvironmentFileError";
}

const NEWLINE = "\n\r";
const BLANK = " \t\n\r";
/** The characters that a backslash escapes between double quotes; before any other it is a plain backslash. */
const ESCAPED_IN_QUOTES = '"\\`$';
/** Valid names of variables; other lines are skipped. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

type State =
  | "before name"
  | "name"
  | "before value"
  | "value"
  | "escaped"
  | "single quotes"
  | "double quotes"
  | "escaped in double quotes"
  | "comment"
  | "escaped in comment";

/**
 * Reads an environment file as systemd does (systemd.exec(5), EnvironmentFile=): a value may be quoted either way, and several
 * quoted pieces are joined; a backslash makes the next character literal, and at the end of a line continues it, in comments
 * too (systemd up to 253); lines that start with # or ; are comments, a # later in a line is not; blanks around a value are
 * dropped. The last assignment of a name wins.
 */
export class EnvironmentFile {
  readonly #assigned: Record<string, string> = {};
  #state: State = "before name";
  #name = "";
  #value = "";
  /** Length of the value so far: unquoted blanks at its end are dropped. */
  #kept = 0;

  /** The assignments of a file. Throws EnvironmentFileError where systemd would not take it. */
  static read(bytes: Uint8Array): Readonly<Record<string, string>> {
    const file = new EnvironmentFile();
    for (const character of decode(bytes)) file.#next(character);
    if (!["before name", "name", "comment", "escaped in comment"].includes(file.#state)) file.#assign();
    return file.#assigned;
  }

  #next(character: string): void {
    switch (this.#state) {
      case "before name":
        if (character === "#" || character === ";") this.#state = "comment";
        else if (!BLANK.includes(character)) this.#begin(character);
        return;
      case "name":
        if (NEWLINE.includes(character)) this.#state = "before name";
        else if (character === "=") this.#state = "before value";
        else this.#name += character;
        return;
      case "before value":
        return this.#beginValue(character);
      case "value":
        if (NEWLINE.includes(character)) this.#assign();
        else if (character === "\\") this.#escape();
        else this.#add(character, !BLANK.includes(character));
        return;
      case "escaped":
        this.#state = "value";
        if (!NEWLINE.includes(character)) this.#add(character);
        return;
      case "single quotes":
        if (character === "'") this.#state = "before value";
        else this.#add(character);
        return;
      case "double quotes":
        if (character === '"') this.#state = "before value";
        else if (character === "\\") this.#state = "escaped in double quotes";
        else this.#add(character);
        return;
      case "escaped in double quotes":
        this.#state = "double quotes";
        if (ESCAPED_IN_QUOTES.includes(character)) this.#add(character);
        else if (character !== "\n") this.#add(`\\${character}`);
        return;
      case "comment":
        if (character === "\\") this.#state = "escaped in comment";
        else if (NEWLINE.includes(character)) this.#state = "before name";
        return;
      case "escaped in comment":
        this.#state = "comment";
    }
  }

  #begin(character: string): void {
    this.#state = "name";
    this.#name = character;
    this.#value = "";
    this.#kept = 0;
  }

  /** Also after a closing quote, where another piece of the value may follow. */
  #beginValue(character: string): void {
    if (NEWLINE.includes(character)) this.#assign();
    else if (character === "'") this.#state = "single quotes";
    else if (character === '"') this.#state = "double quotes";
    else if (character === "\\") this.#escape();
    else if (!BLANK.includes(character)) {
      this.#state = "value";
      this.#add(character);
    }
  }

  /** Blanks before a backslash stay. */
  #escape(): void {
    this.#state = "escaped";
    this.#kept = this.#value.length;
  }

  #add(text: string, isKept = true): void {
    this.#value += text;
    if (isKept) this.#kept = this.#value.length;
  }

  #assign(): void {
    const name = this.#name.trimEnd();
    if (NAME.test(name)) this.#assigned[name] = this.#value.slice(0, this.#kept);
    this.#state = "before name";
  }
}

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // which is the answer
  }
  throw new EnvironmentFileError("is not UTF-8 text; write it again");
}
