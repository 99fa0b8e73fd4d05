export function columns<T>(rows: readonly T[], ...keys: readonly (keyof T)[]): unknown[][] {
  return rows.map((row) => keys.map((key) => row[key]));
}
