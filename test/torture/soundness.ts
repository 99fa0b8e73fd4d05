import { Database } from "bun:sqlite";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Appliance, Outcome } from "../support/appliance.ts";

const Findings = Type.Array(
  Type.Object({ severity: Type.String(), subject: Type.String(), message: Type.String() }),
);

/** What `gatehouse check` calls an error. */
export async function checkFaults(appliance: Appliance): Promise<string[]> {
  const { stdout, stderr } = await appliance.run(["check", "--json"]);
  if (stdout === "") return [`check says nothing but: ${stderr.trim()}`];
  return Value.Parse(Findings, JSON.parse(stdout))
    .filter(({ severity }) => severity === "error")
    .map(({ subject, message }) => `check, ${subject}: ${message}`);
}

/** Milliseconds after which a command that has to refuse its work is taken to have begun it. */
const REFUSAL = 20_000;

/** How a command ends that has to refuse its work; a server that begins to serve instead is stopped. */
export async function endOf(appliance: Appliance, args: string[]): Promise<Outcome> {
  const child = appliance.spawn(args, "");
  const tooLate = setTimeout(() => child.kill("SIGKILL"), REFUSAL);
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  clearTimeout(tooLate);
  return { code, stdout, stderr };
}

/** A finished copy is sound, and has these sessions. */
export function copyFaults(file: string, sessions: readonly string[] = []): string[] {
  using copy = new Database(file, { readonly: true });
  const integrity = copy.query("PRAGMA integrity_check(1)").values()[0]?.[0];
  if (integrity !== "ok") return [`a backup is damaged: ${String(integrity)}`];
  const stored = new Set(
    copy
      .query("SELECT acct_session_id FROM sessions")
      .values()
      .map(([id]) => String(id)),
  );
  const missing = sessions.filter((id) => !stored.has(id));
  return missing.length === 0
    ? []
    : [`a backup lacks ${missing.length} sessions that were acknowledged before it`];
}
