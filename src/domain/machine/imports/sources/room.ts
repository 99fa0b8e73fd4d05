import { MovingRefused } from "../source.ts";

/** Rows and characters in memory at the most: fifty thousand subscribers of twenty rows. */
const most = { rows: 1_000_000, characters: 128 * 1024 * 1024 };
/** Room for shared data beside subscribers on disk. */
export const ofShared: typeof most = { rows: 100_000, characters: 16 * 1024 * 1024 };
/** Subscribers of one import. */
const MOST_PEOPLE = 200_000;

/** Throws MovingRefused for too many. */
export function requirePeople(count: number): void {
  if (count > MOST_PEOPLE)
    throw new MovingRefused(
      `it has more than ${MOST_PEOPLE.toLocaleString("en-US")} subscribers, which no ISP of this size has: give the tables of one ISP`,
    );
}

/** Memory budget of a source. */
export class Room {
  readonly #most: typeof most;
  #rows = 0;
  #characters = 0;

  constructor(limit = most) {
    this.#most = limit;
  }

  /** Throws MovingRefused beyond the budget. */
  take(characters: number): void {
    this.#rows++;
    this.#characters += characters;
    const { rows, characters: all } = this.#most;
    if (this.#rows > rows)
      throw new MovingRefused(
        `it has more than ${rows.toLocaleString("en-US")} rows about subscribers and what they have, which no ISP of this size has: give the tables of one ISP`,
      );
    if (this.#characters > all)
      throw new MovingRefused(
        `its subscribers and what they have take more than ${all / 1024 / 1024} MB of text, which no list of people does`,
      );
  }
}
