/** A word of a command, without quotes and escapes. */
export interface Token {
  readonly text: string;
  /** Where the value of `name=value` begins; -1: it is a word. */
  readonly valueAt: number;
}

const isBlank = (char: string | undefined) => char === " " || char === "\t";
const isEnd = (char: string | undefined) => char === undefined || char === "\n" || char === "\r";

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
  _: " ",
};

/** Takes the commands of an export apart, one after the other; each character is a byte of the file. */
export class Scanner {
  at: number;
  lines = 0;
  /** The text ended within a value or after a backslash. */
  broken = false;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Up to the end of its line, which may be several of the file. */
  command(): Token[] {
    const tokens: Token[] = [];
    for (;;) {
      this.#skipBlanks();
      const char = this.#text[this.at];
      if (isEnd(char)) {
        this.#endLine();
        return tokens;
      }
      if (char === "#" && tokens.length === 0) {
        while (!isEnd(this.#text[this.at])) this.at++;
        continue;
      }
      tokens.push(char === "[" ? this.#bracket() : this.#word());
      if (this.broken) return tokens;
    }
  }

  #endLine(): void {
    if (this.#text[this.at] === "\r") this.at++;
    if (this.#text[this.at] === "\n") this.at++;
    this.lines++;
  }

  #skipBlanks(): void {
    while (isBlank(this.#text[this.at]) || this.#continues()) {
      if (isBlank(this.#text[this.at])) this.at++;
      else this.#join();
    }
  }

  /** Whether a backslash ends the line here. */
  #continues(): boolean {
    return this.#text[this.at] === "\\" && isEnd(this.#text[this.at + 1]);
  }

  /** Goes on in the next line, whose indentation is none of the value's. */
  #join(): void {
    this.at++;
    if (this.at >= this.#text.length) this.broken = true;
    this.#endLine();
    while (isBlank(this.#text[this.at])) this.at++;
    if (this.at >= this.#text.length) this.broken = true;
  }

  /** `[ find default=yes ]`, as one token. */
  #bracket(): Token {
    let text = "";
    let depth = 0;
    for (;;) {
      if (this.#continues()) {
        this.#join();
        continue;
      }
      const char = this.#text[this.at];
      if (isEnd(char)) {
        this.broken = char === undefined;
        return { text, valueAt: -1 };
      }
      if (char === '"') {
        text += JSON.stringify(this.#quoted());
        continue;
      }
      text += char;
      this.at++;
      if (char === "[") depth++;
      if (char === "]" && --depth === 0) return { text, valueAt: -1 };
    }
  }

  #word(): Token {
    let text = "";
    let valueAt = -1;
    for (;;) {
      if (this.broken) return { text, valueAt };
      if (this.#continues()) {
        this.#join(); // where a new word begins, a blank stands before the backslash
        continue;
      }
      const char = this.#text[this.at];
      if (isEnd(char) || isBlank(char)) return { text, valueAt };
      if (char === '"') {
        text += this.#quoted();
        continue;
      }
      if (char === "\\") {
        text += this.#escape();
        continue;
      }
      text += char;
      this.at++;
      if (char === "=" && valueAt < 0) valueAt = text.length;
    }
  }

  #quoted(): string {
    let text = "";
    this.at++;
    for (;;) {
      if (this.broken) return text;
      if (this.#continues()) {
        this.#join();
        continue;
      }
      const char = this.#text[this.at];
      if (char === undefined) {
        this.broken = true;
        return text;
      }
      if (char === '"') {
        this.at++;
        return text;
      }
      if (char === "\\") {
        text += this.#escape();
        continue;
      }
      if (char === "\n") this.lines++;
      text += char;
      this.at++;
    }
  }

  /** `\"`, `\n`, `\_` (a blank), `\E0` (a byte); what is escaped without need is itself. */
  #escape(): string {
    const hex = /^[0-9A-F]{2}/.exec(this.#text.slice(this.at + 1, this.at + 3))?.[0];
    if (hex !== undefined) {
      this.at += 3;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const char = this.#text[this.at + 1] ?? "";
    this.at += 2;
    return escapes[char] ?? char;
  }
}
