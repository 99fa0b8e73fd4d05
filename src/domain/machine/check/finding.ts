import type { FindingKind, FindingValues } from "./kinds.ts";

/** The values of a finding, for translations. */
export type About<K extends FindingKind = FindingKind> = {
  [P in K]: { readonly kind: P; readonly values: FindingValues[P] };
}[K];

interface Line {
  subject: string;
  /** For command line and log. */
  message: string;
}

export type Fault = Line & { severity: "warning" | "error"; about: About };

export type Finding = (Line & { severity: "ok" }) | Fault;

export const printed = ({ severity, subject, message }: Finding) => ({ severity, subject, message });

/** A fault before its severity; `about` as kind and values. */
type Wrong = <K extends FindingKind>(
  subject: string,
  message: string,
  kind: K,
  values: FindingValues[K],
) => Fault;

const makeFault =
  (severity: Fault["severity"]): Wrong =>
  (subject, message, kind, values) => ({
    severity,
    subject,
    message,
    about: { kind, values } as About, // of one kind, as the parameters say
  });

export const ok = (subject: string, message: string): Finding => ({ severity: "ok", subject, message });
export const warning = makeFault("warning");
export const error = makeFault("error");
/** A fault that only a backup fixes. */
export const damaged = (subject: string, message: string, wrong: number): Fault =>
  error(subject, message, "books_damaged", { wrong });
