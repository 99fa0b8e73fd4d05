import type { FindingKind, FindingValues } from "./kinds.ts";

/** What a fault is about, for who says it in words of its own. */
export type About<K extends FindingKind = FindingKind> = {
  [P in K]: { readonly kind: P; readonly values: FindingValues[P] };
}[K];

interface Line {
  /** What was looked at, in one or two words. */
  subject: string;
  /** For the command line and the log. */
  message: string;
}

export type Fault = Line & { severity: "warning" | "error"; about: About };

export type Finding = (Line & { severity: "ok" }) | Fault;

/** A finding as the command line and the interface print it. */
export const printed = ({ severity, subject, message }: Finding) => ({ severity, subject, message });

/** Something that is wrong, before it is said how badly; `about` as kind and values. */
type Wrong = <K extends FindingKind>(
  subject: string,
  message: string,
  kind: K,
  values: FindingValues[K],
) => Fault;

const faultOf =
  (severity: Fault["severity"]): Wrong =>
  (subject, message, kind, values) => ({
    severity,
    subject,
    message,
    about: { kind, values } as About, // of one kind, as the parameters say
  });

export const ok = (subject: string, message: string): Finding => ({ severity: "ok", subject, message });
export const warning = faultOf("warning");
export const error = faultOf("error");
/** What only a backup mends. */
export const damaged = (subject: string, message: string, wrong: number): Fault =>
  error(subject, message, "books_damaged", { wrong });
