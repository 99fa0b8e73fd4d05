import type { Child } from "hono/jsx";
import type { OwnCard, RedeemPreview } from "../../../domain/service/cards/redeem.ts";
import { cardNumber } from "../../../domain/goods/codes/codes.ts";
import { BrandMark } from "../../pages/brand.tsx";
import { FormToken } from "../../pages/document.tsx";
import { Note } from "../../pages/note.tsx";
import { MAX_LENGTH } from "../../../domain/service/cards/redeem-plan.ts";
import { CARD, type CardState, type LineOff, REDEEM } from "../card-form.ts";
import { LanguageMenu } from "../language.tsx";
import { ContactLines, Document, hasContact, Reach, Shell, type View } from "../layout.tsx";
import { Payment } from "../pay.tsx";
import { renewalStep, ToPortal } from "./captive.tsx";
import { describeOffer } from "./fair.tsx";
import { Renew } from "./renew.tsx";

interface Part {
  view: View;
  formToken: string;
}

/** Code, preview, result. */
export function CardPage({
  view,
  formToken,
  state,
  cards,
}: Part & { state: CardState; cards: readonly OwnCard[] }) {
  const { words } = view;
  const title = cardTitle(view, state);
  return (
    <Shell view={view} title={title} place="home" formToken={formToken}>
      <h1>{title}</h1>
      <div class="columns">
        <section class="card">
          <CardSteps
            view={view}
            formToken={formToken}
            state={state}
            next={{ href: "/portal", label: words.errors.home }}
            off={state.off && <PortalNext view={view} formToken={formToken} {...state.off} />}
          />
        </section>
        {cards.length > 0 && <Redeemed view={view} cards={cards} />}
      </div>
    </Shell>
  );
}

/** The page of a line in the walled garden; not reloaded while typing, and left afterwards. */
export function WalledCardPage({
  view,
  formToken,
  state,
  name,
  captive,
  request,
}: Part & {
  state: CardState;
  name: string;
  /** The captive page's state. */
  captive: string;
  request: Request;
}) {
  const { words } = view;
  const title = cardTitle(view, state);
  return (
    <Document view={view} title={title} kind="single" {...(state.done && { watch: captive, leadsTo: "/" })}>
      <main class="single-card">
        <BrandMark brand={view.brand} />
        <h1>{title}</h1>
        <p class="lead">
          <bdi>{name}</bdi>
        </p>
        <CardSteps
          view={view}
          formToken={formToken}
          state={state}
          next={{ href: "/", label: words.captive.try }}
          off={state.off && <WalledNext view={view} {...state.off} />}
        />
        {state.done === undefined && (
          <a class="button wide" href="/">
            {words.captive.try}
          </a>
        )}
        <LanguageMenu view={view} request={request} />
      </main>
      {hasContact(view.brand) && (
        <footer class="single-help">
          <p>{words.help}</p>
          <Reach view={view} />
          <ContactLines lines={view.brand.contact} />
        </footer>
      )}
    </Document>
  );
}

function cardTitle({ words: { card } }: View, { done }: CardState): string {
  return done === undefined ? card.title : card.done;
}

/** What follows a refill: how to get online. */
function PortalNext({ view, formToken, renewal }: Part & LineOff) {
  if (renewal.isCovered) return <Renew view={view} renewal={renewal} formToken={formToken} isUrgent />;
  return (
    <>
      {!renewal.isOwn && <p>{view.words.captive.renew}</p>}
      <Payment view={view} renewal={renewal} />
    </>
  );
}

/** The same in the walled garden. */
function WalledNext({ view, renewal }: { view: View } & LineOff) {
  return (
    <>
      <p>{renewalStep(view, renewal)}</p>
      {!renewal.isCovered && <Payment view={view} renewal={renewal} />}
      <ToPortal view={view} isNext={renewal.isCovered} />
    </>
  );
}

/** `next`: the page after redeeming. `off`: what is missing where the line stays off. */
function CardSteps({
  view,
  formToken,
  state,
  next,
  off,
}: Part & { state: CardState; next: { href: string; label: string }; off: Child }) {
  const { card } = view.words;
  const { problem, preview, done, code } = state;
  return (
    <div class="card-steps">
      {done !== undefined && (
        <>
          <Done view={view} card={done} />
          {off && <Note kind="wait">{card.stillOff}</Note>}
          {off}
          <a class={off ? "button wide" : "button solid wide"} href={next.href}>
            {next.label}
          </a>
        </>
      )}
      {problem !== undefined && <Note kind="bad">{problem}</Note>}
      {preview === undefined ? (
        <>
          {done !== undefined && <h2>{card.other}</h2>}
          <CodeForm view={view} formToken={formToken} code={code} isNext={done === undefined} />
        </>
      ) : (
        <>
          <Does view={view} {...preview} />
          <form method="post" action={REDEEM} class="stack">
            <FormToken value={formToken} />
            <input type="hidden" name="code" value={preview.code} />
            <button class="button solid wide" type="submit">
              {card.redeem}
            </button>
            <a class="button wide" href={CARD}>
              {card.other}
            </a>
          </form>
        </>
      )}
    </div>
  );
}

