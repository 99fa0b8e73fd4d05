import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

export const readBatchId = ({ params }: StaffVisit) => pathId("batch", params["id"] ?? null);
export const readCardId = ({ params }: StaffVisit) => pathId("card", params["id"] ?? null);
