/** Rows that follow each other and are the same but for when they were, as one: the newest first, in the order in which they are. */
export function folded<Row>(rows: readonly Row[], keyOf: (row: Row) => unknown): [Row, ...Row[]][] {
  const runs: { key: string; rows: [Row, ...Row[]] }[] = [];
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const last = runs.at(-1);
    if (last?.key === key) last.rows.push(row);
    else runs.push({ key, rows: [row] });
  }
  return runs.map((run) => run.rows);
}
