import { type Brand, brandOf } from "../../pages/brand.tsx";
import type { StaffVisit } from "../guard.ts";
import type { ConsoleView } from "../view.ts";

/** The brand of the ISP whose cards they are, which an operator has none of. */
export function brandFor({ db, view }: Pick<StaffVisit, "db" | "view">, ispId: number): Brand {
  return view.brand.ispId === ispId ? view.brand : (brandOf(db, ispId) ?? view.brand);
}

/** How a page is written of cards of an ISP: their money is in its currency, whoever looks. */
export function viewOf(visit: Pick<StaffVisit, "db" | "view">, ispId: number): ConsoleView {
  return { ...visit.view, brand: brandFor(visit, ispId) };
}
