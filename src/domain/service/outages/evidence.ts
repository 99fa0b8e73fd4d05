import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";

const count = Type.Integer();
const ports = Type.Array(Type.String());

/** A silent router: usual silence in seconds (null: too new), and overdue reports. */
const silent = Type.Object({
  sign: Type.Literal("silent"),
  usual: Type.Union([count, Type.Null()]),
  overdue: count,
  /** Other routers with sessions, and how many were heard. */
  others: count,
  othersHeard: count,
});

/** Reported session ends: within how many seconds, lines still online, and the most at once in recent weeks. */
const lost = Type.Object({
  sign: Type.Literal("lost"),
  seconds: count,
  answering: count,
  most: count,
  ports,
  answeringPorts: ports,
});

const evidence = Type.Union([silent, lost]);

/** Figures at the detection of an outage. */
export type Evidence = Static<typeof evidence>;

/** `unknown`: the stored evidence cannot be read, but the outage and its lines are there. */
export type StoredEvidence = Evidence | { readonly sign: "unknown" };

let compiled: ReturnType<typeof TypeCompiler.Compile<typeof evidence>> | undefined;

export function parseEvidence(json: string): StoredEvidence {
  compiled ??= TypeCompiler.Compile(evidence);
  const stored = parsed(json);
  return compiled.Check(stored) ? stored : { sign: "unknown" };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
