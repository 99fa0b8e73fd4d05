export interface Token {
  readonly text: string;
  /** -1: a word without a value. */
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

/** Splits an export into commands, one character a byte. */
export class Scanner {
  at: number;
  lines = 0;
  /** Ended within a value. */
  broken = false;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

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

  /** A continuation mark. */
  #continues(): boolean {
    return this.#text[this.at] === "\\" && isEnd(this.#text[this.at + 1]);
  }

  /** Joins lines without the indentation. */
  #join(): void {
    this.at++;
    if (this.at >= this.#text.length) this.broken = true;
    this.#endLine();
    while (isBlank(this.#text[this.at])) this.at++;
    if (this.at >= this.#text.length) this.broken = true;
  }

  /** `[ find default=yes ]`. */
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

  /** `\"`, `\n`, `\_` (a blank), `\E0` (a byte); others stand for themselves. */
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
