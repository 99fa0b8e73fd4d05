import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";

const count = Type.Integer();
const ports = Type.Array(Type.String());

/** A router from which nothing came: seconds that it is silent at other times (null: too new to say), and reports that are overdue. */
const silent = Type.Object({
  sign: Type.Literal("silent"),
  usual: Type.Union([count, Type.Null()]),
  overdue: count,
  /** Other routers with sessions, and those of them that were heard meanwhile. */
  others: count,
  othersHeard: count,
});

/** Lines whose ends were told: within how many seconds, how many went on, and the most that went together in the last weeks. */
const lost = Type.Object({
  sign: Type.Literal("lost"),
  seconds: count,
  answering: count,
  most: count,
  ports,
  answeringPorts: ports,
});

const evidence = Type.Union([silent, lost]);

/** What showed an outage when it was found, in figures. */
export type Evidence = Static<typeof evidence>;

/** Of a row that says nothing of it that can be read: the outage and its lines are there all the same. */
export type StoredEvidence = Evidence | { readonly sign: "unknown" };

let compiled: ReturnType<typeof TypeCompiler.Compile<typeof evidence>> | undefined;

export function evidenceOf(json: string): StoredEvidence {
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
