import { CommandError, type Io } from "./io.ts";

const ENTER = new Set(["\r", "\n"]);
const BACKSPACE = new Set(["\b", "\x7f"]);
/** Control-C and Control-D. */
const CANCEL = new Set(["\x03", "\x04"]);

export async function readSecretFromStdin({ stdin }: Io, name: string): Promise<string> {
  const secret = decodeText(await readBytes(stdin)).replace(/\r?\n$/, "");
  if (secret === "") throw new CommandError(`standard input is empty; write the ${name} to it`);
  return secret;
}

export async function readBytes(stdin: Io["stdin"]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

/** Throws for bytes that are no UTF-8 rather than replace them. Drops a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Asks without echo; several questions share one reading of standard input. Throws where there is no terminal, naming `option`. */
export async function askSecrets(
  io: Io,
  questions: readonly string[],
  option?: `--${string}-stdin`,
): Promise<string[]> {
  return withQuestions(io, option, async (ask) => {
    const answers: string[] = [];
    for (const question of questions) answers.push(await ask(question));
    return answers;
  });
}

/** `isSeen` echoes what is typed. */
export type AskAtTerminal = (question: string, isSeen?: boolean) => Promise<string>;

/** `body` may ask several questions, which share one reading of standard input. Throws as `askSecrets`. */
export async function withQuestions<T>(
  io: Io,
  option: `--${string}-stdin` | undefined,
  body: (ask: AskAtTerminal) => Promise<T>,
): Promise<T> {
  const { stdin, stderr } = io;
  if (!stdin.isTTY || !stdin.setRawMode) {
    const instead = option ? `write it there, and use ${option}` : "write it there";
    throw new CommandError(`standard input is not a terminal to ask at; ${instead}`);
  }
  const keys = readKeys(stdin);
  stdin.setRawMode(true);
  try {
    return await body(async (question, isSeen = false) => {
      stderr.write(question);
      const answer = await readLine(keys);
      stderr.write(isSeen ? `${answer}\n` : "\n");
      return answer;
    });
  } finally {
    stdin.setRawMode(false);
    await keys.return(undefined);
  }
}

export async function newPassphrase(io: Io, fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin) return readSecretFromStdin(io, "passphrase");
  const [passphrase = "", again] = await askSecrets(io, ["Passphrase: ", "Again: "], "--passphrase-stdin");
  if (passphrase !== again) throw new CommandError("the two passphrases differ; try again");
  return passphrase;
}

export async function newPassword(io: Io, fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin) return readSecretFromStdin(io, "password");
  const [password = "", again] = await askSecrets(io, ["New password: ", "Again: "], "--password-stdin");
  if (password !== again) throw new CommandError("the two passwords differ; try again");
  return password;
}

async function* readKeys(stdin: Io["stdin"]): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of stdin)
    yield* typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
}

async function readLine(keys: AsyncGenerator<string, void, undefined>): Promise<string> {
  const characters: string[] = [];
  for (;;) {
    const key = await keys.next();
    if (key.done || CANCEL.has(key.value)) throw new CommandError("cancelled; nothing was changed");
    if (ENTER.has(key.value)) return characters.join("");
    if (BACKSPACE.has(key.value)) characters.pop();
    else characters.push(key.value);
  }
}
