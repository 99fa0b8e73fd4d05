import type { GrantAttribute } from "../../../../domain/service/access/grant-attributes.ts";
import { definitionNamed } from "../../../../domain/goods/attributes/dictionary.ts";
import type { Told } from "../../../../domain/service/access/package-told.ts";
import type { ConsoleView } from "../../view.ts";

/** What routers are told at a login, as it is sent. */
export function RouterTold({ view: { words }, told }: { view: ConsoleView; told: Told }) {
  const { packages } = words;
  return (
    <div class="told">
      <Case title={packages.whilePaid} told={told.paid} rejected={packages.rejected} />
      {told.usedUp !== null && (
        <Case title={packages.whenUsedUp} told={told.usedUp} rejected={packages.rejected} />
      )}
      <Case title={packages.whenOver} told={told.expired} rejected={packages.rejected} />
    </div>
  );
}

function Case({
  title,
  told,
  rejected,
}: {
  title: string;
  told: readonly GrantAttribute[] | "rejected";
  rejected: string;
}) {
  return (
    <section>
      <h3>{title}</h3>
      {told === "rejected" ? <Rejected why={rejected} /> : <AttributeList told={told} />}
    </section>
  );
}

export function Rejected({ why }: { why: string }) {
  return (
    <p class="mono">
      Access-Reject <span class="soft-text">{why}</span>
    </p>
  );
}

/** The attributes of an Accept, in their order. */
export function AttributeList({ told }: { told: readonly GrantAttribute[] }) {
  return (
    <dl class="attributes mono">
      {told.map((attribute) => (
        <div>
          <dt>{attribute.name}</dt>
          <dd>{shownValue(attribute)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Text between quotation marks, and a number by its name where it has one. */
function shownValue({ name, value }: GrantAttribute): string {
  const known = definitionNamed(name.replace(/:\d+$/, ""));
  if (known?.kind === "text") return `"${value}"`;
  const [named] = Object.entries(known?.values ?? {}).find(([, number]) => number === value) ?? [];
  return named ?? String(value);
}
