import { Type } from "@sinclair/typebox";
import { applyPackage } from "../../domain/service/control/apply-package.ts";
import { flag, id } from "../../domain/core/fields/fields.ts";
import { packageFields } from "../../domain/goods/packages/fields.ts";
import {
  createPackage,
  deletePackage,
  listPackages,
  packageById,
  packageInput,
  packageSorts,
  requiredInput,
  setPackageStatus,
  updatePackage,
} from "../../domain/goods/packages/packages.ts";
import { examplePackage, packageSchema, packageToJson } from "../../wire/package.ts";
import { done } from "../describe.ts";
import { managementForm, noForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed, anybodyMayRepeat } from "../operation.ts";
import { money } from "../../wire/money.ts";

const PREFIX = "/api/v1/package";
const tags: [string] = ["Packages"];
const ids = { id: "package" };
const unknown = { 404: "There is no such package." };
const narrowedBy = ["isp_id"] as const;
const idForm = { ...managementForm({ id }, ["id"], { id: 7 }), narrowedBy };

const list = listed({
  path: `${PREFIX}/list`,
  operation: "listPackages",
  operationId: "listPackages",
  tags,
  summary: "List packages",
  filters: { name: packageFields.name, status: flag, billing_type: packageFields.billing_type },
  sorts: packageSorts,
  record: packageSchema,
  example: examplePackage,
  page: ({ db, by, values: value }, paging) => {
    const { name, status, billing_type: billingType } = value;
    const { records, total } = listPackages(db, by, { name, status, billingType, ...paging });
    return { records: records.map(packageToJson), total };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "packageById",
  operationId: "getPackage",
  tags,
  summary: "Get a package",
  form: noForm,
  ids,
  success: { description: "The package.", schema: packageSchema, example: examplePackage },
  refusals: unknown,
  run: ({ db, by, ids: { id } }) => packageToJson(packageById(db, by, id)),
});

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "createPackage",
  operationId: "createPackage",
  tags,
  summary: "Add a package",
  description:
    "Send `price`, which contains the tax, or `net_price`, to which the ISP's tax_percent is added. The operator of the box sends isp_id where there are several ISPs. Accounts of one branch read packages and change none: 403.",
  form: {
    ...managementForm(packageInput, requiredInput, {
      name: "Home 10",
      price: 22,
      reseller_price: 18,
      billing_type: "prepaid",
      duration: 1,
      duration_unit: "month",
      rate_limit: "10M/10M",
    }),
    narrowedBy: [],
  },
  clears: true,
  success: {
    description: "Created.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer(), price: money }),
    example: { success: "Package created.", id: 7, price: 22 },
  },
  once: anybodyMayRepeat,
  run: ({ db, by, input, now }) => {
    const { id, price } = packageToJson(createPackage(db, by, input, { now }));
    return { success: "Package created.", id, price };
  },
});

const update = managed({
  method: "POST",
  path: `${PREFIX}/update`,
  operation: "updatePackage",
  operationId: "updatePackage",
  tags,
  summary: "Change a package; what is not sent stays",
  description:
    "Subscribers who have it keep its old terms until their next activation; apply gives them the new ones at once. The price is that of the next activation.",
  form: { ...managementForm({ id, ...packageInput }, ["id"], { id: 7, rate_limit: "20M/20M" }), narrowedBy },
  clears: true,
  success: {
    description: "Changed.",
    schema: Type.Object({
      success: Type.String(),
      price: money,
      holders_on_old_terms: Type.Integer(),
    }),
    example: { success: "Package changed.", price: 22, holders_on_old_terms: 120 },
  },
  refusals: unknown,
  run: ({ db, by, values: value, input, now }) => {
    const { changed, holders } = updatePackage(db, by, { id: value.id, input }, { now });
    return {
      success: "Package changed.",
      price: packageToJson(changed).price,
      holders_on_old_terms: holders,
    };
  },
});

const switched = (name: "enable" | "disable", status: 0 | 1, summary: string) =>
  managed({
    method: "POST",
    path: `${PREFIX}/${name}`,
    operation: "setPackageStatus",
    operationId: `${name}Package`,
    tags,
    summary,
    form: idForm,
    success: done(`Package ${name}d.`),
    refusals: unknown,
    run: ({ db, by, values: { id }, now }) => {
      setPackageStatus(db, by, { id, status }, { now });
      return { success: `Package ${name}d.` };
    },
  });

const remove = managed({
  method: "DELETE",
  path: `${PREFIX}/delete/:id`,
  operation: "deletePackage",
  operationId: "deletePackage",
  tags,
  summary: "Delete a package that was never sold",
  form: { ...noForm, narrowedBy },
  ids,
  success: done("Package deleted."),
  refusals: { ...unknown, 400: "It was sold, or is in profiles: disable it instead." },
  run: ({ db, by, ids: { id }, now }) => {
    deletePackage(db, by, { id }, { now });
    return { success: "Package deleted." };
  },
});

const count = Type.Integer();

const apply = managed({
  method: "POST",
  path: `${PREFIX}/apply`,
  awaits: true,
  operation: "applyPackage",
  operationId: "applyPackage",
  tags,
  summary: "Give all who hold a package its present terms",
  description:
    "The rate, pools, lists and quota, not the price nor the end; open sessions get the rate by CoA, or are ended to redial where something else has changed. Answers when every router has, which may take minutes.",
  form: {
    ...managementForm({ id, nas_id: id, dry_run: flag }, ["id"], { id: 7, dry_run: 1 }),
    narrowedBy: ["isp_id", "branch_id"],
  },
  success: {
    description: "How many holders had other terms, and what became of their open sessions.",
    schema: Type.Object({
      changed: count,
      sessions: Type.Object({ changed: count, ended: count, unchanged: count, left: count, refused: count }),
      failures: Type.Array(Type.String()),
    }),
    example: {
      changed: 120,
      sessions: { changed: 80, ended: 0, unchanged: 3, left: 0, refused: 1 },
      failures: ["sam: the router did not answer in 3 s"],
    },
  },
  refusals: unknown,
  slow: true,
  run: ({ db, by, values: { id: packageId, nas_id: nasId, dry_run: dryRun }, clock, routers }) =>
    applyPackage(db, by, { packageId, nasId: nasId ?? undefined, dryRun: dryRun === 1 }, { clock, routers }),
});

export const packageOperations = [
  list,
  get,
  create,
  update,
  switched("enable", 1, "Let a package be sold"),
  switched("disable", 0, "Let nobody be activated with a package any more; who has it keeps it"),
  remove,
  apply,
];
