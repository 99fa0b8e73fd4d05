import { DomainError } from "../../core/errors/errors.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";

/** What a service stands still by. */
export interface Freezable {
  readonly frozenAt: Seconds | null;
}

/** Throws `refused` for a service that stands still. */
export function requireThawed(service: Freezable | undefined): void {
  if (!service || service.frozenAt === null) return;
  throw new DomainError(
    "refused",
    `the service has been frozen since ${formatTime(service.frozenAt)}; thaw first`,
    { code: "service_frozen" },
  );
}

/** When a service ends; one that is frozen, as if it were thawed now. */
export function endAsThawed(expiresAt: Seconds, frozenAt: Seconds | null, now: Seconds): Seconds {
  return frozenAt === null ? expiresAt : expiresAt + Math.max(0, now - frozenAt);
}
