import pino from "pino";
import type { LogLevel } from "./config/config.ts";
import { printableJson } from "./domain/core/fields/text.ts";

export type Log = pino.Logger;

const secretName = /pass|secret|token|authorization|cookie|credential|api_?key|private_?key|_sealed|sealed$/i;
const CENSORED = "[redacted]";
const DEPTH = 6;

/** JSON log lines; properties named like secrets are redacted at every depth, errors included. */
export function createLog(level: LogLevel, output: { write(line: string): unknown }): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: redact,
      },
      // bindings of a child logger bypass the formatter
      redact: { paths: ["password", "secret", "token", "authorization", "cookie"], censor: CENSORED },
      serializers: { err: (error: Error) => redact(pino.stdSerializers.err(error)) },
    },
    {
      write: (line: string) => {
        output.write(printableJson(line));
      },
    },
  );
}

function redact(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, censor(name, value, DEPTH)]),
  );
}

function censor(name: string, value: unknown, depth: number): unknown {
  if (secretName.test(name)) return typeof value === "boolean" || value === null ? value : CENSORED;
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (depth === 0) return "[too deep]";
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map((item) => censor("", item, depth - 1));
  const entries = value instanceof Headers || value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item]) => [String(key), censor(String(key), item, depth - 1)]),
  );
}
