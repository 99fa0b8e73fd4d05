/** What dials a number as it is written: its digits, and a plus. */
export function callHref(number: string): string {
  return `tel:${number.replaceAll(/[^+\d]/g, "")}`;
}

/** A number to press; `missing` where there is none. `label` says whom it calls, where the number does not stand beside a name. */
export function CallLink({
  number,
  missing,
  label,
}: {
  number: string | null;
  missing: string;
  label?: string | undefined;
}) {
  if (number === null) return <span class="soft-text">{missing}</span>;
  return (
    <a class="plain" href={callHref(number)} {...(label !== undefined && { "aria-label": label })}>
      <bdi>{number}</bdi>
    </a>
  );
}
