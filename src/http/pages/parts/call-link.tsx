/** What dials a number as it is written: its digits, and a plus; undefined where it has no digit. */
export function callHref(number: string): string | undefined {
  return /\d/.test(number) ? `tel:${number.replaceAll(/[^+\d]/g, "")}` : undefined;
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
  const href = callHref(number);
  if (href === undefined) return <bdi>{number}</bdi>;
  return (
    <a class="plain" href={href} {...(label !== undefined && { "aria-label": label })}>
      <bdi>{number}</bdi>
    </a>
  );
}
