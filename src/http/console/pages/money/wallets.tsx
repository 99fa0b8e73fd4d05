import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { kindOf, type WalletEntry, walletEntries } from "../../../../domain/money/wallets/entries.ts";
import { type ResellerWallet, resellerWallets } from "../../../../domain/money/wallets/resellers.ts";
import { entrySchema, shownEntry } from "../../../../wire/wallet.ts";
import { file } from "../../../list.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { MoneyFrame, sumOf } from "./head.tsx";
import { WalletButtons } from "./wallet-moves.tsx";
import { logFile, Older, pageOf } from "../../log.tsx";

const HREF = "/console/money/wallets";

/** What Resellers have with the ISP. */
export function showWallets(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { money } = view.words;
  const wallets = resellerWallets(db, by, { now });
  return page(
    visit,
    <MoneyFrame
      visit={visit}
      current="wallets"
      actions={
        <Button href={`${HREF}.csv`} icon="download">
          {money.csv}
        </Button>
      }
    >
      <p class="sentence">{money.walletsLead}</p>
      {wallets.length === 0 ? (
        <Empty icon="people" title={money.noResellers} text={money.noResellersText} />
      ) : (
        <Rows visit={visit} wallets={wallets} />
      )}
    </MoneyFrame>,
  );
}

function Rows({ visit: { view }, wallets }: { visit: StaffVisit; wallets: readonly ResellerWallet[] }) {
  const { format, words } = view;
  const { money } = words;
  const columns = [
    { title: money.reseller },
    { title: money.username, low: true },
    { title: money.commissionMonth, end: true },
    { title: money.mayFallTo, end: true, low: true },
    { title: money.wallet, end: true },
  ];
  return (
    <Table caption={money.tabs.wallets} columns={columns} kind="short-rows">
      {wallets.map(({ staffId, name, username, currency, balance, creditLimit, commission }) => (
        <tr>
          <td class="lead">
            <a href={`${HREF}/${staffId}`}>
              <bdi>{name}</bdi>
            </a>
          </td>
          <td class="low mono">{username}</td>
          <td class="end">
            {format.amount(commission)} <span class="row-word">{money.commissionWord}</span>
          </td>
          <td class="end low soft-text">{format.amount(-creditLimit)}</td>
          <td class={`end sum ${balance < 0 ? "bad-text" : ""}`}>{sumOf(view, balance, currency)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The wallet of a Reseller, among those that the actor sees. Throws `not_found`. */
function walletOf({ db, by, now, params }: StaffVisit): ResellerWallet {
  const staffId = pathId("reseller", params["id"] ?? null);
  const found = resellerWallets(db, by, { now }).find((wallet) => wallet.staffId === staffId);
  if (!found) throw new DomainError("not_found", `there is no reseller ${staffId}`);
  return found;
}

/** One wallet: what moved in it, and the ways to move it. */
export function showWallet(visit: StaffVisit): Response {
  const { db, by, query, view } = visit;
  const { money } = view.words;
  const wallet = walletOf(visit);
  const { staffId, name, balance, currency, creditLimit, commission } = wallet;
  const href = `${HREF}/${staffId}`;
  const { rows, more } = pageOf(query, (paging) => walletEntries(db, by, { staffId }, paging));
  return page(
    visit,
    <Frame
      {...{ visit, title: name, place: "money" }}
      back={{ href: "/console/money/wallets", label: view.words.money.tabs.wallets }}
    >
      <div class="page-head">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <div class="actions">
          <WalletButtons visit={visit} account={{ staffId }} />
          <Button href={`${href}/entries.csv`} icon="download">
            {money.csv}
          </Button>
        </div>
      </div>
      <div class="stack">
        <Card title={money.wallet}>
          <Facts
            facts={[
              [money.wallet, sumOf(view, balance, currency)],
              [money.mayFallTo, view.format.amount(-creditLimit)],
              [money.commissionMonth, view.format.amount(commission)],
            ]}
          />
        </Card>
        {rows.length === 0 ? (
          <Empty icon="money" title={money.noEntries} text={money.noEntriesText} />
        ) : (
          <Entries visit={visit} rows={rows} />
        )}
        <Older view={view} href={href} query={query} last={more ? rows.at(-1)?.id : undefined} />
      </div>
    </Frame>,
  );
}

function Entries({ visit: { view, by }, rows }: { visit: StaffVisit; rows: readonly WalletEntry[] }) {
  const { format, words } = view;
  const { money } = words;
  const columns = [
    { title: money.time },
    { title: money.what },
    { title: money.number },
    { title: money.reason, low: true },
    { title: money.amount, end: true },
    { title: money.after, end: true },
  ];
  const paper = ({ paymentId, paymentNumber, invoiceId, invoiceNumber }: WalletEntry) => {
    if (paymentId !== null && may(by, "payment_view"))
      return <a href={`/console/money/payments/${paymentId}`}>{paymentNumber}</a>;
    if (invoiceId !== null && may(by, "invoice_view"))
      return <a href={`/console/money/invoices/${invoiceId}`}>{invoiceNumber}</a>;
    return paymentNumber ?? invoiceNumber ?? "";
  };
  return (
    <Table caption={money.entries} columns={columns} kind="short-rows">
      {rows.map((entry) => (
        <tr>
          <td class="soft-text">{format.time(entry.createdAt)}</td>
          <td class="lead">{money.kinds[kindOf(entry)]}</td>
          <td>{paper(entry)}</td>
          <td class="low">{entry.reason ?? ""}</td>
          <td class="end sum">{format.amount(entry.amount, { plus: true })}</td>
          <td class="end soft-text">{format.amount(entry.balanceAfter)}</td>
        </tr>
      ))}
    </Table>
  );
}

export function walletsFile({ db, by, now }: StaffVisit): Response {
  const rows = resellerWallets(db, by, { now }).map(
    ({ staffId, name, username, currency, balance, creditLimit, commission }) => ({
      id: staffId,
      name,
      username,
      currency,
      wallet: balance / 100,
      credit_limit: creditLimit / 100,
      commission_this_month: commission / 100,
    }),
  );
  const columns = ["id", "name", "username", "currency", "wallet", "credit_limit", "commission_this_month"];
  return file("wallets", columns, [rows].values());
}

export function entriesFile(visit: StaffVisit): Response {
  const { db, by } = visit;
  const { staffId } = walletOf(visit);
  return logFile("wallet-entries", Object.keys(entrySchema.properties), (paging) =>
    walletEntries(db, by, { staffId }, paging).map(shownEntry),
  );
}
