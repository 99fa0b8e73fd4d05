import type { Db } from "../../../../../db/open.ts";
import { cardTermFields } from "../../../goods/packages/fields.ts";
import { type CsvKind, csvKinds, type CsvValue } from "./csv.ts";

export interface CsvColumn {
  readonly name: string;
  readonly kind: CsvKind;
  readonly sql: string;
}

/** A growing table, which is not in the data set. */
export interface CsvTable {
  readonly file: string;
  readonly table: string;
  readonly columns: readonly CsvColumn[];
  /** The query after FROM; streamed in index order. */
  readonly from: string;
}

type Kinds = Readonly<Record<string, CsvKind | readonly [CsvKind, sql: string]>>;

/** Columns of `t`, or with their SQL. */
const columns = (kinds: Kinds): CsvColumn[] =>
  Object.entries(kinds).map(([name, kind]) =>
    typeof kind === "string" ? { name, kind, sql: `t.${name}` } : { name, kind: kind[0], sql: kind[1] },
  );

const { data_quota_bytes: _total, reply_attributes: _last, ...batchTerms } = cardTermFields;

export const csvTables: readonly CsvTable[] = [
  {
    file: "ledger.csv",
    table: "ledger_entries",
    columns: columns({
      id: "number",
      created_at: "time",
      isp_id: "number",
      subscriber_id: "number",
      staff_id: "number",
      username: ["text", "coalesce(subscribers.username, owner.username)"],
      kind: "text",
      amount: "amount",
      balance_after: "amount",
      invoice_id: "number",
      acting_staff_id: "number",
      actor: ["text", "coalesce(acting.username, t.actor)"],
      about_id: "number",
      payment_id: "number",
      branch_id: "number",
      area_id: "number",
      package_id: "number",
      seller_id: "number",
      reason: "text",
      day: "day",
      batch_id: "number",
      card_id: "number",
    }),
    from: `ledger_entries AS t LEFT JOIN subscribers ON subscribers.id = t.subscriber_id
      LEFT JOIN staff AS owner ON owner.id = t.staff_id LEFT JOIN staff AS acting ON acting.id = t.acting_staff_id
      ORDER BY t.id`,
  },
  {
    file: "invoices.csv",
    table: "invoices",
    columns: columns({
      id: "number",
      created_at: "time",
      isp_id: "number",
      subscriber_id: "number",
      username: ["text", "subscribers.username"],
      package_id: "number",
      package_name: "text",
      amount: "amount",
      currency: "text",
      period_start: "time",
      period_end: "time",
      paid_at: "time",
      open: "amount",
      seller_id: "number",
      commission: "amount",
      commission_at_sale: "number",
      number: "text",
      branch_id: "number",
      area_id: "number",
      credited: "amount",
      tax_name: "text",
      tax_percent: ["amount", "t.tax_percent"],
      tax: "amount",
      payment_id: "number",
      voided_at: "time",
      void_reason: "text",
      voided_by: "number",
      voided_actor: "text",
    }),
    from: "invoices AS t LEFT JOIN subscribers ON subscribers.id = t.subscriber_id ORDER BY t.id",
  },
  {
    file: "payments.csv",
    table: "payments",
    columns: columns({
      id: "number",
      created_at: "time",
      isp_id: "number",
      branch_id: "number",
      subscriber_id: "number",
      staff_id: "number",
      username: ["text", "coalesce(subscribers.username, owner.username)"],
      kind: "text",
      number: "text",
      amount: "amount",
      currency: "text",
      method: "text",
      reference: "text",
      note: "text",
      taken_by: "number",
      actor: ["text", "coalesce(taker.username, t.actor)"],
      reseller_id: "number",
      invoice_id: "number",
      reversed_at: "time",
      reversed_by: "number",
      reversed_actor: "text",
      reversal_reason: "text",
      closing_id: "number",
      reversal_closing_id: "number",
      card_id: "number",
    }),
    from: `payments AS t LEFT JOIN subscribers ON subscribers.id = t.subscriber_id
      LEFT JOIN staff AS owner ON owner.id = t.staff_id LEFT JOIN staff AS taker ON taker.id = t.taken_by
      ORDER BY t.id`,
  },
  {
    file: "sessions.csv",
    table: "sessions",
    columns: columns({
      id: "number",
      subscriber_id: "number",
      username: "text",
      nas_id: "number",
      nas: ["text", "nas.name"],
      nas_address: "text",
      nas_ip: "text",
      nas_identifier: "text",
      acct_session_id: "text",
      nas_port: "number",
      nas_port_id: "text",
      nas_port_type: "number",
      called_station_id: "text",
      mac: "text",
      framed_ip: "text",
      framed_ipv6_prefix: "text",
      delegated_ipv6_prefix: "text",
      started_at: "time",
      updated_at: "time",
      stopped_at: "time",
      session_time: "number",
      input_octets: "number",
      output_octets: "number",
      terminate_cause: "text",
      closed_by: "text",
      accepted_as: "text",
      card_id: "number",
    }),
    from: "sessions AS t LEFT JOIN nas ON nas.id = t.nas_id ORDER BY t.id",
  },
  {
    file: "usage.csv",
    table: "usage_days",
    columns: columns({
      subscriber_id: "number",
      username: ["text", "subscribers.username"],
      day: "day",
      input_octets: "number",
      output_octets: "number",
    }),
    from: "usage_days AS t LEFT JOIN subscribers ON subscribers.id = t.subscriber_id ORDER BY t.subscriber_id, t.day",
  },
  {
    file: "card-batches.csv",
    table: "card_batches",
    columns: columns({
      id: "number",
      isp_id: "number",
      branch_id: "number",
      kind: "text",
      package_id: "number",
      package_name: ["text", "packages.name"],
      quantity: "number",
      prefix: "text",
      length: "number",
      alphabet: "text",
      price: "amount",
      reseller_id: "number",
      reseller: ["text", "holder.username"],
      reseller_price: "amount",
      charge_on: "text",
      needs_sale: "number",
      sell_by: "time",
      use_by: "time",
      duration: "number",
      duration_unit: "text",
      uptime_seconds: "number",
      quota_total: "number",
      ...csvKinds(batchTerms),
      lock_first_device: "number",
      offline: "number",
      note: "text",
      origin: "text",
      created_at: "time",
      created_by: "number",
      actor: ["text", "coalesce(maker.username, t.actor)"],
      voided_at: "time",
      reply_attributes: "text",
    }),
    from: `card_batches AS t LEFT JOIN packages ON packages.id = t.package_id LEFT JOIN staff AS holder ON holder.id = t.reseller_id
      LEFT JOIN staff AS maker ON maker.id = t.created_by ORDER BY t.id`,
  },
  {
    // without codes, which gatehouse card csv writes
    file: "cards.csv",
    table: "cards",
    columns: columns({
      id: "number",
      number: ["text", "printf('C-%06d', t.id)"],
      batch_id: "number",
      serial: "number",
      state: "text",
      sold_at: "time",
      sold_by: "number",
      sale_payment_id: "number",
      first_used_at: "time",
      ends_at: "time",
      used_seconds: "number",
      used_octets: "number",
      used_up_at: "time",
      locked_mac: "text",
      redeemed_by: "number",
      charged_at: "time",
      voided_at: "time",
      voided_by: "number",
      void_reason: "text",
    }),
    from: "cards AS t ORDER BY t.id",
  },
  {
    file: "audit.csv",
    table: "audit_entries",
    columns: columns({
      id: "number",
      at: "time",
      isp_id: "number",
      staff_id: "number",
      actor: "text",
      source: "text",
      action: "text",
      entity: "text",
      entity_id: "text",
      before: "text",
      after: "text",
    }),
    from: "audit_entries AS t ORDER BY t.id",
  },
];

export function countRows(db: Db, { table }: CsvTable): number {
  const row = db.$client.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get();
  return row?.count ?? 0;
}

export function* readCsvRows(db: Db, { columns: read, from }: CsvTable): Generator<readonly CsvValue[]> {
  const list = read.map(({ sql, name }) => `${sql} AS "${name}"`).join(", ");
  const statement = db.$client.prepare<Record<string, CsvValue>, []>(`SELECT ${list} FROM ${from}`);
  try {
    for (const row of statement.iterate()) yield Object.values(row);
  } finally {
    statement.finalize();
  }
}
