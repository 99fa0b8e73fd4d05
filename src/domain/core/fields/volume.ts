const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** Decimal units: `1.2 GB`. */
export function volume(octets: number): string {
  const power = octets < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(octets) / 3));
  const value = octets / 1000 ** power;
  // 999.96 MB is 1.0 GB
  if (power > 0 && power < UNITS.length - 1 && value >= 999.95) return `1.0 ${UNITS[power + 1]}`;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
