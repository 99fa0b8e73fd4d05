import type { Account } from "../../../domain/core/amounts/balance.ts";
import { may } from "../../../domain/core/actor/actor.ts";
import { permissions } from "../../../domain/core/actor/permissions.ts";
import { Button } from "../../pages/parts/button.tsx";
import type { StaffVisit } from "../guard.ts";

export type Move = "top-up" | "pay-out" | "refund" | "correct";

export type Holder = "subscriberId" | "staffId";

export const flags: Readonly<Record<Move, string>> = {
  "top-up": permissions.takePayment,
  "pay-out": permissions.refundPayment,
  refund: permissions.refundPayment,
  correct: permissions.adjustWallet,
};

/** Wallets, their actions, and their pages. */
export const holders = {
  staffId: {
    moves: ["top-up", "pay-out", "correct"],
    base: "/console/money/wallets",
    back: "",
    place: "money",
  },
  subscriberId: {
    moves: ["refund", "correct"],
    base: "/console/subscribers",
    back: "/money",
    place: "subscribers",
  },
} as const satisfies Record<Holder, { moves: readonly Move[]; base: string; back: string; place: string }>;

export interface WalletButtonsProps {
  visit: StaffVisit;
  /** A visible account that is not archived. */
  account: Account;
  /** A subset of the actions. */
  only?: readonly Move[];
  size?: "small";
}

/** What the viewer may do with a wallet by hand. */
export function WalletButtons({ visit: { by, view }, account, only, size }: WalletButtonsProps) {
  const [holder, id] =
    "staffId" in account
      ? (["staffId", account.staffId] as const)
      : (["subscriberId", account.subscriberId] as const);
  const isReseller = by.scope.salespersonId !== null;
  const isOwn = holder === "staffId" && by.staffId === id;
  const isOpen = (move: Move) =>
    may(by, flags[move]) &&
    (holder === "subscriberId"
      ? move !== "correct" || !isReseller
      : may(by, permissions.adjustWallet) && !isReseller && !isOwn);
  const { money } = view.words;
  return (
    <>
      {holders[holder].moves
        .filter((move) => isOpen(move) && only?.includes(move) !== false)
        .map((move) => (
          <Button
            href={`${holders[holder].base}/${id}/${move}`}
            drawer
            {...(move === "top-up" && { kind: "solid" as const, icon: "plus" as const })}
            {...(size && { size })}
          >
            {money.moves[move].action}
          </Button>
        ))}
    </>
  );
}
