import { FormToken } from "../pages/document.tsx";
import { Icon } from "../pages/icons.tsx";
import { Button } from "../pages/parts/button.tsx";
import type { StaffVisit } from "./guard.ts";
import { SEEING_END } from "./seeing.ts";

/** Names the account that is seen as, and leads back. */
export function SeeingBar({ visit: { seeing, view } }: { visit: StaffVisit }) {
  if (!seeing) return null;
  const words = view.words.team.seeing;
  const name = view.format.name(seeing.name);
  return (
    <section class="seeing no-print" aria-label={words.label}>
      <Icon name="person" />
      <p>
        <strong>{"staffId" in seeing.target ? words.person(name) : words.role(name)}</strong> {words.nothing}
      </p>
      <form method="post" action={SEEING_END}>
        <FormToken value={seeing.formToken} />
        <Button size="small" icon="back">
          {words.back}
        </Button>
      </form>
    </section>
  );
}
