/** A tel: link; undefined without digits. */
export function callHref(number: string): string | undefined {
  return /\d/.test(number) ? `tel:${number.replaceAll(/[^+\d]/g, "")}` : undefined;
}

/** `missing` without a number; `label` names who is called. */
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
