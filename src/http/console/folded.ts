/** Merges neighbouring rows that differ in their time alone; the newest first. */
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
