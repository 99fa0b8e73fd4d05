/** One thing that was looked at; a warning or an error says what to do. */
export interface Finding {
  severity: "ok" | "warning" | "error";
  /** What was looked at, in one or two words. */
  subject: string;
  message: string;
}

export const ok = (subject: string, message: string): Finding => ({ severity: "ok", subject, message });
export const warning = (subject: string, message: string): Finding => ({
  severity: "warning",
  subject,
  message,
});
export const error = (subject: string, message: string): Finding => ({ severity: "error", subject, message });
