import { makeReference } from "../../../../domain/desk/incoming/reference.ts";
import type { SignedUp } from "../../../../domain/desk/sign-up/sign-up.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { PrintFrame } from "../../../pages/print/sheet.tsx";
import { Qr } from "../../../pages/parts/qr.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ispView } from "../../parts/isp-view.ts";
import { describeSpeed } from "../../parts/phrases.ts";

interface DoneProps {
  visit: StaffVisit;
  values: Readonly<Record<string, string>>;
  done: SignedUp;
}

export function SignedUpPage({ visit, values, done }: DoneProps) {
  const words = visit.view.words.signUp;
  const title = words.done(values["name"] ?? "");
  return (
    <Frame visit={visit} title={title} place="subscribers">
      <div class="page-head no-print">
        <h1>{title}</h1>
        <div class="actions">
          <Button href="/console/sign-up" icon="plus" kind="quiet">
            {words.another}
          </Button>
          <Button href={`/console/subscribers/${done.subscriberId}`} icon="person">
            {words.open}
          </Button>
          <button type="button" class="button solid" data-print hidden>
            <Icon name="print" />
            <span>{words.print}</span>
          </button>
        </div>
      </div>
      <div class="split">
        <div>
          <p class="hint no-print">{words.sheet.once}</p>
          <WelcomeSheet visit={visit} values={values} done={done} />
        </div>
        <div class="no-print">
          <Steps visit={visit} done={done} />
        </div>
      </div>
    </Frame>
  );
}

function Steps({ visit: { view }, done }: Omit<DoneProps, "values">) {
  const { format, brand, words } = view;
  const { steps, receipt } = words.signUp;
  const { username, payment, activation, balance } = done;
  const day =
    activation &&
    `${format.shortDay(activation.expiresAt)}${view.words.list.comma}${format.timeOfDay(activation.expiresAt)}`;
  const lines: [isGood: boolean, text: string][] = [
    [true, steps.created(username)],
    payment === null
      ? [false, steps.unpaid]
      : [true, steps.paid(format.sum(payment.amount, payment.currency), payment.number)],
    day === null ? [false, steps.closed] : [true, steps.opened(day)],
    [true, steps.balance(format.sum(balance, payment?.currency ?? brand.currency))],
  ];
  return (
    <Card title={words.signUp.title}>
      <div role="status">
        <ul class="rows">
          {lines.map(([isGood, text]) => (
            <li>
              <span class={isGood ? "good-text" : "warn-text"}>
                <Icon name={isGood ? "check" : "alert"} />
              </span>
              {text}
            </li>
          ))}
        </ul>
      </div>
      {payment !== null && (
        <a href={`/console/money/payments/${payment.id}/receipt`}>
          {receipt} {payment.number}
        </a>
      )}
    </Card>
  );
}

/** The customer's sheet, with the password, which cannot be read again. */
function WelcomeSheet({ visit, values, done }: DoneProps) {
  const view = ispView(visit, done.ispId);
  const { format, brand, words } = view;
  const { sheet } = words.signUp;
  const portal = brand.portalUrl === "" ? new URL("/portal", visit.request.url).href : brand.portalUrl;
  const { activation, package: sold } = done;
  return (
    <div class="paper-ground welcome">
      <PrintFrame
        size="a4"
        brand={brand}
        taxNumber={words.paper.taxNumber}
        title={sheet.title(brand.name)}
        facts={[
          [words.signUp.fields.name, <bdi>{values["name"]}</bdi>],
          [sheet.package, <bdi>{sold.name}</bdi>],
          [sheet.speed, describeSpeed(view, sold.rateLimit)],
          [sheet.until, activation && format.time(activation.expiresAt)],
          [sheet.help, brand.phone && view.format.name(brand.phone)],
        ]}
      >
        <div class="welcome">
          <dl>
            <dt>{sheet.username}</dt>
            <dd class="credential">{done.username}</dd>
            <dt>{sheet.password}</dt>
            <dd class="credential">{values["password"]}</dd>
            <dt>{sheet.reference}</dt>
            <dd>
              <span class="mono">{makeReference(done.subscriberId)}</span>
            </dd>
          </dl>
          <figure>
            <Qr text={portal} label={sheet.qr} />
            <figcaption>
              {sheet.portal}
              <br />
              <span class="mono">{portal}</span>
            </figcaption>
          </figure>
        </div>
        <p class="paper-foot">{sheet.lead}</p>
      </PrintFrame>
    </div>
  );
}
