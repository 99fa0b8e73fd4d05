import type { MovedPackage } from "../../model.ts";
import type { Notices } from "../../notices.ts";
import type { Reading } from "./reading.ts";

type Seen = Map<string, Map<string, number>>;

/** Prices and speeds of packages, from subscribers' rows. */
export class Holders {
  readonly #prices: Seen = new Map();
  readonly #rates: Seen = new Map();

  add(key: string, row: Reading, rate: string | null): void {
    const price = row.has("package_price") ? row.amount("package_price") : null;
    if (price !== null) count(this.#prices, key, price);
    if (rate !== null) count(this.#rates, key, rate);
  }

  /** Adds what the packages table lacks. */
  complete(one: MovedPackage, notices: Notices): MovedPackage {
    return this.#rated(this.#priced(one, notices), notices);
  }

  /** The most frequent price. */
  #priced(one: MovedPackage, notices: Notices): MovedPackage {
    const [most, ...others] = commonest(this.#prices, one.key);
    if (one.price !== null || !most) return one;
    if (others.length > 0)
      notices.add(
        "note",
        one.at,
        one.name,
        `Most pay ${most[0]}, which is its price here; others pay ${listed(others)}`,
      );
    return { ...one, price: most[0] };
  }

  /** The common speed. */
  #rated(one: MovedPackage, notices: Notices): MovedPackage {
    const rates = commonest(this.#rates, one.key);
    const own = one.rate_limit ?? null;
    const [first, ...others] = rates;
    if (!first) return one;
    if (own === null && others.length === 0) return { ...one, rate_limit: first[0] };
    if (own === null)
      notices.add(
        "term_left",
        one.at,
        one.name,
        `Its subscribers have different speeds, ${listed(rates)}: it comes without one. Set it here, or give each speed a package of its own there`,
      );
    else if (others.length > 0 || first[0] !== own)
      notices.add(
        "note",
        one.at,
        one.name,
        `Its speed is ${own}; its subscribers have ${listed(rates)} there`,
      );
    return one;
  }
}

function count(seen: Seen, key: string, value: string): void {
  const counts = seen.get(key) ?? new Map<string, number>();
  seen.set(key, counts.set(value, (counts.get(value) ?? 0) + 1));
}

/** Values, the most frequent first. */
const commonest = (seen: Seen, key: string) =>
  [...(seen.get(key) ?? [])].toSorted(([, one], [, other]) => other - one);

const listed = (values: readonly (readonly [string, number])[]) =>
  values
    .slice(0, 10)
    .map(([value, holders]) => `${value} (${holders})`)
    .join(", ");
