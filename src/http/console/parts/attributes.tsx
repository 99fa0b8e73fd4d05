import type { GrantAttribute } from "../../../domain/service/access/grant-attributes.ts";
import { definitionNamed } from "../../../domain/goods/attributes/dictionary.ts";
import type { PackageReply } from "../../../domain/service/access/package-reply.ts";
import type { ConsoleView } from "../view.ts";

export function RouterReply({
  view: { words },
  attributes,
}: {
  view: ConsoleView;
  attributes: PackageReply;
}) {
  const { packages } = words;
  return (
    <div class="told">
      <Case title={packages.whilePaid} attributes={attributes.paid} rejected={packages.rejected} />
      {attributes.usedUp !== null && (
        <Case title={packages.whenUsedUp} attributes={attributes.usedUp} rejected={packages.rejected} />
      )}
      <Case title={packages.whenOver} attributes={attributes.expired} rejected={packages.rejected} />
    </div>
  );
}

function Case({
  title,
  attributes,
  rejected,
}: {
  title: string;
  attributes: readonly GrantAttribute[] | "rejected";
  rejected: string;
}) {
  return (
    <section>
      <h3>{title}</h3>
      {attributes === "rejected" ? <Rejected why={rejected} /> : <AttributeList attributes={attributes} />}
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

export function AttributeList({ attributes }: { attributes: readonly GrantAttribute[] }) {
  return (
    <dl class="attributes mono">
      {attributes.map((attribute) => (
        <div>
          <dt>{attribute.name}</dt>
          <dd>{attributeText(attribute)}</dd>
        </div>
      ))}
    </dl>
  );
}

function attributeText({ name, value }: GrantAttribute): string {
  const known = definitionNamed(name.replace(/:\d+$/, ""));
  if (known?.kind === "text") return `"${value}"`;
  const [named] = Object.entries(known?.values ?? {}).find(([, number]) => number === value) ?? [];
  return named ?? String(value);
}
