import type { GrantAttribute } from "../../../../domain/access/grant-attributes.ts";
import type { Told } from "../../../../domain/packages/told.ts";
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
      {told === "rejected" ? (
        <p class="mono">
          Access-Reject <span class="soft-text">{rejected}</span>
        </p>
      ) : (
        <dl class="attributes mono">
          {told.map(({ name, kind, value }) => (
            <div>
              <dt>{name}</dt>
              <dd>{kind === "text" || kind === "mikrotik text" ? `"${value}"` : String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
