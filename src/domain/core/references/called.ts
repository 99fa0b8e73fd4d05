import { DomainError } from "../errors/errors.ts";
import { phrase } from "../errors/phrase.ts";

interface Called {
  readonly name: string;
  readonly ispId: number;
}

/** The one by name or number. Throws `not_found` with some of the choices, `refused` where several have the name. */
export function theOneCalled<By extends string, Row extends Called & Readonly<Record<By, number>>>(
  rows: readonly Row[],
  called: string,
  { one, many, by }: { readonly one: string; readonly many: string; readonly by: By },
  label: (row: Row) => string = (row) => `${row[by]} ${row.name}`,
): Row {
  const named = rows.filter(({ name }) => name === called);
  if (named.length > 1) {
    const numbers = named.map((row) => `${row[by]} (ISP ${row.ispId})`).join(", ");
    throw new DomainError(
      "refused",
      phrase`several ${many} are called ${called}; name one by its ${by}: ${numbers}`,
      { code: "ambiguous" },
    );
  }
  const found = named[0] ?? rows.find((row) => String(row[by]) === called);
  if (found) return found;
  const known = rows.slice(0, 20).map(label).join(", ");
  throw new DomainError(
    "not_found",
    phrase`there is no ${one} ${called}; there are: ${known || phrase`none`}`,
  );
}
