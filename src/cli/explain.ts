import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { UnreadableEnvironment } from "../config/env.ts";
import { formatListen } from "../config/listen.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { faultText } from "../domain/machine/imports/data-set/fault-groups.ts";
import { ImportRefused } from "../domain/machine/imports/data-set/import-refused.ts";
import { errorCode, ListenError } from "../listen-error.ts";

/** One line for each fault: what is wrong and what to do. */
export function explain(error: unknown, readConfig: () => Config): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  if (error instanceof ImportRefused) return explainFaults(error);
  if (error instanceof DomainError) return explainRefusal(error);
  if (!(error instanceof Error)) return [String(error)];
  if (error instanceof UnreadableEnvironment) return [explainEnvironment(error)];
  if (error instanceof ListenError) return [explainListening(error, readConfig())];
  return [
    explainStore(error, () => readConfig().dataDir) ??
      explainFile(error, pathOf(error)) ??
      error.message.replace(/\s*\n\s*/g, " "),
  ];
}

/** Words of a command that stops: without the service's configuration it would work on another store, or make one. */
function explainEnvironment({ file, cause, message }: UnreadableEnvironment): string {
  const isClosed = /^(EACCES|EPERM)$/.test(String(errorCode(cause)));
  if (isClosed) return `you may not read ${file}; run it as root (sudo gatehouse) or as the user gatehouse`;
  return explainFile(cause, file) ?? message;
}

/** What SQLite reports about the store; undefined for any other error. */
export function explainStore(error: unknown, folder: () => string): string | undefined {
  const code = String(errorCode(error));
  const found = storeFaults.find(([prefix]) => code.startsWith(prefix));
  return found?.[1](join(folder(), "gatehouse.db"));
}

const storeFaults: readonly [prefix: string, sentence: (database: string) => string][] = [
  ["SQLITE_BUSY", (database) => `${database} is busy with another long write; try again`],
  [
    "SQLITE_NOTADB",
    (database) =>
      `${database} is damaged: it is not a database; bring the last backup back: gatehouse restore FILE`,
  ],
  [
    "SQLITE_CORRUPT",
    (database) => `${database} is damaged; bring the last backup back: gatehouse restore FILE`,
  ],
  [
    "SQLITE_FULL",
    (database) => `the disk of ${database} is full; nothing was changed, make room and try again`,
  ],
  [
    "SQLITE_IOERR",
    (database) =>
      `the disk of ${database} fails; nothing was changed, look at it (dmesg) and at its free space`,
  ],
  [
    "SQLITE_READONLY",
    (database) =>
      `${database} cannot be written to; run this as its owner (sudo -u gatehouse), or make its disk and folder writable`,
  ],
  [
    "SQLITE_CANTOPEN",
    (database) =>
      `${database} cannot be opened; run this as its owner (sudo -u gatehouse), make its folder accessible, or make room on its disk`,
  ],
];

/** What the system reports about a file or folder; undefined for any other error. */
export function explainFile(error: unknown, path: string): string | undefined {
  return fileFaults.get(String(errorCode(error)))?.(path);
}

const fileFaults = new Map<string, (path: string) => string>([
  ["ENOENT", (path) => `${path} does not exist; check the path`],
  ["EISDIR", (path) => `${path} is a folder; name a file`],
  ["ENOTDIR", (path) => `${path} cannot be: a part of the path is a file, not a folder; check the path`],
  ["EACCES", inaccessible],
  ["EPERM", inaccessible],
  ["EROFS", (path) => `${path} is on a disk that is mounted read-only; make it writable`],
  ["ENOSPC", (path) => `the disk of ${path} is full; make room and try again`],
  ["EDQUOT", (path) => `the quota of ${path} is used up; make room and try again`],
]);

/** The command that the installer made runs as the user of the service, also for root. */
function inaccessible(path: string): string {
  return `${path} is not accessible to the user who runs this, of an installation always gatehouse; use standard input or output (-) for it, or a place of that user`;
}

function pathOf(error: Error): string {
  return "path" in error && typeof error.path === "string" ? error.path : "a file";
}

function explainListening({ listener, host, port, reason }: ListenError, config: Config): string {
  const variables: [name: string, listener: ListenError["listener"], listen: Config["publicListen"]][] = [
    ["GATEHOUSE_HTTP_LISTEN", "http", config.httpListen],
    ["GATEHOUSE_PUBLIC_LISTEN", "http", config.publicListen],
    ["GATEHOUSE_WALLED_LISTEN", "http", config.walledListen],
    ["GATEHOUSE_RADIUS_AUTH_LISTEN", "auth", config.radiusAuthListen],
    ["GATEHOUSE_RADIUS_ACCT_LISTEN", "acct", config.radiusAcctListen],
  ];
  const [name] = variables.findLast(
    ([, of, listen]) => of === listener && listen?.host === host && listen.port === port,
  ) ?? ["a listener"];
  return `${name} ${formatListen({ host, port })}: ${reason}`;
}

/** Kinds of fault that are printed at the most. */
const KINDS = 50;

/** One line for each kind of fault in a file. */
function explainFaults({ fields, groups, message }: ImportRefused): string[] {
  const lines = groups.slice(0, KINDS).map(faultText);
  if (lines.length < groups.length) lines.push(`and ${groups.length - lines.length} other kinds of fault`);
  const isShort = lines.length < Object.keys(fields ?? {}).length;
  return [...lines, isShort ? `${message}; --json names each of them` : message];
}

function explainRefusal({ message, fields = {} }: DomainError): string[] {
  const names = Object.keys(fields);
  const faults = names.flatMap((name) => (fields[name] ?? []).map((text) => `${name} ${text}`.trimStart()));
  const saysAll = faults.every((fault) => message.includes(fault));
  if (saysAll) return [message];
  return [message === `check ${names.join(", ")}` ? faults.join("; ") : `${message}: ${faults.join("; ")}`];
}
