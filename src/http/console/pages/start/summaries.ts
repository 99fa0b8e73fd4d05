import type { SetupFacts } from "../../../../domain/machine/setup/facts.ts";
import type { SetupStep } from "../../../../domain/machine/setup/setup.ts";
import type { StaffVisit } from "../../guard.ts";

/** undefined where its result is gone again. */
export function summarize(
  { view, account }: StaffVisit,
  facts: SetupFacts,
  step: SetupStep,
): string | undefined {
  const { start: words } = view.words;
  const { format } = view;
  const { isp, currency, zone, package: sold, router, subscriber, backups } = facts;
  switch (step) {
    case "password":
      return (account.totpSecret === null ? words.password.done : words.password.withCode)(account.username);
    case "isp":
      return isp ? words.isp.done(isp.name, currency, zone || Temporal.Now.timeZoneId()) : undefined;
    case "package": {
      if (!sold) return undefined;
      const speed = format.speed(sold.rateLimit);
      const price = format.sum(sold.price, currency);
      const span = format.span(sold.duration, sold.durationUnit);
      return words.package.done(
        sold.name,
        speed ? words.package.both(speed.down, speed.up) : "",
        span,
        price,
      );
    }
    case "router":
      return router ? words.router.done(router.name, router.address) : undefined;
    case "subscriber":
      return subscriber ? words.subscriber.done(subscriber.name, subscriber.username) : undefined;
    case "backup_place":
      return backups.hours === 0
        ? words.backup_place.none
        : words.backup_place.done(backups.folder, backups.hours, backups.isBeside);
    case "backup_passphrase":
      return backups.holdKey ? words.backup_passphrase.done : undefined;
  }
}
