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

const compiled = TypeCompiler.Compile(evidence);

/** As it was stored. */
export function evidenceOf(json: string): Evidence {
  const stored: unknown = JSON.parse(json);
  if (compiled.Check(stored)) return stored;
  throw new Error(`the evidence of an outage is not readable: ${json}`);
}
