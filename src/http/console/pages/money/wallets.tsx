import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { formatMinor } from "../../../../domain/core/amounts/money.ts";
import { visibleKind, type WalletEntry, walletEntries } from "../../../../domain/money/wallets/entries.ts";
import { type ResellerWallet, resellerWallets } from "../../../../domain/money/wallets/resellers.ts";
import { entrySchema, entryToJson } from "../../../../wire/wallet.ts";
import { file } from "../../../list.ts";
import { pathId } from "../../../form.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { formatSum, MoneyFrame } from "../../parts/money-frame.tsx";
import { WalletButtons } from "../../parts/wallet-buttons.tsx";
import { FileButton, list } from "../../parts/list.tsx";
import { logFile, readPage } from "../../parts/pager.tsx";

const HREF = "/console/money/wallets";

export function showWallets(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  return page(
    visit,
    <MoneyFrame visit={visit} current="wallets" actions={<FileButton visit={visit} href={`${HREF}.csv`} />}>
      <Wallets visit={visit} rows={resellerWallets(db, by, { now })}>
        <p class="sentence">{view.words.money.walletsLead}</p>
      </Wallets>
    </MoneyFrame>,
  );
}

const FILE = ["id", "name", "username", "currency", "wallet", "credit_limit", "commission_this_month"];
const ENTRIES_FILE = Object.keys(entrySchema.properties);

export const Wallets = list<ResellerWallet>(({ view }) => {
  const { format, words } = view;
  const { money } = words;
  return {
    name: money.tabs.wallets,
    columns: [
      {
        title: money.reseller,
        cell: ({ staffId, name }) => (
          <a href={`${HREF}/${staffId}`}>
            <bdi>{name}</bdi>
          </a>
        ),
        narrow: "lead",
        sort: ["name", ({ name }) => name],
        csv: ["name"],
      },
      {
        title: money.username,
        cell: ({ username }) => username,
        narrow: "low",
        kind: "mono",
        csv: ["username"],
      },
      {
        title: money.commissionMonth,
        cell: ({ commission }) => format.amount(commission),
        word: money.commissionWord,
        end: true,
        csv: ["commission_this_month"],
      },
      {
        title: money.mayFallTo,
        cell: ({ creditLimit }) => format.amount(-creditLimit),
        end: true,
        narrow: "low",
        kind: "soft-text",
        csv: ["credit_limit"],
      },
      {
        title: money.wallet,
        cell: ({ balance, currency }) => formatSum(view, balance, currency),
        end: true,
        narrow: "sum",
        sort: ["wallet", ({ balance }) => balance],
        kind: ({ balance }) => (balance < 0 ? "bad-text" : ""),
        csv: ["wallet", "currency"],
      },
    ],
    empty: { icon: "people", title: money.noResellers, text: money.noResellersText },
    file: FILE,
  };
});

function readWallet({ db, by, now, params }: StaffVisit): ResellerWallet {
  const staffId = pathId("reseller", params["id"] ?? null);
  const found = resellerWallets(db, by, { now }).find((wallet) => wallet.staffId === staffId);
  if (!found) throw new DomainError("not_found", phrase`there is no reseller ${staffId}`);
  return found;
}

export function showWallet(visit: StaffVisit): Response {
  const { db, by, query, view } = visit;
  const { money } = view.words;
  const wallet = readWallet(visit);
  const { staffId, name, balance, currency, creditLimit, commission } = wallet;
  const href = `${HREF}/${staffId}`;
  const { rows, last } = readPage(query, (paging) => walletEntries(db, by, { staffId }, paging));
  return page(
    visit,
    <Frame
      visit={visit}
      title={name}
      place="money"
      back={{ href: "/console/money/wallets", label: view.words.money.tabs.wallets }}
    >
      <div class="page-head">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <div class="actions">
          <WalletButtons visit={visit} account={{ staffId }} />
          <FileButton visit={visit} href={`${href}/entries.csv`} />
        </div>
      </div>
      <div class="stack">
        <Card title={money.wallet}>
          <Facts
            facts={[
              [money.wallet, formatSum(view, balance, currency)],
              [money.mayFallTo, view.format.amount(-creditLimit)],
              [money.commissionMonth, view.format.amount(commission)],
            ]}
          />
        </Card>
        <Entries visit={visit} rows={rows} last={last} />
      </div>
    </Frame>,
  );
}

export const Entries = list<WalletEntry>((visit) => {
  const { format, words } = visit.view;
  const { money } = words;
  return {
    name: money.entries,
    columns: [
      {
        title: money.time,
        cell: ({ createdAt }) => format.time(createdAt),
        kind: "soft-text",
        csv: ["created_at"],
      },
      { title: money.what, cell: (entry) => money.kinds[visibleKind(entry)], narrow: "lead", csv: ["kind"] },
      {
        title: money.number,
        cell: (entry) => entryReason(visit, entry),
        csv: ["receipt_number", "invoice_number"],
      },
      { title: money.reason, cell: ({ reason }) => reason ?? "", narrow: "low", csv: ["reason"] },
      {
        title: money.amount,
        cell: ({ amount }) => format.amount(amount, { plus: true }),
        end: true,
        narrow: "sum",
        csv: ["amount"],
      },
      {
        title: money.after,
        cell: ({ balanceAfter }) => format.amount(balanceAfter),
        end: true,
        kind: "soft-text",
        csv: ["balance_after"],
      },
    ],
    empty: { icon: "money", title: money.noEntries, text: money.noEntriesText },
    file: ENTRIES_FILE,
  };
});

/** The posting's reason, with a link where visible. */
function entryReason({ by }: StaffVisit, entry: WalletEntry) {
  const { paymentId, paymentNumber, invoiceId, invoiceNumber } = entry;
  if (paymentId !== null && may(by, "payment_view"))
    return <a href={`/console/money/payments/${paymentId}`}>{paymentNumber}</a>;
  if (invoiceId !== null && may(by, "invoice_view"))
    return <a href={`/console/money/invoices/${invoiceId}`}>{invoiceNumber}</a>;
  return paymentNumber ?? invoiceNumber ?? "";
}

export function walletsFile({ db, by, now }: StaffVisit): Response {
  const rows = resellerWallets(db, by, { now }).map(
    ({ staffId, name, username, currency, balance, creditLimit, commission }) => ({
      id: staffId,
      name,
      username,
      currency,
      wallet: formatMinor(balance),
      credit_limit: formatMinor(creditLimit),
      commission_this_month: formatMinor(commission),
    }),
  );
  return file("wallets", FILE, [rows].values());
}

export function entriesFile(visit: StaffVisit): Response {
  const { db, by } = visit;
  const { staffId } = readWallet(visit);
  return logFile("wallet-entries", ENTRIES_FILE, (paging) =>
    walletEntries(db, by, { staffId }, paging).map(entryToJson),
  );
}
