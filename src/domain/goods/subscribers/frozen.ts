import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";

export interface Freezable {
  readonly frozenAt: Seconds | null;
}

/** Throws `refused`. */
export function requireThawed(service: Freezable | undefined): void {
  if (!service || service.frozenAt === null) return;
  throw new DomainError(
    "refused",
    phrase`the service has been frozen since ${formatTime(service.frozenAt)}; thaw first`,
    { code: "service_frozen" },
  );
}

/** A frozen one as if thawed now. */
export function endAsThawed(expiresAt: Seconds, frozenAt: Seconds | null, now: Seconds): Seconds {
  return frozenAt === null ? expiresAt : expiresAt + Math.max(0, now - frozenAt);
}