/** One large field, without autocorrection. */
export function CodeForm({
  view: { words },
  formToken,
  code = "",
  isNext,
}: Part & { code?: string | undefined; isNext: boolean }) {
  const { card } = words;
  return (
    <form method="post" action={CARD} class="stack">
      <FormToken value={formToken} />
      <div class="field">
        <label for="code">{card.code}</label>
        <input
          id="code"
          class="card-code"
          name="code"
          value={code}
          dir="ltr"
          autocomplete="off"
          autocapitalize="characters"
          autocorrect="off"
          spellcheck={false}
          maxLength={MAX_LENGTH}
          required
          aria-describedby="code-hint"
        />
        <p class="hint" id="code-hint">
          {card.lead}
        </p>
      </div>
      <button class={isNext ? "button solid wide" : "button wide"} type="submit">
        {card.look}
      </button>
    </form>
  );
}

function Does({ view, does }: { view: View; does: NonNullable<CardState["preview"]>["does"] }) {
  const { words, format, brand } = view;
  const { card } = words;
  const { activation, credited, balance, balanceAfter } = does;
  const money = (minor: number) => format.money(minor, brand.currency);
  return (
    <>
      <h2>{activation ? brings(view, activation) : card.fills(money(credited))}</h2>
      {activation && (
        <>
          <p class="lead">{card.until(format.time(activation.expiresAt))}</p>
          {!activation.isTopUp && <Gives view={view} gives={activation.gives} />}
          <p>{card.pays(money(balanceAfter))}</p>
        </>
      )}
      {activation && activation.cutsShort !== null && (
        <Note kind="wait">{card.cutsShort(format.time(activation.cutsShort))}</Note>
      )}
      <dl class="account">
        <Row name={card.number} value={cardNumber(does.cardId)} />
        {!activation && (
          <>
            <Row name={words.renew.balance} value={money(balance)} />
            <Row name={card.after} value={money(balanceAfter)} />
          </>
        )}
      </dl>
    </>
  );
}

/** A new package, or an addition. */
function brings(
  view: View,
  { packageName, isTopUp, gives }: NonNullable<RedeemPreview["activation"]>,
): string {
  const { words, format } = view;
  return isTopUp
    ? words.card.tops(describeOffer(view, { bytes: gives.dataQuotaBytes, days: gives.duration }))
    : words.card.activates(format.name(packageName));
}

/** Speed, data and time. */
function Gives({
  view: { words, format },
  gives: { rateLimit, dataQuotaBytes, duration, durationUnit },
}: {
  view: View;
  gives: NonNullable<RedeemPreview["activation"]>["gives"];
}) {
  const { home } = words;
  const speed = format.speed(rateLimit);
  const data = dataQuotaBytes === 0 ? home.unlimited : format.bytes(dataQuotaBytes);
  return (
    <dl class="pairs">
      <Row name={home.package} value={speed ? home.speed(speed.down, speed.up) : home.noSpeed} />
      <Row name={home.data} value={data} />
      <Row name={words.invoices.period} value={format.span(duration, durationUnit)} />
    </dl>
  );
}

function Done({
  view,
  card: { cardId, credited, balance, packageName, expiresAt, at },
}: {
  view: View;
  card: OwnCard;
}) {
  const { words, format, brand } = view;
  const { card } = words;
  const money = (minor: number) => format.money(minor, brand.currency);
  return (
    <>
      <dl class="account">
        <Row name={card.number} value={cardNumber(cardId)} />
        <Row name={words.invoices.date} value={format.time(at)} />
        {packageName === null ? (
          <Row name={words.invoices.amount} value={money(credited)} />
        ) : (
          <Row name={words.home.package} value={packageName} />
        )}
        {expiresAt !== null && <Row name={words.home.paidUntil} value={format.time(expiresAt)} />}
        <Row name={words.renew.balance} value={money(balance)} />
      </dl>
      {expiresAt !== null && <p class="hint">{words.renew.follows}</p>}
    </>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

function Redeemed({ view, cards }: { view: View; cards: readonly OwnCard[] }) {
  const { words, format, brand } = view;
  return (
    <section class="card">
      <h2>{words.card.yours}</h2>
      <dl class="pairs">
        {cards.map(({ cardId, at, credited, packageName }) => (
          <div>
            <dt>
              <bdi>{cardNumber(cardId)}</bdi> · {format.date(at)}
            </dt>
            <dd>
              <bdi>{packageName ?? format.money(credited, brand.currency)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
