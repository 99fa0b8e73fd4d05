import { type Brand, findBrand } from "../../pages/brand.tsx";
import type { StaffVisit } from "../guard.ts";
import type { ConsoleView } from "../view.ts";

/** An operator has no brand, so it is the cards' ISP's. */
export function brandFor({ db, view }: Pick<StaffVisit, "db" | "view">, ispId: number): Brand {
  return view.brand.ispId === ispId ? view.brand : (findBrand(db, ispId) ?? view.brand);
}

/** Money of cards is in their ISP's currency, whoever looks. */
export function ispView(visit: Pick<StaffVisit, "db" | "view">, ispId: number): ConsoleView {
  return { ...visit.view, brand: brandFor(visit, ispId) };
}
