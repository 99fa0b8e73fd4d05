import type { Child } from "hono/jsx";
import type { PageContext } from "./context.ts";

export function HeaderFacts({ context }: { context: PageContext }) {
  return (
    <dl>
      <Since context={context} />
      <Package context={context} />
      <Left context={context} />
      <Balance context={context} />
      <Data context={context} />
    </dl>
  );
}

interface FactProps {
  label: string;
  value: Child;
  hint?: Child;
  href?: string | undefined;
  isBad?: boolean;
}

function Fact({ label, value, hint, href, isBad = false }: FactProps) {
  return (
    <div>
      <dt class="label">{label}</dt>
      <dd>
        <strong class={isBad ? "bad-text" : ""}>
          {href === undefined ? (
            value
          ) : (
            <a class="plain" href={href}>
              {value}
            </a>
          )}
        </strong>
        <span class="hint">{hint}</span>
      </dd>
    </div>
  );
}

const HELD = new Set(["accepted_expired", "accepted_quota_used_up"]);

function Since({ context: { head, visit, base } }: { context: PageContext }) {
  const { view, now } = visit;
  const { facts } = view.words.subscriber;
  const href = head.counts.sessions === null ? undefined : `${base}/sessions`;
  const [open] = head.open;
  if (open) {
    const { startedAt, framedIp, acceptedAs } = open.session;
    const label = HELD.has(acceptedAs ?? "") ? facts.heldSince : facts.onlineSince;
    const hint = [facts.for(view.format.duration(Math.max(0, now - startedAt))), framedIp]
      .filter(Boolean)
      .join(view.words.list.comma);
    return <Fact label={label} value={view.format.weekTime(startedAt)} hint={hint} href={href} />;
  }
  if (head.last === null) return <Fact label={facts.neverOnline} value={facts.never} />;
  const { stoppedAt, updatedAt, framedIp } = head.last.session;
  const at = stoppedAt ?? updatedAt;
  const ago = view.format.duration(Math.max(0, now - at));
  const hint = framedIp === null ? ago : facts.last(ago, framedIp);
  return <Fact label={facts.offlineSince} value={view.format.weekTime(at)} hint={hint} href={href} />;
}

function Package({ context: { head, visit, phrases } }: { context: PageContext }) {
  const { facts, said } = visit.view.words.subscriber;
  const { sold, next, service } = head;
  const rate = phrases.rate(service ? service.rateLimit : sold.rateLimit);
  const hint = [rate, head.money && phrases.money(sold.price)]
    .filter(Boolean)
    .join(visit.view.words.list.comma);
  return (
    <Fact
      label={facts.package}
      value={<bdi>{sold.name}</bdi>}
      hint={
        <>
          {hint}
          {next && <br />}
          {next && said.nextPackage(visit.view.format.name(next.name))}
        </>
      }
    />
  );
}

function Left({ context: { head, visit } }: { context: PageContext }) {
  const { view, now } = visit;
  const { facts } = view.words.subscriber;
  const { expiresAt, service } = head;
  if (expiresAt === null) return <Fact label={facts.left} value={facts.notActivated} />;
  const time = view.format.weekTime(expiresAt);
  if (service?.frozenAt)
    return (
      <Fact
        label={facts.left}
        value={view.format.duration(Math.max(0, expiresAt - now))}
        hint={facts.stands}
      />
    );
  if (expiresAt <= now)
    return <Fact label={facts.left} value={facts.ended(view.format.ago(expiresAt, now))} hint={time} isBad />;
  return <Fact label={facts.left} value={view.format.duration(expiresAt - now)} hint={facts.until(time)} />;
}

function Balance({ context: { head, visit, phrases, base } }: { context: PageContext }) {
  const { facts } = visit.view.words.subscriber;
  const { money, counts } = head;
  if (money === null) return null;
  const { balance, due, price } = money;
  const hint =
    due === 0
      ? facts.covered
      : head.status === "expired"
        ? facts.toRenew(phrases.money(due))
        : facts.needs(phrases.money(price));
  const href = counts.money === null ? undefined : `${base}/money`;
  return (
    <Fact label={facts.balance} value={phrases.money(balance)} hint={hint} href={href} isBad={balance < 0} />
  );
}

function Data({ context: { head, visit, phrases } }: { context: PageContext }) {
  const { facts } = visit.view.words.subscriber;
  const { service } = head;
  if (!service || service.quotaTotal === 0) return <Fact label={facts.data} value={facts.unlimited} />;
  const { quotaUsed: used, quotaTotal: total } = service;
  const hint = facts.of(phrases.bytes(used), phrases.bytes(total));
  return (
    <Fact
      label={facts.data}
      value={visit.view.format.percent(used / total)}
      hint={hint}
      isBad={used >= total}
    />
  );
}
