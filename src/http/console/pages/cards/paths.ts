import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

export const batchIdOf = ({ params }: StaffVisit) => pathId("batch", params["id"] ?? null);
export const cardIdOf = ({ params }: StaffVisit) => pathId("card", params["id"] ?? null);
