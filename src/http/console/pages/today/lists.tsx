import { expiringToday, type Expiring } from "../../../../domain/around/today/expirations.ts";
import { rejectedOften } from "../../../../domain/around/today/lines.ts";
import { may, seesMoney } from "../../../../domain/core/actor/actor.ts";
import { localDay } from "../../../../domain/core/time/time.ts";
import { Icon } from "../../../pages/icons.tsx";
import { callHref } from "../../../pages/parts/call-link.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Count } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { reasonName } from "../../parts/phrases.ts";
import { readAhead } from "./once.ts";
import { expiring, lists, pay, personLoginsHref, subscriber } from "./links.ts";
import { refreshing } from "./live.ts";

const ROWS = 7;
const REJECTED = 5;
const OFTEN = 3;
const HOUR = 3600;

export function ExpireToday({ visit }: { visit: StaffVisit }) {
  const { db, by, now, view } = visit;
  const { format, words } = view;
  const { expireToday } = words.today;
  const rows = expiringToday(db, by, { limit: ROWS }, { now });
  const total = readAhead(visit)[0]?.expiring ?? 0;
  const day = localDay(now);
  return (
    <Card
      id="today-expire"
      title={expireToday.title}
      lead={<Count>{format.number(total)}</Count>}
      aside={total > 0 && <a href={expiring(day, day, "active")}>{expireToday.all(total)}</a>}
      live={refreshing("/console/today/expire", ["money"])}
    >
      {rows.length === 0 ? (
        <Nothing title={expireToday.none} text={expireToday.noneHint} />
      ) : (
        <ul class="rows">
          {rows.map((row) => (
            <ExpiringRow visit={visit} row={row} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ExpiringRow({ visit: { by, view }, row }: { visit: StaffVisit; row: Expiring }) {
  const { format, words } = view;
  const { expireToday } = words.today;
  return (
    <li>
      <time class="soft-text">{format.timeNear(row.expiresAt, row.expiresAt)}</time>
      <a class="plain today-name" href={subscriber(row.subscriberId)}>
        <bdi class="strong">{row.name}</bdi> <span class="hint">{row.package}</span>
      </a>
      {seesMoney(by) && (
        <span class="hint nowrap">
          {row.missing > 0
            ? expireToday.short(format.amount(row.missing))
            : row.renewsItself
              ? expireToday.renews
              : expireToday.paid}
        </span>
      )}
      {may(by, "payment_take") && (
        <span class="wide-only">
          <Button href={pay(row.subscriberId)} size="small" label={expireToday.takeFrom(row.name)} drawer>
            {expireToday.take}
          </Button>
        </span>
      )}
      {row.mobile !== null && callHref(row.mobile) !== undefined && (
        <a
          class="button icon-button phone-only"
          href={callHref(row.mobile)}
          aria-label={expireToday.call(row.name)}
        >
          <Icon name="call" />
        </a>
      )}
    </li>
  );
}

/** Repeated refusals of the last hour with reasons. */
export function Rejected({ visit }: { visit: StaffVisit }) {
  const { db, by, now, view } = visit;
  const { words } = view;
  const { rejected } = words.today;
  const { rows, total } = rejectedOften(db, by, { moreThan: OFTEN, since: now - HOUR, limit: REJECTED });
  return (
    <Card
      id="today-rejected"
      title={rejected.title}
      lead={total > 0 && <Count>{rejected.names(total)}</Count>}
      aside={<a href={lists.logins}>{rejected.logins}</a>}
      live={refreshing("/console/today/rejected", ["logins"])}
    >
      {rows.length === 0 ? (
        <Nothing title={rejected.none} text={rejected.noneHint} />
      ) : (
        <ul class="rows today-rejected">
          {rows.map((row) => (
            <li>
              <span class="bad-text strong end">{rejected.times(row.times)}</span>
              <a
                class="plain today-name"
                href={
                  row.subscriberId === null ? personLoginsHref(row.username) : subscriber(row.subscriberId)
                }
              >
                {row.name === null ? (
                  <span class="mono strong">{row.username}</span>
                ) : (
                  <bdi class="strong">{row.name}</bdi>
                )}
                <span class="hint">{reasonName(view, row.reason)}</span>
              </a>
              <Icon name="forward" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function Nothing({ title, text }: { title: string; text: string }) {
  return (
    <p class="stack close">
      <span class="strong">{title}</span> <span class="hint">{text}</span>
    </p>
  );
}
