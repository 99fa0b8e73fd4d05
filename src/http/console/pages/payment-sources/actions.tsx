import {
  deletePaymentSource,
  setPaymentSourceEnabled,
  type Source,
} from "../../../../domain/desk/incoming/sources.ts";
import type { StaffVisit } from "../../guard.ts";
import { removal, switching } from "../../parts/plain.tsx";
import { readSource, SOURCES } from "./words.ts";

const source = {
  path: SOURCES,
  of: readSource,
  name: ({ name }: Source) => name,
  words: ({ paymentSources }: StaffVisit["view"]["words"]) => paymentSources,
};

export const sourceConfirmations = [
  ...switching(source, { permit: "setPaymentSourceEnabled", run: setPaymentSourceEnabled }),
  ...removal(source, { permit: "deletePaymentSource", run: deletePaymentSource }),
];
