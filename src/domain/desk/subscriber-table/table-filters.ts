import { NO_FILTER } from "../../core/errors/codes.ts";
import { Type } from "@sinclair/typebox";
import { all, among, type Condition, equal } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import {
  type Field,
  field,
  findUnknownNames,
  flag,
  from,
  type Input,
  oneOf,
  readFields,
  text,
  to,
  type Values,
  wholeNumber,
  without,
} from "../../core/fields/fields.ts";
import { type Scope, scopeCondition, seesWholeIsp } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { hasProfileStatus, officeConditions, unindexed } from "../../goods/subscribers/list-conditions.ts";
import { sorts } from "../../goods/subscribers/list-order.ts";
import { isOnline, profileStatuses } from "../../goods/subscribers/record.ts";

const MOST = 100;

/** `garden`: online there. */
export const lineFilters = ["online", "offline", "garden"] as const;

/** Values with commas between, of which any matches. */
function several<T>(read: (part: string) => T | undefined, message: Phrase): Field<readonly T[]> {
  return field(Type.String({ maxLength: 2000 }), message, (value) => {
    const parts = [...new Set(value.split(",").filter((part) => part !== ""))];
    const values = parts.map(read).filter((one) => one !== undefined);
    return values.length === parts.length && parts.length > 0 && parts.length <= MOST ? values : undefined;
  });
}

const someOf = <const V extends string>(...allowed: readonly V[]) =>
  several(
    (part) => allowed.find((one) => one === part),
    phrase`must be some of ${allowed.join(", ")}, with commas between them`,
  );

const someIds = several(
  (part) => (/^[1-9]\d{0,14}$/.test(part) ? Number(part) : undefined),
  phrase`must be 1 to ${MOST} ids with commas between them`,
);

/** All must match, any of their values. */
const tableFilters = {
  status: someOf(...profileStatuses),
  line: someOf(...lineFilters),
  package: someIds,
  router: someIds,
  area: someIds,
  subarea: someIds,
  city: someIds,
  branch: someIds,
  salesperson: someIds,
  expires_from: from,
  expires_to: to,
  owes: flag,
  no_sms: flag,
  no_login_for: wholeNumber(1, 3650),
  box: text(100),
  sort: oneOf(...sorts, ...sorts.map((name) => `-${name}` as const)),
  page: wholeNumber(1, 1_000_000),
};

export type TableFilters = Values<typeof tableFilters>;

/** Filters without order and page. */
export const narrowing = without(tableFilters, ["sort", "page"]);
export type Narrowing = Values<typeof narrowing>;

export function readTableFilters(input: Input): TableFilters {
  const faults: Faults = {};
  const filters = readFields(tableFilters, input, faults);
  findUnknownNames(tableFilters, input, faults, { message: NO_FILTER });
  rejectFaults(faults);
  return filters;
}

export function tableMatching(scope: Scope, filters: Narrowing, now: Seconds): Condition {
  const { status, line, owes, no_sms, no_login_for, box, expires_from, expires_to } = filters;
  const seen = scopeCondition({ ...scope, archived: true });
  return all(
    seesWholeIsp(scope) && isNarrowed(filters) ? unindexed(seen) : seen,
    officeConditions(
      {
        expires_from: expires_from ?? null,
        expires_to: expires_to ?? null,
        no_login_for: no_login_for ?? null,
        box_number: box ?? null,
      },
      now,
    ),
    any(status?.map((one) => hasProfileStatus[one](now))),
    any(line?.map((one) => onLine[one])),
    anyOf("s.package_id", filters.package),
    anyOf("s.nas_id", filters.router),
    anyOf("s.area_id", filters.area),
    anyOf("s.subarea_id", filters.subarea),
    anyOf("s.city_id", filters.city),
    anyOf("s.branch_id", filters.branch),
    anyOf("s.salesperson_id", filters.salesperson),
    owes === 1 ? owing : undefined,
    no_sms === 1 ? withoutSms : undefined,
  );
}

export function isNarrowed(filters: Narrowing): boolean {
  return Object.keys(narrowing).some((name) => {
    const value = filters[name as keyof Narrowing];
    return value !== undefined && value !== null && value !== 0;
  });
}

export function seesEverybody({ $client }: Db, scope: Scope): boolean {
  if (scope.branchId !== null || scope.salespersonId !== null) return false;
  if (scope.ispId === null) return true;
  const sql =
    "SELECT (SELECT min(isp_id) FROM subscribers) = ?1 AND (SELECT max(isp_id) FROM subscribers) = ?1";
  return Object.values($client.query<Record<string, number>, [number]>(sql).get(scope.ispId) ?? {})[0] === 1;
}

const owing: Condition = {
  text: "s.id IN (SELECT subscriber_id FROM wallets WHERE balance < 0)",
  values: [],
};

/** Reachable, but off. */
export const withoutSms: Condition = {
  text: "s.sms_status = 0 AND s.mobile_number IS NOT NULL AND s.messages_off = 0 AND s.archived_at IS NULL",
  values: [],
};

const onLine: Readonly<Record<(typeof lineFilters)[number], Condition>> = {
  online: { text: isOnline, values: [] },
  offline: { text: `NOT ${isOnline}`, values: [] },
  garden: {
    text: `s.id IN (SELECT subscriber_id FROM sessions WHERE stopped_at IS NULL
    AND accepted_as IN ('accepted_expired', 'accepted_quota_used_up'))`,
    values: [],
  },
};

function any(conditions: readonly Condition[] | undefined): Condition | undefined {
  if (!conditions || conditions.length === 0) return undefined;
  const text = conditions.map((one) => `(${one.text})`).join(" OR ");
  return { text: `(${text})`, values: conditions.flatMap(({ values }) => values) };
}

function anyOf(column: string, ids: readonly number[] | null | undefined): Condition | undefined {
  const [first, second] = ids ?? [];
  if (!ids || second === undefined) return equal(column, first);
  return among(column, ids);
}
