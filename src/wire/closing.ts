import { type Static, Type } from "@sinclair/typebox";
import type { Closing } from "../domain/money/closings/find.ts";
import type { Till } from "../domain/money/closings/till.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

export const tillSchema = Type.Object({
  staff_id: Type.Integer(),
  name: Type.String(),
  isp_id: Type.Integer(),
  since: text,
  taken: Type.Number(),
  returned: Type.Number(),
  expected: Type.Number(),
  methods: Type.Array(
    Type.Object({
      method: Type.String(),
      payments: Type.Integer(),
      taken: Type.Number(),
      returned: Type.Number(),
    }),
  ),
});

export const closingSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  staff_id: Type.Integer(),
  name: Type.String(),
  created_at: Type.String(),
  taken: Type.Number(),
  returned: Type.Number(),
  expected: Type.Number(),
  counted: Type.Number(),
  difference: Type.Number(),
  note: text,
  confirmed_at: text,
  confirmed_by: nullable(Type.Integer()),
});

export const exampleTill = {
  staff_id: 4,
  name: "Mia",
  isp_id: 1,
  since: "2030-01-30 18:05:00",
  taken: 330,
  returned: 22,
  expected: 308,
  methods: [
    { method: "cash", payments: 15, taken: 330, returned: 22 },
    { method: "bank", payments: 2, taken: 44, returned: 0 },
  ],
};

export const exampleClosing = {
  id: 31,
  isp_id: 1,
  staff_id: 4,
  name: "Mia",
  created_at: "2030-01-31 18:00:00",
  taken: 330,
  returned: 22,
  expected: 308,
  counted: 307.5,
  difference: -0.5,
  note: null,
  confirmed_at: null,
  confirmed_by: null,
};

/** What somebody should have in the till. */
export function shownTill({ staffId, ispId, name, since, lines, ...sums }: Till): Static<typeof tillSchema> {
  return {
    staff_id: staffId,
    name,
    isp_id: ispId,
    since: since === null ? null : formatTime(since),
    taken: shownAmount(sums.taken),
    returned: shownAmount(sums.returned),
    expected: shownAmount(sums.expected),
    methods: lines.map(({ method, payments, taken, returned }) => ({
      method,
      payments,
      taken: shownAmount(taken),
      returned: shownAmount(returned),
    })),
  };
}

/** A day's close. */
export function shownClosing(closing: Closing): Static<typeof closingSchema> {
  const { expected, counted, confirmedAt } = closing;
  return {
    id: closing.id,
    isp_id: closing.ispId,
    staff_id: closing.staffId,
    name: closing.name,
    created_at: formatTime(closing.createdAt),
    taken: shownAmount(closing.taken),
    returned: shownAmount(closing.returned),
    expected: shownAmount(expected),
    counted: shownAmount(counted),
    difference: shownAmount(counted - expected),
    note: closing.note,
    confirmed_at: confirmedAt === null ? null : formatTime(confirmedAt),
    confirmed_by: closing.confirmedBy,
  };
}
