/** The name of a time zone; undefined: fixed offsets, POSIX rules, unknown. */
export function parseZone(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return Temporal.Now.zonedDateTimeISO(text).timeZoneId;
  } catch {
    return undefined;
  }
}

export function zoneNames(): string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted();
}
