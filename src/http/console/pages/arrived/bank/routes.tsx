import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { attempt } from "../../../attempt.ts";
import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import { BANK_FILE, BANK_LOOK, BANK_READ, BANK_TAKE } from "./addresses.ts";
import { chooseFile } from "./choose.tsx";
import { chooseColumns } from "./columns.tsx";
import { carried, faultWords, type BankUpload, requireBank, uploaded } from "./upload.ts";
import { showLines } from "./lines.tsx";
import { takeLines } from "./take.ts";

export const bankPageRoutes: readonly ConsoleRoute[] = [
  staffPage(BANK_FILE, (visit) => chooseFile(visit)),
  staffForm(BANK_READ, async (visit, input) => {
    requireBank(visit);
    const done = await attempt(visit, async () => chooseColumns(visit, await uploaded(visit, input)));
    return done instanceof DomainError ? refused(visit, done) : done;
  }),
  staffForm(BANK_LOOK, (visit, input) => orColumns(visit, input, async (...args) => showLines(...args))),
  staffForm(BANK_TAKE, (visit, input) => orColumns(visit, input, takeLines)),
];

type Next = (visit: StaffVisit, file: BankUpload, input: Input) => Promise<Response>;

/** The next page, or the columns again where their choice does not fit. */
async function orColumns(visit: StaffVisit, input: Input, next: Next): Promise<Response> {
  requireBank(visit);
  const file = carried(visit, input);
  const done = await attempt(visit, () => next(visit, file, input));
  if (!(done instanceof DomainError)) return done;
  if (done.kind !== "invalid") throw done;
  const again = await attempt(visit, async () =>
    chooseColumns(visit, file, { chosen: input, fault: faultWords(done) }),
  );
  return again instanceof DomainError ? refused(visit, again) : again;
}

function refused(visit: StaffVisit, fault: DomainError): Response {
  if (fault.kind !== "invalid") throw fault;
  return chooseFile(visit, faultWords(fault));
}
