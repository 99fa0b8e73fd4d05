import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { create, editPackage, newPackage, preview, save } from "./edit.tsx";
import { packagesFile, showPackages } from "./list.tsx";
import { apply, remove, setStatus, showPackage } from "./package.tsx";

const HREF = "/console/packages";
const ONE = `${HREF}/:id`;

export const packageRoutes: readonly ConsoleRoute[] = [
  staffPage(HREF, showPackages),
  staffPage(`${HREF}.csv`, packagesFile),
  staffPage(`${HREF}/new`, newPackage),
  staffForm(`${HREF}/new`, create),
  staffForm(`${HREF}/told`, preview),
  staffPage(ONE, showPackage),
  staffPage(`${ONE}/edit`, editPackage),
  staffForm(`${ONE}/edit`, save),
  staffForm(`${ONE}/enable`, (visit) => setStatus(visit, 1)),
  staffForm(`${ONE}/disable`, (visit) => setStatus(visit, 0)),
  staffForm(`${ONE}/delete`, remove),
  staffForm(`${ONE}/apply`, apply),
];
