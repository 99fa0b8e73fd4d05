/** The zone of an IANA name; undefined for fixed offsets such as +02:00, POSIX rules and what is none. */
export function zoneOf(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return Temporal.Now.zonedDateTimeISO(text).timeZoneId;
  } catch {
    return undefined;
  }
}

/** Every zone there is, by name; UTC among them. */
export function zoneNames(): string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted();
}
