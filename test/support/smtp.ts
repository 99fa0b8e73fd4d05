import { join } from "node:path";

export interface Mail {
  readonly to: string[];
  readonly from: string;
  readonly secure: boolean;
  readonly user?: string;
  readonly text: string;
}

/** A mail server process (smtp-process.ts), and the mails that it took. */
export async function mailServer({
  cert = "",
  key = "",
  secure = false,
  login = false,
}: { cert?: string; key?: string; secure?: boolean; login?: boolean } = {}) {
  const script = join(import.meta.dir, "smtp-process.ts");
  const child = Bun.spawn([process.execPath, script, JSON.stringify({ cert, key, secure, login })], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const mails: Mail[] = [];
  const waiting: { count: number; done: () => void }[] = [];
  const { promise: port, resolve: started } = Promise.withResolvers<number>();
  const reading = (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const text = JSON.parse(line);
        if (text.port) started(text.port);
        else mails.push(text);
      }
      for (const { count, done } of waiting) if (mails.length >= count) done();
    }
  })();
  return {
    port: await port,
    mails,
    took: (count: number) =>
      new Promise<Mail[]>((resolve) => {
        waiting.push({ count, done: () => resolve(mails) });
        if (mails.length >= count) resolve(mails);
      }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await reading;
    },
  };
}

/** Headers of a mail that was not folded, by a name. */
export function headerOf({ text }: Mail, name: string): string | undefined {
  const head = text.split("\r\n\r\n")[0] ?? "";
  return head
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim();
}
