import initial from "./migrations/0000_initial.sql" with { type: "text" };
import loginStamps from "./migrations/0001_login_stamps.sql" with { type: "text" };

export interface Migration {
  readonly tag: string;
  readonly sql: string;
}

/** In the order in which they apply; text, so that the executable carries them. */
export const migrations: readonly Migration[] = [
  { tag: "0000_initial", sql: initial },
  { tag: "0001_login_stamps", sql: loginStamps },
];
