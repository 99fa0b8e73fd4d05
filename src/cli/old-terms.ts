import type { OldTerms } from "../domain/goods/packages/terms.ts";

/** What to do for holders of changed packages, who keep their old terms. */
export function explainOldTerms(oldTerms: readonly OldTerms[]): string[] {
  return oldTerms.map(
    ({ package_id, name, subscribers }) =>
      `${subscribers} with ${name} stay on its old terms until their next activation; give them the new ones with: gatehouse package apply ${package_id}`,
  );
}
