import type {
  Contact,
  Sale as Sold,
  SignUpCheck,
  ValueInUse,
} from "../../../../domain/desk/sign-up/check.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import type { StaffVisit } from "../../guard.ts";

interface CheckProps {
  visit: StaffVisit;
  check: SignUpCheck;
}

const contacts: readonly Contact[] = ["nic_number", "mobile_number", "phone_number", "email"];

export function Phrases({ visit, check }: CheckProps) {
  return (
    <>
      <Sale visit={visit} check={check} />
      <UsernameNote visit={visit} check={check} isOutside />
      {contacts.map((field) => (
        <ContactNote visit={visit} check={check} field={field} isOutside />
      ))}
    </>
  );
}

interface PlaceProps extends CheckProps {
  /** Out-of-band parts of an answer. */
  isOutside?: boolean;
}

const outside = (isOutside: boolean | undefined) => (isOutside ? { "hx-swap-oob": "true" } : {});

export function UsernameNote({ visit, check, isOutside }: PlaceProps) {
  const words = visit.view.words.signUp;
  const { isUsernameTaken, proposal } = check;
  return (
    <p
      id="username-said"
      class={isUsernameTaken ? "said fault" : "said hint"}
      aria-live="polite"
      data-proposal={proposal}
      {...outside(isOutside)}
    >
      {isUsernameTaken && words.taken(proposal)}
    </p>
  );
}

/** Others with the same number. */
export function ContactNote({ visit, check, field, isOutside }: PlaceProps & { field: Contact }) {
  const taken = check.taken.find((one) => one.field === field);
  return (
    <p
      id={`${field}-said`}
      class={taken?.isRefused ? "said fault" : "said hint"}
      aria-live="polite"
      {...outside(isOutside)}
    >
      {taken && <Holder visit={visit} taken={taken} />}
    </p>
  );
}

function Holder({ visit, taken: { by, isRefused } }: { visit: StaffVisit; taken: ValueInUse }) {
  const words = visit.view.words.signUp;
  if (by === null) return <>{words.refusedAsSomebody}</>;
  return (
    <a href={`/console/subscribers/${by.id}`}>
      {isRefused ? words.refusedAs(by.name) : words.sameAs(by.name)}
    </a>
  );
}

/** What is proposed as paid. */
export function proposedAmount(sale: Sold | null): string {
  return sale?.billingType === "prepaid" ? formatAmount(sale.price) : "";
}

export function Sale({ visit: { view }, check: { sale } }: CheckProps) {
  const { format, brand, words } = view;
  if (sale === null)
    return (
      <p id="sale" class="sale hint" aria-live="polite">
        {words.signUp.noPackage}
      </p>
    );
  const phrases = sale.billingType === "prepaid" ? words.signUp.costs : words.signUp.costsLater;
  const price = format.sum(sale.price, brand.currency);
  return (
    <p id="sale" class="sale" aria-live="polite" data-due={proposedAmount(sale)}>
      {phrases(
        price,
        `${format.shortDay(sale.expiresAt)}${view.words.list.comma}${format.timeOfDay(sale.expiresAt)}`,
      )}
    </p>
  );
}
