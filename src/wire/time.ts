import { formatOffsetTime, formatTime, type Seconds } from "../domain/core/time/time.ts";
import { formNow } from "./form.ts";

/** A time of an answer: the only place where records write one. */
export const writeTime = (at: Seconds): string =>
  formNow().time === "iso" ? formatOffsetTime(at) : formatTime(at);

/** The time as `writeTime` writes it; null for never. */
export const writeTimeOrNull = (at: Seconds | null): string | null => (at === null ? null : writeTime(at));
