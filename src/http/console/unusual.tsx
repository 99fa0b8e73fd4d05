import { Note } from "../pages/note.tsx";
import { portKey, PortInUse } from "../../domain/service/boxes/port.ts";
import type { Input } from "../../domain/core/fields/fields.ts";
import { UnusualAmount } from "../../domain/desk/payments/unusual.ts";
import type { DomainError } from "../../domain/core/errors/errors.ts";
import { Button } from "../pages/parts/button.tsx";
import type { ConsoleView } from "./view.ts";

interface UnusualProps {
  view: ConsoleView;
  confirmation: UnusualAmount;
  currency: string;
}

/** Asks whether an amount is meant, in words, because a zero too many is overlooked in figures. */
export function Unusual({ view, confirmation: { amount, usual }, currency }: UnusualProps) {
  const { format, words } = view;
  const { unusual } = words;
  const times = format.number(Math.floor(amount / usual.amount));
  return (
    <Note kind="wait">
      <strong>{unusual.title(format.sum(amount, currency), format.spoken(amount))}</strong>{" "}
      {unusual.text[usual.of](times, format.sum(usual.amount, currency))} {unusual.nothing}
    </Note>
  );
}

/** Confirms exactly the amount in question. Placed after the form's own button, which Enter presses, so that nobody confirms by habit. */
export function TakeUnusual({ view: { words }, confirmation }: Pick<UnusualProps, "view" | "confirmation">) {
  return (
    <Button name="sure" value={String(confirmation.amount)} kind="danger" size="large">
      {words.unusual.take}
    </Button>
  );
}

/** The unusual amount that was refused; undefined: another refusal. */
export const asUnusualAmount = (refused: DomainError | undefined): UnusualAmount | undefined =>
  refused instanceof UnusualAmount ? refused : undefined;

/** The confirmed amount, in minor units. */
export function readSure({ sure }: Input): number | null {
  return typeof sure === "string" && /^\d{1,15}$/.test(sure) ? Number(sure) : null;
}

interface SharedPortProps {
  view: ConsoleView;
  confirmation: PortInUse;
}

/** Asks whether two lines are to share a port. */
export function SharedPort({ view: { words }, confirmation }: SharedPortProps) {
  const { holder, port } = confirmation;
  const { sharedPort } = words;
  const who =
    holder.name === null ? (
      sharedPort.somebody
    ) : (
      <a href={`/console/subscribers/${holder.id}`}>{holder.name}</a>
    );
  return (
    <Note kind="wait">
      <strong>{sharedPort.title(port.boxNumber, port.port)}</strong> {who} {sharedPort.text}
    </Note>
  );
}

/** Confirms exactly the port in question, after the form's own button. */
export function SharePort({ view: { words }, confirmation: { port } }: SharedPortProps) {
  return (
    <Button name="shared_port" value={portKey(port)} size="large">
      {words.sharedPort.save}
    </Button>
  );
}

/** The port in use that was refused; undefined: another refusal. */
export const asPortInUse = (refused: unknown): PortInUse | undefined =>
  refused instanceof PortInUse ? refused : undefined;

/** The port confirmed to be shared. */
export function readSharedPort({ shared_port: shared }: Input): string | null {
  return typeof shared === "string" ? shared.slice(0, 1000) : null;
}
