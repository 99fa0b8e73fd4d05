import { expect, test } from "bun:test";
import { join } from "node:path";
import { makeSecret, signedHeaders } from "../../src/domain/core/signatures/signature.ts";

const handbook = await Bun.file(join(import.meta.dir, "../../systemd/handbook/tasks/webhooks.md")).text();
const linesIn = (language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(handbook)?.[1] ?? "";

const body = '{"type":"payment.received","data":{"name":"Zoë \\u2028"}}';
const secret = makeSecret();

/** What a program that has the lines of the handbook in it says of a call. */
async function verdict(
  [command, prelude, page]: readonly [string[], string, string],
  delivery: { body: string; at: number },
) {
  const headers = signedHeaders([makeSecret(), secret], { uid: "evt_1", at: delivery.at, body });
  const env = {
    PATH: process.env["PATH"] ?? "",
    SECRET: secret,
    ID: "evt_1",
    BODY: delivery.body,
    TIME: String(delivery.at),
    SIGNATURES: headers["webhook-signature"] ?? "",
  };
  const language = command[0] === "python3" ? "python" : command[0] === "php" ? "php" : "js";
  const text = `${prelude}\n${linesIn(language)}\n${page}`;
  const child = Bun.spawn([...command, text], { env, stdout: "pipe", stderr: "inherit" });
  return (await child.stdout.text()).trim();
}

const node = `import { createHmac, timingSafeEqual } from "node:crypto";
const { SECRET: secret, ID: id, TIME: time, SIGNATURES: signatures, BODY: body } = process.env;`;
const python = `import base64, hmac, os, time as clock
secret, id, time, signatures = (os.environ[name] for name in ("SECRET", "ID", "TIME", "SIGNATURES"))
body = os.environ["BODY"].encode()`;
const php = `[$secret, $id, $time, $signatures, $body] = array_map('getenv', ['SECRET', 'ID', 'TIME', 'SIGNATURES', 'BODY']);`;

const languages = [
  ["Node", [[process.execPath, "-e"], node, "console.log(good ? 'yes' : 'no');"]],
  ["Python", [["python3", "-c"], python, "print('yes' if good else 'no')"]],
  ["PHP", [["php", "-r"], php, "echo $good ? 'yes' : 'no';"]],
] as const;

for (const [name, program] of languages)
  test.skipIf(Bun.which(program[0][0]) === null)(
    `the lines of the handbook for ${name} take what is signed, and nothing else`,
    async () => {
      const at = Math.floor(Date.now() / 1000);
      const requests = [...program] as unknown as readonly [string[], string, string];
      expect(await verdict(requests, { body, at })).toBe("yes");
      expect(await verdict(requests, { body: `${body} `, at })).toBe("no");
      expect(await verdict(requests, { body, at: at - 301 })).toBe("no");
    },
  );
