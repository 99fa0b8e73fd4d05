/** A server that is measured, started and listening. */
export interface Target {
  readonly name: string;
  readonly port: number;
  /** null: it has no books. */
  readonly acctPort: number | null;
  /** Its processes, whose descendants count too. */
  readonly pids: readonly number[];
  readonly stop: () => Promise<void>;
}
